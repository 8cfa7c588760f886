"""From a raw file to points: the chosen columns, repeated rows dropped, scaled."""

import hashlib
import sys
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import Bunch

from likewise._typing import Array
from likewise.datasets import files
from likewise.datasets.catalog import DATA_SETS, Archive, DataSet
from likewise.datasets.reading import as_protected, read_csv, read_openml
from likewise.errors import DataNotFound, InvalidArgument, unknown_name

if TYPE_CHECKING:
    import polars as pl


def load(
    name: str,
    *,
    features: Any = None,
    protected: Any = None,
    drop_repeated: bool = True,
    scale: bool = True,
    data_home: Any = None,
    download: bool = True,
) -> Bunch:
    """One of the five data sets by its name; see ``load_bank`` for the arguments."""
    if name not in DATA_SETS:
        raise unknown_name("name", name, DATA_SETS)
    data = DATA_SETS[name]
    chosen = _chosen("features", features, data.features)
    guarded = _chosen("protected", protected, data.protected)
    frame, source = _read(data, chosen, guarded, data_home, download)
    rows = _distinct_rows(frame, chosen) if drop_repeated else np.arange(len(frame))
    X = frame.select(chosen).to_numpy()[rows].astype(np.float64)
    mean, spread = np.zeros(X.shape[1]), np.ones(X.shape[1])
    if scale:
        mean, spread = X.mean(axis=0), X.std(axis=0)
        spread[spread == 0] = 1.0  # a constant column stays one
        X = (X - mean) / spread
    return Bunch(
        data=X,
        feature_names=chosen,
        sensitive_features={each: frame[as_protected(each)].to_numpy()[rows] for each in guarded},
        sensitive_names=guarded,
        rows=rows,
        mean=mean,
        scale=spread,
        source=source,
        DESCR=_description(data, X.shape, len(frame), source),
    )


def digest(frame: "pl.DataFrame") -> str:
    """SHA-256 of what was read: the same whatever file or archive it came in."""
    total = hashlib.sha256()
    for column in frame.get_columns():
        values = column.to_numpy()
        if column.dtype.is_numeric():
            total.update(np.ascontiguousarray(values, dtype="<f8").tobytes())
        else:
            total.update("\n".join(values.tolist()).encode())
    return total.hexdigest()


def _read(
    data: DataSet, features: list[str], protected: list[str], data_home: Any, download: bool
) -> tuple["pl.DataFrame", str]:
    """The columns of the first source that has them, and which that was."""
    path = files.find(data, files.folder_of(data_home))
    progress = sys.stderr.isatty()
    if path is None and not download:
        raise DataNotFound(
            f"{data.name}: no {' or '.join(data.files)} in data_home or {files.FOLDER_VARIABLE}."
            " Put it there, or allow download=True."
        )
    if path is None and isinstance(data.source, Archive):
        path = files.downloaded(data.source, data.name, progress)
    if path is not None:
        with files.opened(path) as file:
            return read_csv(file, data, features, protected), str(path)
    frame = read_openml(data, features, protected, progress)
    source = f"OpenML {data.source.data_id}"  # type: ignore[union-attr]
    as_published = (tuple(features), tuple(protected)) == (data.features, data.protected)
    if as_published and data.contents is not None and digest(frame) != data.contents:
        warnings.warn(
            f"{data.name}: {source} no longer has the rows that the paper was written on; results"
            " will differ from its.",
            stacklevel=4,
        )
    return frame, source


def _distinct_rows(frame: "pl.DataFrame", features: list[str]) -> Array:
    """The first of each kind, in the file's order."""
    kept = (
        frame.select(features)
        .with_row_index("__row")
        .unique(subset=features, keep="first", maintain_order=True)
    )
    return kept["__row"].to_numpy().astype(np.int64)


def _chosen(argument: str, wanted: Any, default: tuple[str, ...]) -> list[str]:
    if wanted is None:
        return list(default)
    if isinstance(wanted, str):
        raise InvalidArgument(argument, f"{wanted!r} is one name.", "Pass a list of names.")
    names = [str(name) for name in wanted]
    if not names and argument == "features":
        raise InvalidArgument(argument, "there are none.", "Name at least one column.")
    return names


def _description(data: DataSet, shape: tuple[int, int], n_rows: int, source: str) -> str:
    return (
        f"{data.title}\n\n{shape[0]:,} rows of {n_rows:,}, {shape[1]} features, protected:"
        f" {', '.join(data.protected)}. Read from {source}."
    )
