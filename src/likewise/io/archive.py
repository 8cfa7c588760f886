"""One file of arrays and JSON: plain data, versioned and checked, never code.

A zip archive: ``content.json`` has the values, with a reference where an array stands; the arrays
are NumPy's own files beside it; ``sha256`` is the checksum of all of them. Reading runs nothing
that is in the file, so a file from elsewhere may be wrong but not dangerous.

What JSON lacks is written as an object with one key: ``{"$array": 3}``, ``{"$sparse": [...]}``,
``{"$tuple": [...]}``, ``{"$map": [[key, value], ...]}``, ``{"$float": "inf"}`` and
``{"$date": "2020-02-29"}``.
"""

import hashlib
import io
import json
import math
import zipfile
from collections.abc import Callable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import TypeAlias

import numpy as np
from scipy import sparse

from likewise import __version__
from likewise._typing import Array
from likewise.errors import InvalidArgument
from likewise.io.atomic import write_atomically
from likewise.io.json_values import JsonValue

FORMAT, VERSION = "likewise archive", 1  # a file of a later version is refused
_CONTENT, _CHECKSUM = "content.json", "sha256"
_CREATED = (1980, 1, 1, 0, 0, 0)  # the same content is the same file, whenever it is written

Values: TypeAlias = Mapping[str, object]


def write_archive(path: Path, kind: str, values: Values) -> None:
    """Write values (plain ones, arrays, sparse matrices, and lists, tuples and mappings of them),
    whole or not at all; ``kind`` says what they are of. What is no data is refused by its name.
    """
    arrays: list[Array] = []
    body = {name: _packed(name, value, arrays) for name, value in values.items()}
    head: dict[str, JsonValue] = {
        "format": FORMAT,
        "version": VERSION,
        "likewise": __version__,
        "kind": kind,
        "values": body,
    }
    members = {_CONTENT: json.dumps(head, allow_nan=False).encode()}
    members |= {_name(number): _as_bytes(array) for number, array in enumerate(arrays)}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in (members | {_CHECKSUM: _checksum(members).encode()}).items():
            archive.writestr(zipfile.ZipInfo(name, _CREATED), content)
    write_atomically(path, buffer.getvalue())


def read_archive(path: Path, kind: str) -> dict[str, object]:
    """What ``write_archive`` was given; an error says what is wrong with the file."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file.")
    try:
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        head = json.loads(members[_CONTENT])
        written_as = head["format"], head["kind"]
        version, by = int(head["version"]), str(head["likewise"])
    except Exception as problem:  # a damaged archive can raise anything
        raise _refusal(path, f"it is no {kind} that likewise wrote, or it is damaged") from problem
    if written_as != (FORMAT, kind):
        raise _refusal(path, f"it holds a {written_as[1]}, not a {kind}")
    if version > VERSION:
        raise _refusal(path, f"it was written by likewise {by}; this is {__version__}")
    if members.pop(_CHECKSUM, b"").decode(errors="replace") != _checksum(members):
        raise _refusal(path, "it is damaged: something in it is missing or has changed")
    try:
        return {name: _unpacked(value, members) for name, value in head["values"].items()}
    except Exception as problem:
        raise _refusal(path, f"it cannot be read ({problem})") from problem


def _refusal(path: Path, problem: str) -> InvalidArgument:
    return InvalidArgument(str(path), f"{problem}.", "Name a file as it was saved, or save again.")


def _name(number: int) -> str:
    return f"arrays/{number}.npy"


def _as_bytes(array: Array) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _checksum(members: Mapping[str, bytes]) -> str:
    """Of the names and contents of all members."""
    digest = hashlib.sha256()
    for name in sorted(members):
        digest.update(f"{name}\0{len(members[name])}\0".encode() + members[name])
    return digest.hexdigest()


def _packed(name: str, value: object, arrays: list[Array]) -> JsonValue:
    """As JSON; arrays are put aside and referred to by their number."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$float": str(value)}
    if isinstance(value, date):  # and a time of day, which is a kind of it
        return {"$date": value.isoformat()}
    if isinstance(value, list | tuple):
        inner: list[JsonValue] = [_packed(name, each, arrays) for each in value]
        return {"$tuple": inner} if isinstance(value, tuple) else inner
    if isinstance(value, Mapping):
        return {"$map": [_packed_item(name, key, each, arrays) for key, each in value.items()]}
    if isinstance(value, sparse.sparray | sparse.spmatrix):
        rows = sparse.csr_array(value)
        parts = (rows.data, rows.indices, rows.indptr, rows.shape)
        return {"$sparse": [_packed(name, part, arrays) for part in parts]}
    if isinstance(value, np.ndarray) and value.dtype != object:
        arrays.append(value)
        return {"$array": len(arrays) - 1}
    raise InvalidArgument(
        name,
        f"a {type(value).__name__} is not plain data and cannot be saved.",
        "Use numbers, names and arrays there, or pickle the model, which only you should open.",
    )


def _packed_item(name: str, key: object, value: object, arrays: list[Array]) -> list[JsonValue]:
    """A key and its value, which is called by the key if that is a name."""
    called = key if isinstance(key, str) else name
    return [_packed(name, key, arrays), _packed(called, value, arrays)]


def _unpacked(value: JsonValue, members: Mapping[str, bytes]) -> object:
    if isinstance(value, list):
        return [_unpacked(each, members) for each in value]
    if not isinstance(value, dict):
        return value
    ((tag, inner),) = value.items()
    return _TAGS[tag](inner, members)


def _array(inner: JsonValue, members: Mapping[str, bytes]) -> Array:
    assert isinstance(inner, int)
    read = np.lib.format.read_array(io.BytesIO(members[_name(inner)]), allow_pickle=False)
    return np.asarray(read)


def _sparse(inner: JsonValue, members: Mapping[str, bytes]) -> sparse.csr_array:
    assert isinstance(inner, list)
    data, indices, indptr, shape = (_unpacked(each, members) for each in inner)
    return sparse.csr_array((data, indices, indptr), shape=shape)


def _tuple(inner: JsonValue, members: Mapping[str, bytes]) -> tuple[object, ...]:
    assert isinstance(inner, list)
    return tuple(_unpacked(each, members) for each in inner)


def _map(inner: JsonValue, members: Mapping[str, bytes]) -> dict[object, object]:
    assert isinstance(inner, list)
    found: dict[object, object] = {}
    for item in inner:
        assert isinstance(item, list)
        key, value = (_unpacked(each, members) for each in item)
        found[key] = value
    return found


def _date(text: str) -> date:
    return (
        date.fromisoformat(text) if len(text) == len("2020-02-29") else datetime.fromisoformat(text)
    )


_TAGS: dict[str, Callable[[JsonValue, Mapping[str, bytes]], object]] = {
    "$array": _array,
    "$sparse": _sparse,
    "$tuple": _tuple,
    "$map": _map,
    "$float": lambda inner, members: float(str(inner)),
    "$date": lambda inner, members: _date(str(inner)),
}
