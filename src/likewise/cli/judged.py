"""What ``likewise audit`` judges: a table with a clustering in it, or a run, and drawn labels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.cli.input import People
from likewise.errors import InvalidArgument

if TYPE_CHECKING:
    import polars as pl

    from likewise._typing import Array
    from likewise.similarities.pairs import PairSource

LABELS, PROBABILITIES = "--labels", "--probabilities"
DRAWN = "draw0"  # of a file that `draw` wrote, the column that is meant if none is named
Protected = dict[str, list[object]]


@dataclass(frozen=True)
class Comparison:
    """Who is compared with whom, and how."""

    similarity: str = "local"
    bound_scale: float = 1.0
    n_neighbors: int | None = None
    metric: str = "euclidean"
    divergence: str = "tv"
    within_groups: bool = False


@dataclass(frozen=True)
class Judged:
    """People, what a clustering gives to each, and what it is measured by."""

    X: "Array | pl.DataFrame"
    distributions: "Array"
    n_clusters: int
    ids: "pl.Series"
    is_named: bool  # by ids; otherwise they are rows
    protected: Protected | None
    comparison: Comparison

    @property
    def names(self) -> list[str]:
        """People, for messages."""
        return [f"{name}" if self.is_named else f"row {name}" for name in self.ids]

    def pairs(self) -> "PairSource":
        """Those that are compared, with their bounds."""
        from likewise.metrics import constrained_pairs

        told = self.comparison
        return constrained_pairs(
            self.X,
            told.similarity,
            n_clusters=self.n_clusters,
            bound_scale=told.bound_scale,
            n_neighbors=told.n_neighbors,
            metric=told.metric,
            sensitive_features=self.protected if told.within_groups else None,
        )

    def with_labels(self, path: Path, column: str | None) -> "Judged":
        """The same people with the labels that a file has for their ids."""
        labels = labels_by_id(path, column, self.ids)
        return replace(self, distributions=as_certain(labels, self.names))


def is_run(path: Path) -> bool:
    """Whether it is the folder of a run."""
    from likewise.io.run_record import RUN

    return (path / RUN).is_file()


def of_run(folder: Path, data: Path | None) -> Judged:
    """A run, judged by what it was told."""
    import polars as pl

    from likewise.report.run import read_run

    run = read_run(folder, data)
    told = run.record.parameters
    return Judged(
        run.prepared.X,
        run.distributions,
        run.n_clusters,
        pl.Series(run.ids),
        run.record.id is not None,
        {name: run.table[name].to_list() for name in run.record.protected} or None,
        Comparison(
            told.similarity,
            told.bound_scale,
            told.n_neighbors,
            told.metric,
            told.divergence,
            told.group_tolerance is not None,
        ),
    )


def of_people(people: People, distributions: "Array", comparison: Comparison) -> Judged:
    """A table with a clustering in its columns."""
    return Judged(
        people.prepared.X,
        distributions,
        distributions.shape[1],
        people.ids,
        people.id_column is not None,
        people.columns(people.protected),
        comparison,
    )


def labels_file(text: str | None) -> tuple[Path, str | None] | None:
    """(the file that --labels names, its column if that is named too: drawn.csv:draw2)."""
    if text is None:
        return None
    if Path(text).is_file():
        return Path(text), None
    name, _, column = text.rpartition(":")
    return (Path(name), column) if name and Path(name).is_file() else None


def labels_by_id(path: Path, column: str | None, ids: "pl.Series") -> "pl.Series":
    """Everybody's label, from a table with ids; nobody may be missing or there twice."""
    import polars as pl

    from likewise.io.tables import Reading, read_table

    table = read_table(path, LABELS, Reading(texts=("id",)))
    names = [name for name in table.columns if name != "id"]
    wanted = column or (names[0] if len(names) == 1 else DRAWN)
    if "id" not in table.columns or wanted not in names:
        raise InvalidArgument(
            LABELS,
            f"{path.name} has no column {'id' if 'id' not in table.columns else wanted!r}.",
            f"It has {', '.join(map(repr, table.columns))}; name one as {path.name}:COLUMN.",
        )
    known = table.select(pl.col("id").cast(pl.String), pl.col(wanted).alias("label"))
    if known["id"].is_duplicated().any():
        twice = known.filter(pl.col("id").is_duplicated())["id"][0]
        raise InvalidArgument(LABELS, f"{path.name} has {twice!r} twice.", "Give everybody one.")
    asked = pl.DataFrame({"id": ids.cast(pl.String)})
    return asked.join(known, on="id", how="left", maintain_order="left")["label"]


def as_certain(labels: "pl.Series", names: Sequence[str]) -> "Array":
    """Labels as distributions; everybody must have one."""
    import numpy as np

    from likewise._validation import as_distributions
    from likewise.io.preparation import as_text

    without = labels.is_null()
    if without.any():
        raise InvalidArgument(
            LABELS,
            f"{without.sum():,} rows have no cluster ({names[without.arg_max() or 0]}).",
            "Give each row one.",
        )
    return as_distributions(np.unique(as_text(labels), return_inverse=True)[1])
