"""From a raw file to points: the chosen columns, repeated rows dropped, scaled."""

import hashlib
import sys
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypedDict

import numpy as np
from sklearn.utils import Bunch

from likewise._typing import Array
from likewise.datasets import files
from likewise.datasets.catalog import DATA_SETS, DataSet, OpenML
from likewise.datasets.files import PathLike
from likewise.datasets.reading import as_protected, read_csv, read_openml
from likewise.errors import DataNotFound, InvalidArgument, require_extra, unknown_name

if TYPE_CHECKING:
    import polars as pl


class LoadOptions(TypedDict, total=False):
    """What ``load`` takes besides the name; see ``load_bank``."""

    features: Iterable[str] | None
    protected: Iterable[str] | None
    drop_repeated: bool
    scale: bool
    data_home: PathLike | None
    download: bool


def load(
    name: str,
    *,
    features: Iterable[str] | None = None,
    protected: Iterable[str] | None = None,
    drop_repeated: bool = True,
    scale: bool = True,
    data_home: PathLike | None = None,
    download: bool = True,
) -> Bunch:
    """One of the five data sets by its name; see ``load_bank`` for the arguments."""
    if name not in DATA_SETS:
        raise unknown_name("name", name, DATA_SETS)
    require_extra("datasets", "likewise.datasets")
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
    data: DataSet,
    features: list[str],
    protected: list[str],
    data_home: PathLike | None,
    download: bool,
) -> tuple["pl.DataFrame", str]:
    """The columns of the first source that has them, and which that was."""
    path = files.find(data, files.folder_of(data_home))
    if path is None and not download:
        raise DataNotFound(
            f"{data.name}: no {' or '.join(data.files)} in data_home or {files.FOLDER_VARIABLE}."
            " Put it there, or allow download=True."
        )
    if path is None:
        progress = sys.stderr.isatty()
        if isinstance(data.source, OpenML):
            frame = read_openml(data, data.source, features, protected, progress)
            source = f"OpenML {data.source.data_id}"
            if (tuple(features), tuple(protected)) == (data.features, data.protected):
                _check_contents(data, frame, source)
            return frame, source
        path = files.downloaded(data.source, data.name, progress)
    with files.opened(path) as file:
        return read_csv(file, data, features, protected), str(path)


def _check_contents(data: DataSet, frame: "pl.DataFrame", source: str) -> None:
    """Warn if the columns that the paper chose are not what they were."""
    if data.contents is not None and digest(frame) != data.contents:
        warnings.warn(
            f"{data.name}: {source} no longer has the rows that the paper was written on; results"
            " will differ from its.",
            stacklevel=5,
        )


def _distinct_rows(frame: "pl.DataFrame", features: list[str]) -> Array:
    """The first of each kind, in the file's order."""
    kept = (
        frame.select(features)
        .with_row_index("__row")
        .unique(subset=features, keep="first", maintain_order=True)
    )
    return kept["__row"].to_numpy().astype(np.int64)


def _chosen(argument: str, wanted: Iterable[str] | None, default: tuple[str, ...]) -> list[str]:
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
