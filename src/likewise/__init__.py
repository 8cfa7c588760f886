"""likewise: clustering that treats like individuals alike.

The public names are loaded when first used, so that ``import likewise`` costs milliseconds
even though scikit-learn and numba do not.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likewise.certificate import Certificate, certify
    from likewise.divergences import TotalVariation
    from likewise.errors import InvalidArgument, SolverError
    from likewise.estimator import LikewiseClustering
    from likewise.f_divergences import FDivergence
    from likewise.lower_bounds import LowerBound, lower_bound
    from likewise.pairs import Pairs
    from likewise.problem import Assignment, AssignmentProblem
    from likewise.solvers import solve
    from likewise.spread.hard import cluster_blocks

__version__ = "0.1.0"

_HOME_OF = {
    "Assignment": "problem",
    "AssignmentProblem": "problem",
    "Certificate": "certificate",
    "FDivergence": "f_divergences",
    "InvalidArgument": "errors",
    "LikewiseClustering": "estimator",
    "LowerBound": "lower_bounds",
    "Pairs": "pairs",
    "SolverError": "errors",
    "TotalVariation": "divergences",
    "certify": "certificate",
    "cluster_blocks": "spread.hard",
    "lower_bound": "lower_bounds",
    "solve": "solvers",
}

__all__ = [
    "Assignment",
    "AssignmentProblem",
    "Certificate",
    "FDivergence",
    "InvalidArgument",
    "LikewiseClustering",
    "LowerBound",
    "Pairs",
    "SolverError",
    "TotalVariation",
    "certify",
    "cluster_blocks",
    "lower_bound",
    "solve",
]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        return getattr(import_module(f"likewise.{_HOME_OF[name]}"), name)
    raise AttributeError(f"module 'likewise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
