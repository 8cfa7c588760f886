"""likewise: clustering that treats like individuals alike.

The public names, and the rooms that are public as a whole (``likewise.metrics``), are loaded when
first used, so that ``import likewise`` costs milliseconds even though scikit-learn and numba do
not.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likewise import (  # noqa: I001  (one name a line, not one statement)
        auditing as auditing,
        baselines as baselines,
        datasets as datasets,
        distributed as distributed,
        divergences as divergences,
        errors as errors,
        experiments as experiments,
        frontier as frontier,
        metrics as metrics,
        sampling as sampling,
        similarities as similarities,
    )
    from likewise.certificate import Certificate, certify
    from likewise.distributed.block_clustering import cluster_blocks
    from likewise.divergences.f_divergence import FDivergence
    from likewise.divergences.registry import TotalVariation
    from likewise.errors import InvalidArgument, SolverError
    from likewise.estimator import LikewiseClustering
    from likewise.fitting.lower_bound import LowerBound, lower_bound
    from likewise.problem.assignment import Assignment, AssignmentProblem
    from likewise.similarities.pairs import Pairs
    from likewise.solvers.solve import solve

__version__ = "0.2.0"

_HOME_OF = {
    "Assignment": "problem.assignment",
    "AssignmentProblem": "problem.assignment",
    "Certificate": "certificate",
    "FDivergence": "divergences",
    "InvalidArgument": "errors",
    "LikewiseClustering": "estimator",
    "LowerBound": "fitting.lower_bound",
    "Pairs": "similarities.pairs",
    "SolverError": "errors",
    "TotalVariation": "divergences",
    "certify": "certificate",
    "cluster_blocks": "distributed.block_clustering",
    "lower_bound": "fitting.lower_bound",
    "solve": "solvers.solve",
}

_ROOMS = (
    "auditing",
    "baselines",
    "datasets",
    "distributed",
    "divergences",
    "errors",
    "experiments",
    "frontier",
    "metrics",
    "sampling",
    "similarities",
)

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


def __getattr__(name: str) -> object:
    if name in _HOME_OF:
        return getattr(import_module(f"likewise.{_HOME_OF[name]}"), name)
    if name in _ROOMS:
        return import_module(f"likewise.{name}")
    raise AttributeError(f"module 'likewise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS, "__version__"])
