"""JSON files: readable, and read back by key and kind.

Infinity and NaN have no place in JSON: ``null`` is written for them.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np

from likewise.errors import InvalidArgument
from likewise.io.atomic import write_atomically

JsonValue: TypeAlias = "dict[str, JsonValue] | list[JsonValue] | str | int | float | bool | None"
Kind = TypeVar("Kind", bound=object)

_REMEDY = "Name a folder as `likewise` wrote it, or run the command again."
_IN_WORDS: dict[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def plain(value: object) -> JsonValue:
    """numpy's values as Python's, keys as text, numbers that are none (NaN, infinity) as null."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def write_json(path: Path, values: Mapping[str, object]) -> None:
    """Indented, in UTF-8."""
    text = json.dumps(plain(values), indent=2, allow_nan=False, ensure_ascii=False)
    write_atomically(path, f"{text}\n".encode())


def read_json(path: Path) -> "Fields":
    """The object that a file holds."""
    if not path.is_file():
        raise FileNotFoundError(
            f"{path.parent}: there is no {path.name}. Name the folder of a run."
        )
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as problem:
        raise InvalidArgument(str(path), f"it is not JSON ({problem}).", _REMEDY) from problem
    if not isinstance(values, dict):
        raise InvalidArgument(str(path), "it is not an object with keys.", _REMEDY)
    return Fields(path, values)


@dataclass(frozen=True)
class Fields:
    """An object in a JSON file. A key that is missing, or of another kind than asked for, is an
    error that names the file and the key.
    """

    file: Path
    values: dict[str, JsonValue]
    within: str = ""  # the keys that lead to it: "parameters." or "columns[2]."

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def get(self, key: str, kind: type[Kind]) -> Kind:
        """The value of a key; a whole number will do for a number."""
        if key not in self.values:
            raise InvalidArgument(str(self.file), f"{self.within + key!r} is missing.", _REMEDY)
        return self._checked(self.within + key, self.values[key], kind)

    def maybe(self, key: str, kind: type[Kind]) -> Kind | None:
        """The same for a key that must be there but may be null."""
        if key in self and self.values[key] is None:
            return None
        return self.get(key, kind)

    def number_or_infinity(self, key: str) -> float:
        """A number that is written as null when it is infinite: p of k-center."""
        value = self.maybe(key, float)
        return math.inf if value is None else value

    def each(self, key: str, kind: type[Kind]) -> tuple[Kind, ...]:
        """A list of one kind."""
        values = self.get(key, list)
        names = [f"{self.within}{key}[{place}]" for place in range(len(values))]
        return tuple(self._checked(*named, kind) for named in zip(names, values, strict=True))

    def inner(self, key: str) -> "Fields":
        """An object within this one."""
        return Fields(self.file, self.get(key, dict), f"{self.within}{key}.")

    def each_inner(self, key: str) -> "tuple[Fields, ...]":
        """A list of objects."""
        return tuple(
            Fields(self.file, values, f"{self.within}{key}[{place}].")
            for place, values in enumerate(self.each(key, dict))
        )

    def by_key(self, kind: type[Kind]) -> dict[str, Kind]:
        """All values, of one kind, by their keys."""
        return {key: self.get(key, kind) for key in self.values}

    def _checked(self, name: str, value: object, kind: type[Kind]) -> Kind:
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            problem = f"{name!r} is not {_IN_WORDS[kind]}."
            raise InvalidArgument(str(self.file), problem, _REMEDY)
        return value
