"""Options that several commands share, and what their texts mean."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from likewise.errors import InvalidArgument

# what is read and written
TableFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A CSV, TSV (.gz too) or Parquet file, or a folder of the latter."
    ),
]
RunFolder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder that `fit` left.")]
OutFolder = Annotated[Path, typer.Option("--out", "-o", help="Folder for the results.")]
Format = Annotated[
    Literal["parquet", "csv"], typer.Option("--format", help="How probabilities are written.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace an earlier result.")]

# what the columns of a table are, and how they become numbers
Names = list[str] | None  # as the options below are given: several times, or with commas between
Features = Annotated[
    Names,
    typer.Option(
        metavar="COLUMNS",
        help="Columns that people are compared by: commas between, or the option again. Default:"
        " all that no other option names, but ids and codes.",
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
    str | None,
    typer.Option(
        metavar="MARK",
        help="What begins decimals in the file: a point or a comma. Default: told by the file.",
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Encoding of the file: utf-8, cp1252, ... Default: told by the file."
    ),
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


Metric = Annotated[
    str,
    typer.Option(
        help="How distances are measured: euclidean, manhattan, cosine, ...; gower: numbers, text"
        " and gaps as they are."
    ),
]
Similarity = Annotated[
    str,
    typer.Option(
        help="How alike people count as, by their distance as a share of: the radius of a cluster's"
        " worth of others (local), or the largest distance in the data (global)."
    ),
]
BoundScale = Annotated[
    float,
    typer.Option(
        min=0, help="Strictness: all bounds times this. 0.5 is stricter, 2 is more lenient."
    ),
]
Neighbors = Annotated[
    int | None, typer.Option(min=1, help="Compare only with this number of nearest neighbours.")
]
Divergence = Annotated[
    str, typer.Option(help="How treatments are compared: tv, kl, hellinger, max-ratio, ...")
]
GroupTolerance = Annotated[
    float | None,
    typer.Option(
        help="Keep each protected group's share of every cluster between 1 - this and"
        " 1 / (1 - this) times its share of everybody."
    ),
]
Tolerance = Annotated[float, typer.Option("--tol", help="Certified gap that is good enough.")]
MaxTime = Annotated[
    float | None, typer.Option(help="Seconds after which the best so far is taken.")
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

Yes = Annotated[
    bool, typer.Option("--yes", help="Begin even if the estimate is more than an hour.")
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


def refinements_of(text: str) -> int | str:
    """A whole number, or auto."""
    if text == "auto":
        return text
    if not text.isdecimal():
        raise InvalidArgument(
            "--max-refine", f"{text!r} is no such number.", "Use auto or a whole number from 0."
        )
    return int(text)


def power_of(text: str) -> float:
    """A number, or inf."""
    try:
        return float(text)
    except ValueError:
        raise InvalidArgument("--p", f"{text!r} is not a number.", "Use 1, 2 or inf.") from None


def numbers_of_clusters(text: str) -> list[int]:
    """2:12 is 2 to 12; 3 alone, and 2,4,8, are those."""
    try:
        parts = [[int(end) for end in part.split(":")] for part in text.split(",")]
        found = [k for part in parts for k in range(part[0], part[-1] + 1)]
    except ValueError:
        found = []
    if not found or min(found) < 1:
        raise InvalidArgument("--clusters", f"{text!r} is no range.", "Use 2:12, or 2,4,8.")
    return sorted(set(found))
