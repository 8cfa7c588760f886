"""How long a command will take, said before it begins."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from likewise.cli.output import Output
from likewise.errors import InvalidArgument

if TYPE_CHECKING:
    from likewise.fitting.pipeline import Settings
    from likewise.problem.specification import Specification


def foresee(
    output: Output,
    points: object,
    told: "Specification",
    settings: "Settings",
    agreed: bool,
    clusters: Sequence[int] = (),
) -> None:
    """Say what a fit of many people will take, or one for each of several numbers of clusters; what
    takes more than an hour must be agreed to.
    """
    from likewise.compute.budget import Budget
    from likewise.fitting.estimate import WORTH_IT, estimate
    from likewise.geometry.mixed import as_rows

    X, metric = as_rows(points, told.metric)
    if X.shape[0] < WORTH_IT or (agreed and output.silent):
        return
    with output.working("estimating how long it will take"):
        told = replace(told, metric=metric)
        found = estimate(told, X, settings, Budget(), clusters)  # Ctrl-C ends the command
    several = f", {clusters[0]} to {clusters[-1]} clusters" if len(clusters) > 1 else ""
    output.note(f"  {X.shape[0]:,} people{several}: {found}")
    if found.is_long and not agreed:
        raise InvalidArgument(
            "--yes", f"this would take long: {found}.", f"{found.remedy} Or say --yes."
        )
