"""What the folder of a run keeps for people who come later."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from likewise.estimator import LikewiseClustering
from likewise.io.number_format import PLAIN, NumberFormat
from likewise.io.preparation import Column
from likewise.io.preparation.placing import check_columns_there
from likewise.io.run_folder import model_file
from likewise.io.run_record import RunRecord


@dataclass(frozen=True)
class LaterPeople:
    """How new rows become points, whose groups decide, and where the model is."""

    model_path: str
    model_written: int  # when: another run may take the place of this one
    columns: tuple[Column, ...]
    groups: tuple[str, ...]  # protected columns, where they decide who is compared
    id_column: str | None
    n_clusters: int
    numbers: NumberFormat = PLAIN  # how numbers are written in their table

    @classmethod
    def of(cls, folder: Path, id_column: str | None = None) -> "LaterPeople":
        """From the folder of a run; ``id_column``: which names the new people, if not that of the
        run.
        """
        record = RunRecord.read(folder)
        path = model_file(folder)
        model = LikewiseClustering.load(path)
        return cls(
            str(path.resolve()),
            path.stat().st_mtime_ns,
            record.columns,
            record.protected if model.compares_within_groups else (),
            id_column or record.id,
            model.n_clusters,
        )

    @property
    def needed(self) -> tuple[str, ...]:
        """Columns that there must be."""
        return (*(column.name for column in self.columns), *self.groups)

    def check(self, there: Sequence[str]) -> None:
        """Raise if a table with these columns lacks one."""
        check_columns_there(self.needed, there)

    def read(self, there: Sequence[str]) -> tuple[str, ...]:
        """Of a table with these columns, those that are read: ids only if they are there."""
        ids = [name for name in [self.id_column] if name in there and name not in self.needed]
        return tuple(dict.fromkeys((*self.needed, *map(str, ids))))

    @property
    def texts(self) -> tuple[str, ...]:
        """Columns that are read as text."""
        categories = [column.name for column in self.columns if column.kind in ("category", "text")]
        return tuple(dict.fromkeys((*categories, *filter(None, [self.id_column]))))
