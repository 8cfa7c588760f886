"""The divergences by name."""

from likewise.divergences.base import Divergence
from likewise.divergences.from_formulas import NamedDivergence
from likewise.divergences.generator import Generator, GeneratorDivergence
from likewise.divergences.max_ratio import MaxRatio
from likewise.divergences.named import NAMED
from likewise.divergences.total_variation import TotalVariation
from likewise.errors import InvalidArgument, unknown_name

__all__ = [
    "REGISTRY",
    "Divergence",
    "MaxRatio",
    "TotalVariation",
    "as_divergence",
    "generator_of",
]

_DIVERGENCES: tuple[Divergence, ...] = (
    TotalVariation(),
    *(NamedDivergence(name) for name in NAMED),
    MaxRatio(),
)
REGISTRY: dict[str, Divergence] = {divergence.name: divergence for divergence in _DIVERGENCES}


def as_divergence(divergence: object) -> Divergence:
    """The divergence of that name, or the object itself if it is one."""
    if isinstance(divergence, str):
        if divergence in REGISTRY:
            return REGISTRY[divergence]
        raise unknown_name("divergence", divergence, REGISTRY)
    if isinstance(divergence, Divergence) and not isinstance(divergence, type):
        return divergence
    raise InvalidArgument(
        "divergence",
        f"{type(divergence).__name__} is neither a name nor a Divergence.",
        f"Use one of {', '.join(REGISTRY)}, or FDivergence(f) for your own.",
    )


def generator_of(divergence: Divergence) -> Generator | None:
    """What compiled loops take for a divergence; None if there is nothing compiled."""
    if isinstance(divergence, TotalVariation | GeneratorDivergence):
        return divergence.generator
    return None
