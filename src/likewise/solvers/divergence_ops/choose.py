"""The fastest operations for a divergence."""

from likewise.divergences import formulas
from likewise.divergences.named import (
    ChiSquared,
    Hellinger,
    JensenShannon,
    KullbackLeibler,
    ReverseKullbackLeibler,
    Triangular,
)
from likewise.divergences.registry import Divergence, TotalVariation
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.divergence_ops.f_divergence import FDivergenceOps
from likewise.solvers.divergence_ops.generic import GenericOps
from likewise.solvers.divergence_ops.total_variation import TotalVariationOps

KIND_OF: dict[type, int] = {
    KullbackLeibler: formulas.KL,
    ReverseKullbackLeibler: formulas.REVERSE_KL,
    JensenShannon: formulas.JENSEN_SHANNON,
    Hellinger: formulas.HELLINGER,
    ChiSquared: formulas.CHI2,
    Triangular: formulas.TRIANGULAR,
}


def ops_for(divergence: Divergence) -> DivergenceOps:
    """The fastest operations for this divergence."""
    if isinstance(divergence, TotalVariation):
        return TotalVariationOps()
    kind = KIND_OF.get(type(divergence))
    return GenericOps(divergence) if kind is None else FDivergenceOps(kind)
