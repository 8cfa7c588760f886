"""Options that several commands share, and what their texts mean."""

from collections.abc import Sequence
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
Force = Annotated[bool, typer.Option("--force", help="Replace an earlier result.")]

# what the columns of a table are, and how they become numbers
Names = list[str] | None  # as the options below are given: several times, or with commas between
Features = Annotated[
    Names,
    typer.Option(
        metavar="COLUMNS",
        help="Columns that people are compared by: commas between, or the option again. Default:"
        " all that no other option names, but ids, codes and dates.",
    ),
]
Exclude = Annotated[
    Names, typer.Option(metavar="COLUMNS", help="Columns that people are not compared by.")
]
Categorical = Annotated[
    Names,
    typer.Option(
        metavar="COLUMNS",
        help="Columns to take as text, one column a value, even if they are numbers: zip codes.",
    ),
]
Protected = Annotated[
    Names,
    typer.Option(metavar="COLUMNS", help="Protected columns: commas between, or the option again."),
]
IdColumn = Annotated[
    str | None,
    typer.Option("--id", metavar="COLUMN", help="Column that names people; default: row numbers."),
]
NoScale = Annotated[bool, typer.Option("--no-scale", help="Take numbers as they are.")]
NoOneHot = Annotated[bool, typer.Option("--no-one-hot", help="Refuse columns of text.")]
DropMissing = Annotated[
    bool, typer.Option("--drop-missing", help="Leave out rows with missing features.")
]
Decimal = Annotated[
    str, typer.Option(metavar="MARK", help="What begins decimals in the file: a point or a comma.")
]
Thousands = Annotated[
    str | None,
    typer.Option(
        metavar="MARK",
        help="What groups thousands in the file: a comma, point, space or apostrophe, in quotes."
        " Default: nothing.",
    ),
]

# what is clustered and how
Clusters = Annotated[int, typer.Option("--clusters", "-k", min=1, help="How many centres.")]
Power = Annotated[str, typer.Option("--p", help="1: k-median, 2: k-means, inf: k-center.")]


def _metric(name: str) -> str:
    """The name, unless the table that the command prepares is not what the metric is for."""
    if name == "gower":
        raise InvalidArgument(
            "metric",
            "'gower' is for tables as they are, but this command spreads categories over columns"
            " of 0 and 1.",
            "Use LikewiseClustering(metric='gower') in Python, or another metric here.",
        )
    return name


Metric = Annotated[
    str,
    typer.Option(
        help="How distances are measured: euclidean, manhattan, cosine, ...", callback=_metric
    ),
]
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


def split(texts: Names) -> list[str]:
    """Names with commas between."""
    names = [name.strip() for text in texts or () for name in text.split(",")]
    return [name for name in names if name]


def named(option: str, texts: Names | str, columns: Sequence[str]) -> tuple[str, ...]:
    """The columns that an option names: one, or several. Of several, a text that is a column's name
    is that column, commas and all; otherwise it is names with commas between.
    """
    from likewise.io.preparation import check_columns

    several = [] if isinstance(texts, str) else texts or []
    parts = [[text] if text in columns else split([text]) for text in several]
    names = (texts,) if isinstance(texts, str) else tuple(name for part in parts for name in part)
    check_columns(option, names, columns)
    return names


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
