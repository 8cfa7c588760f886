"""Options that several commands share, and what their texts mean."""

from pathlib import Path
from typing import Annotated

import typer

from likewise.errors import InvalidArgument

# what is read and written
TableFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A CSV or Parquet file, or a folder of the latter.")
]
RunFolder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder that `fit` left.")]
OutFolder = Annotated[Path, typer.Option("--out", "-o", help="Folder for the results.")]

# what the columns of a table are, and how they become numbers
Features = Annotated[
    str | None,
    typer.Option(help="Columns to cluster on, commas between; default: all that are left."),
]
Protected = Annotated[str | None, typer.Option(help="Protected columns, commas between.")]
IdColumn = Annotated[
    str | None, typer.Option("--id", help="Column that names people; default: row numbers.")
]
NoScale = Annotated[bool, typer.Option("--no-scale", help="Take numbers as they are.")]
NoOneHot = Annotated[bool, typer.Option("--no-one-hot", help="Refuse columns of text.")]
DropMissing = Annotated[
    bool, typer.Option("--drop-missing", help="Leave out rows with missing features.")
]

# what is clustered and how
Clusters = Annotated[int, typer.Option("--clusters", "-k", min=1, help="How many centres.")]
Power = Annotated[str, typer.Option("--p", help="1: k-median, 2: k-means, inf: k-center.")]
Metric = Annotated[str, typer.Option(help="How distances are measured.")]
Similarity = Annotated[str, typer.Option(help="global or local: how alike people count as.")]
Neighbors = Annotated[
    int | None, typer.Option(min=1, help="Compare only with this number of nearest neighbours.")
]
Divergence = Annotated[
    str, typer.Option(help="How treatments are compared: tv, kl, hellinger, max-ratio, ...")
]
Seed = Annotated[int, typer.Option(help="Makes the choice of centres repeatable.")]
Dask = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS|local",
        help="Work on a Dask cluster: its scheduler's address, or local for this machine's cores.",
    ),
]

# what is shown
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for machines.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]


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
