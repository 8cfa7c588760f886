"""Some new rows: who has a place among the fitted people, and the distribution of each."""

import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from likewise._typing import Array
from likewise.assigning.run import LaterPeople
from likewise.estimator import LikewiseClustering
from likewise.io.preparation.placing import Refusal, place
from likewise.io.rows import row_numbers
from likewise.prediction.predictor import assigned

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class AssignedBlock:
    """Those who have a place, in order, and those who have none."""

    ids: "pl.Series"
    labels: Array
    distributions: Array
    factors: Array  # by which their bounds had to be multiplied; 1: kept
    refused: tuple[Refusal, ...]
    refused_ids: tuple[object, ...]
    warnings: tuple[str, ...]


def assign_block(table: "pl.DataFrame", later: LaterPeople, start: int) -> AssignedBlock:
    """The rows of a table that begins at place ``start`` of the whole one."""
    model = _loaded(later.model_path, later.model_written)
    placed = place(table, later.columns, later.numbers)
    ids, rows = _ids(table, later.id_column, start), placed.rows
    groups = {name: table[name][rows].to_list() for name in later.groups} or None
    labels, x, factors = _nobody(later.n_clusters)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if len(rows):
            found, labels = assigned(model, placed.X, groups)
            x, factors = found.distributions, found.factors
    return AssignedBlock(
        ids[rows],
        labels,
        x,
        factors,
        tuple(Refusal(start + each.place, *_rest(each)) for each in placed.refused),
        tuple(ids[each.place] for each in placed.refused),
        tuple(str(each.message) for each in caught),
    )


def _rest(refusal: Refusal) -> tuple[str, str | None, str]:
    return refusal.column, refusal.value, refusal.reason


def _nobody(k: int) -> tuple[Array, Array, Array]:
    return np.empty(0, dtype=np.int64), np.empty((0, k)), np.empty(0)


def _ids(table: "pl.DataFrame", id_column: str | None, start: int) -> "pl.Series":
    """The column that names people, or the numbers of their rows in the file."""
    import polars as pl

    if id_column is not None and id_column in table.columns:
        return table[id_column]
    return pl.Series(row_numbers(start + np.arange(len(table))))


@lru_cache(maxsize=1)
def _loaded(path: str, written: int) -> LikewiseClustering:
    """Once in a process, for all of its blocks."""
    return LikewiseClustering.load(path)
