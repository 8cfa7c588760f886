"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from likewise.errors import InvalidArgument

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for machines.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
TableFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A CSV or Parquet file, or a folder of the latter.")
]
Dask = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS|local",
        help="Work on a Dask cluster: its scheduler's address, or local for this machine's cores.",
    ),
]
Features = Annotated[
    str | None,
    typer.Option(help="Columns to cluster on, commas between; default: all that are left."),
]
Protected = Annotated[str | None, typer.Option(help="Protected columns, commas between.")]
Power = Annotated[str, typer.Option("--p", help="1: k-median, 2: k-means, inf: k-center.")]
Metric = Annotated[str, typer.Option(help="How distances are measured.")]
Similarity = Annotated[str, typer.Option(help="global or local: how alike people count as.")]
Neighbors = Annotated[
    int | None, typer.Option(min=1, help="Compare only so many nearest neighbours.")
]
Divergence = Annotated[
    str, typer.Option(help="How treatments are compared: tv, kl, hellinger, max-ratio, ...")
]
NoScale = Annotated[bool, typer.Option("--no-scale", help="Take numbers as they are.")]
NoOneHot = Annotated[bool, typer.Option("--no-one-hot", help="Refuse columns of text.")]
DropMissing = Annotated[
    bool, typer.Option("--drop-missing", help="Leave out rows with missing features.")
]


def split(names: str | None) -> list[str]:
    """Names with commas between."""
    return [] if names is None else [name.strip() for name in names.split(",") if name.strip()]


def engine_of(dask: str | None, without: str = "local") -> str:
    """The engine that ``--dask`` means."""
    if dask is None:
        return without
    return "dask" if dask == "local" else dask


def power_of(text: str) -> float:
    """A number, or inf."""
    try:
        return float(text)
    except ValueError:
        raise InvalidArgument("--p", f"{text!r} is not a number.", "Use 1, 2 or inf.") from None
