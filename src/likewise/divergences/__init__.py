"""How differently two people are treated: one small class for each divergence.

A divergence compares two distributions over the centres. The solvers and the certificate ask it
for values, for cuts (linear inequalities that every fair pair obeys) and for the price of a dual
vector (what a lower bound pays for a pair).
"""

from likewise.divergences.f_divergence import FDivergence
from likewise.divergences.registry import (
    REGISTRY,
    Divergence,
    MaxRatio,
    TotalVariation,
    as_divergence,
)

__all__ = ["REGISTRY", "Divergence", "FDivergence", "MaxRatio", "TotalVariation", "as_divergence"]
