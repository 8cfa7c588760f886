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
        choosing as choosing,
        datasets as datasets,
        displays as displays,
        distributed as distributed,
        divergences as divergences,
        errors as errors,
        experiments as experiments,
        frontier as frontier,
        groups as groups,
        metrics as metrics,
        report as report,
        sampling as sampling,
        similarities as similarities,
    )
    from likewise.certificate import Certificate, certify
    from likewise.choosing import ChoiceOfK, choose_k
    from likewise.distributed.block_clustering import cluster_blocks
    from likewise.divergences.f_divergence import FDivergence
    from likewise.divergences.registry import Divergence, MaxRatio, TotalVariation
    from likewise.errors import InvalidArgument, SolverError
    from likewise.estimator import LikewiseClustering
    from likewise.fitting.lower_bound import LowerBound, lower_bound
    from likewise.frontier import CostlyPair, FrontierPoint, price_of_pairs
    from likewise.groups.bounds import GroupBounds
    from likewise.groups.membership import Groups
    from likewise.problem.assignment import Assignment, AssignmentProblem, Duals
    from likewise.report import make_report
    from likewise.similarities.pairs import Pairs
    from likewise.solvers.solve import solve

__version__ = "0.2.0"

_HOME_OF = {
    "Assignment": "problem.assignment",
    "AssignmentProblem": "problem.assignment",
    "Certificate": "certificate",
    "ChoiceOfK": "choosing",
    "CostlyPair": "frontier",
    "Divergence": "divergences",
    "Duals": "problem.assignment",
    "FDivergence": "divergences",
    "FrontierPoint": "frontier",
    "GroupBounds": "groups.bounds",
    "Groups": "groups.membership",
    "InvalidArgument": "errors",
    "LikewiseClustering": "estimator",
    "LowerBound": "fitting.lower_bound",
    "MaxRatio": "divergences",
    "Pairs": "similarities.pairs",
    "SolverError": "errors",
    "TotalVariation": "divergences",
    "certify": "certificate",
    "choose_k": "choosing",
    "cluster_blocks": "distributed.block_clustering",
    "lower_bound": "fitting.lower_bound",
    "make_report": "report",
    "price_of_pairs": "frontier",
    "solve": "solvers.solve",
}

_ROOMS = (
    "auditing",
    "baselines",
    "choosing",
    "datasets",
    "displays",
    "distributed",
    "divergences",
    "errors",
    "experiments",
    "frontier",
    "groups",
    "metrics",
    "report",
    "sampling",
    "similarities",
)

__all__ = [
    "Assignment",
    "AssignmentProblem",
    "Certificate",
    "ChoiceOfK",
    "CostlyPair",
    "Divergence",
    "Duals",
    "FDivergence",
    "FrontierPoint",
    "GroupBounds",
    "Groups",
    "InvalidArgument",
    "LikewiseClustering",
    "LowerBound",
    "MaxRatio",
    "Pairs",
    "SolverError",
    "TotalVariation",
    "certify",
    "choose_k",
    "cluster_blocks",
    "lower_bound",
    "make_report",
    "price_of_pairs",
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
