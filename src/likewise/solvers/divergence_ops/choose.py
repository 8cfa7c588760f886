"""The fastest operations for a divergence."""

from likewise.divergences import Divergence, TotalVariation
from likewise.divergences.generator import GeneratorDivergence
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.divergence_ops.f_divergence import FDivergenceOps
from likewise.solvers.divergence_ops.generic import GenericOps
from likewise.solvers.divergence_ops.total_variation import TotalVariationOps


def ops_for(divergence: Divergence) -> DivergenceOps:
    """The fastest operations for this divergence."""
    if isinstance(divergence, TotalVariation):
        return TotalVariationOps()
    if isinstance(divergence, GeneratorDivergence) and divergence.generator is not None:
        return FDivergenceOps(divergence)
    return GenericOps(divergence)
