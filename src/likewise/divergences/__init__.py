"""How differently two people are treated: one small class for each divergence.

A divergence compares two distributions over the centres. The certificate and the engines ask it for
values, for cuts (linear inequalities that every fair pair obeys) and for the support function of
the fair pairs (what a lower bound pays for a pair). For most divergences that is all there is.
Total variation and the named f-divergences have compiled loops besides, chosen in
``solvers.divergence_ops``; those of the named ones call the same formulas as the methods do. Total
variation is known by its class to the scans of every pair and to the prediction too.
"""

from likewise.divergences.base import Divergence
from likewise.divergences.f_divergence import FDivergence
from likewise.divergences.max_ratio import MaxRatio
from likewise.divergences.registry import REGISTRY, as_divergence
from likewise.divergences.total_variation import TotalVariation

__all__ = ["REGISTRY", "Divergence", "FDivergence", "MaxRatio", "TotalVariation", "as_divergence"]
