"""Columns of raw files as arrays: only those asked for, in bounded memory."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from likewise._typing import Array
from likewise.datasets.catalog import DataSet, OpenML
from likewise.datasets.files import cache_folder, not_reached
from likewise.errors import InvalidArgument

if TYPE_CHECKING:
    import polars as pl

MISSING = "?"  # a protected value that is missing, as these files write it
LISTED = 80  # column names in a message, at most


def as_protected(name: str) -> str:
    """What a protected column is called here: it may be a feature as well."""
    return f"protected {name}"


def read_csv(
    path: Path, data: DataSet, features: list[str], protected: list[str]
) -> "pl.DataFrame":
    """Features as numbers, protected columns as text; batch by batch, whatever the file's size."""
    import polars as pl

    names = _first_line(path, data.separator)
    headed = bool(set(names) & {*data.features, *data.protected})
    if not headed:
        names = list(data.header or names)
    stored = _stored_names([*features, *protected], names, data, str(path))
    scanned = pl.scan_csv(
        path,
        separator=data.separator,
        has_header=headed,
        new_columns=None if headed else names,
        infer_schema=False,  # text as it stands: blanks after commas make no difference
    )
    numbers = [
        pl.col(stored[name]).str.strip_chars().cast(pl.Float64).alias(name) for name in features
    ]
    text = [
        pl.col(stored[name]).str.strip_chars().fill_null(MISSING).alias(as_protected(name))
        for name in protected
    ]
    blank = pl.all_horizontal(pl.col(*set(stored.values())).is_null())  # lines at the end
    try:
        return scanned.filter(~blank).select(*numbers, *text).collect(engine="streaming")
    except pl.exceptions.InvalidOperationError as problem:
        raise InvalidArgument(
            "features", f"{path} has values that are no numbers ({problem}).", "Drop the column."
        ) from problem


def read_openml(
    data: DataSet, source: OpenML, features: list[str], protected: list[str], progress: bool
) -> "pl.DataFrame":
    """The same columns from OpenML's copy; scikit-learn downloads, checks and keeps it."""
    import polars as pl
    from sklearn.datasets import fetch_openml

    with _waiting(f"downloading {data.name} from OpenML", progress):
        try:
            bunch = fetch_openml(
                data_id=source.data_id,
                as_frame=False,
                parser="liac-arff",
                data_home=str(cache_folder().parent),
                n_retries=2,
            )
        except OSError as problem:
            raise not_reached(data.name, "OpenML", problem) from problem
    names = list(bunch.feature_names)
    stored = {name: source.renamed.get(name, name) for name in [*features, *protected]}
    numbers: dict[str, Array] = {}
    text: dict[str, list[str]] = {}
    for name, theirs in stored.items():
        values = bunch.data[source.first_row :, names.index(theirs)]
        if name in protected:
            text[as_protected(name)] = _as_text(values, (bunch.categories or {}).get(theirs))
        if name in features:
            numbers[name] = np.asarray(values, dtype=np.float64)
    return pl.DataFrame({**numbers, **text})


def _as_text(values: Array, categories: Sequence[object] | None) -> list[str]:
    """Codes as the words they stand for, whole numbers as the file writes them."""
    numbers = np.asarray(values, dtype=np.float64)
    if categories is None:
        return [MISSING if np.isnan(number) else f"{number:g}" for number in numbers]
    words = [str(word).strip() for word in categories]
    return [MISSING if np.isnan(number) else words[int(number)] for number in numbers]


def _first_line(path: Path, separator: str) -> list[str]:
    with path.open(encoding="utf-8-sig") as file:
        return [name.strip().strip('"') for name in file.readline().split(separator)]


def _stored_names(wanted: list[str], names: list[str], data: DataSet, where: str) -> dict[str, str]:
    stored = {}
    for name in wanted:
        choices = [name, data.aliases.get(name, name)]
        found = next((choice for choice in choices if choice in names), None)
        if found is None:
            raise InvalidArgument(
                "features or protected",
                f"{where} has no column {name!r}.",
                f"It has {', '.join(names[:LISTED])}.",
            )
        stored[name] = found
    return stored


def _waiting(message: str, progress: bool) -> AbstractContextManager[object]:
    if not progress:
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(message)
