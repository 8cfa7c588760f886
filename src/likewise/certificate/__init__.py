"""The proof that comes with every answer, recomputed from the answer alone.

Nothing here is shared with the solvers but the formulas of the divergences, which tests check
against their definitions: a mistake in a solver cannot hide here. Every constrained pair is
checked (``pairs``), and the lower bound follows from the duals (``lower_bound``).
"""

from likewise.certificate.check import certify, prove_radius
from likewise.certificate.evidence import ALLOWED_EXCESS, Certificate, RadiusProof
from likewise.certificate.lower_bound import cost_shift_and_support
from likewise.certificate.pairs import seconds_to_check
from likewise.certificate.sameness import Sameness

__all__ = [
    "ALLOWED_EXCESS",
    "Certificate",
    "RadiusProof",
    "Sameness",
    "certify",
    "cost_shift_and_support",
    "prove_radius",
    "seconds_to_check",
]
