"""Protected groups: who belongs to which, read from whatever users have.

A group is everyone with the same value of a protected attribute. With several attributes, groups
overlap. Missing values are a group of their own, whose value is None, unless they are refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import narwhals.stable.v1 as nw
import numpy as np
from scipy import sparse

from likewise._typing import Array
from likewise.errors import InvalidArgument, unknown_name

GroupName = tuple[object, object]  # (attribute, value)
Column = Sequence[object] | Array  # the values of an attribute, one per row
MISSING = ("group", "error")
_FORMS = (
    "Pass one value a row: a list, array or Series for one attribute; a two-dimensional array,"
    " dict or data frame for several."
)


@dataclass(frozen=True)
class Groups:
    """Named groups of rows; ``member[j, r]`` is 1 where row j belongs to group r."""

    names: tuple[GroupName, ...]
    member: sparse.csr_array

    def __post_init__(self) -> None:
        if self.member.shape[1] != len(self.names):
            raise InvalidArgument(
                "groups",
                f"{len(self.names)} names for {self.member.shape[1]} groups.",
                "Give every column of the membership matrix its (attribute, value).",
            )
        for name, size in zip(self.names, self.sizes, strict=True):
            if size == 0:
                raise InvalidArgument(
                    "groups", f"{describe(name)} has no members.", "Leave it out."
                )

    def __len__(self) -> int:
        return len(self.names)

    @property
    def n_points(self) -> int:
        return int(self.member.shape[0])

    @cached_property
    def sizes(self) -> Array:
        """How many rows belong to each group."""
        return np.bincount(self.member.indices, minlength=self.member.shape[1])

    def weights(self, sample_weight: Array) -> Array:
        """What the members of each group weigh together."""
        return np.asarray(self.member.T @ sample_weight)

    def shares(self, sample_weight: Array) -> Array:
        """Each group's share of the data."""
        total = sample_weight.sum()
        return np.minimum(self.weights(sample_weight) / (total if total > 0 else 1.0), 1.0)

    def masses(self, distributions: Array, sample_weight: Array) -> tuple[Array, Array]:
        """(groups, k) and (k,): what each group, and everybody, brings to each cluster."""
        mass = sample_weight[:, None] * distributions
        return np.asarray(self.member.T @ mass), mass.sum(axis=0)

    def among(self, rows: Array) -> "Groups":
        """The groups of these rows only, as far as they have members."""
        member = self.member[rows]
        kept = np.flatnonzero(np.bincount(member.indices, minlength=len(self)) > 0)
        names = tuple(self.names[number] for number in kept)
        return Groups(names, sparse.csr_array(member[:, kept]))

    def rows(self, group: int) -> Array:
        """The members of a group."""
        column = self._by_group
        return np.asarray(column.indices[column.indptr[group] : column.indptr[group + 1]])

    @cached_property
    def _by_group(self) -> sparse.csc_array:
        return self.member.tocsc()

    @property
    def row_of_entry(self) -> Array:
        """The row of each entry of ``member.indices``."""
        return np.repeat(np.arange(self.n_points), np.diff(self.member.indptr))

    @cached_property
    def masks(self) -> Array:
        """(n, words) bits: two rows share a group where their bits have one in common."""
        words = max(1, -(-len(self) // 64))
        masks = np.zeros((self.n_points, words), dtype=np.uint64)
        row = self.row_of_entry
        word, bit = np.divmod(self.member.indices, 64)
        np.bitwise_or.at(masks, (row, word), np.uint64(1) << bit.astype(np.uint64))
        return masks

    def in_common(self, i: Array, j: Array) -> Array:
        """Whether the rows i and j share a group, pair by pair."""
        return np.asarray((self.masks[i] & self.masks[j]).any(axis=1))

    def table(self, start: int, stop: int) -> Array:
        """Whether they share a group: rows start..stop against every row."""
        shared = np.zeros((stop - start, self.n_points), dtype=bool)
        for word in self.masks.T:
            shared |= (word[start:stop, None] & word) != 0
        return shared

    def masks_as(self, others: "Groups") -> Array:
        """Bits as those of ``others``, for groups of the same name; the rest have none."""
        place = {name: number for number, name in enumerate(others.names)}
        masks = np.zeros((self.n_points, others.masks.shape[1]), dtype=np.uint64)
        for number, name in enumerate(self.names):
            if name in place:
                word, bit = divmod(place[name], 64)
                masks[self.rows(number), word] |= np.uint64(1) << np.uint64(bit)
        return masks

    @property
    def attributes(self) -> tuple[object, ...]:
        """The protected attributes, each once."""
        return tuple(dict.fromkeys(attribute for attribute, _ in self.names))

    def unknown_to(self, others: "Groups") -> list[int]:
        """The groups that have no namesake among ``others``."""
        known = set(others.names)
        return [number for number, name in enumerate(self.names) if name not in known]

    def table_with(self, others: "Groups") -> Array:
        """Whether they share a group of the same name: these rows against those of ``others``."""
        place = {name: number for number, name in enumerate(others.names)}
        shared = np.zeros((self.n_points, others.n_points), dtype=bool)
        member = self.member.toarray() > 0
        for number, name in enumerate(self.names):
            if name in place:
                theirs = np.zeros(others.n_points, dtype=bool)
                theirs[others.rows(place[name])] = True
                shared |= member[:, number, None] & theirs[None, :]
        return shared

    @staticmethod
    def from_features(features: object, n_points: int, missing: str = "group") -> "Groups":
        """The groups of these protected attributes; ``n_points`` rows are expected."""
        check_missing(missing)
        names: list[GroupName] = []
        codes = []
        for attribute, values in _attributes(features).items():
            found, code = _encode(_check_length(attribute, values, n_points))
            if missing == "error" and None in found:
                raise InvalidArgument(
                    "sensitive_features",
                    f"{attribute!r} is missing in {np.sum(code == found.index(None))} rows.",
                    "Fill them in, or use missing_sensitive='group': a group of their own.",
                )
            codes.append(code + len(names))
            names += [(attribute, value) for value in found]
        column = np.column_stack(codes).astype(np.int32)
        starts = np.arange(n_points + 1, dtype=np.int32) * column.shape[1]
        ones = np.ones(column.size)
        shape = (n_points, len(names))
        return Groups(tuple(names), sparse.csr_array((ones, column.ravel(), starts), shape=shape))


def check_missing(missing: str) -> None:
    """Raise unless it says what to do with missing values."""
    if missing not in MISSING:
        raise unknown_name("missing_sensitive", missing, MISSING)


def describe(name: GroupName) -> str:
    """A group in words."""
    attribute, value = name
    return f"the group without {attribute!r}" if value is None else f"{attribute!r} = {value!r}"


def _attributes(features: object) -> dict[object, object]:
    """attribute -> its values, one per row."""
    if isinstance(features, Mapping):
        columns = dict(features)
    elif isinstance(features, str | bytes) or not hasattr(features, "__len__"):
        raise InvalidArgument("sensitive_features", "it is a single value.", _FORMS)
    else:
        columns = _columns_of(features)
    if not columns:
        raise InvalidArgument("sensitive_features", "it has no attributes.", _FORMS)
    return columns


def _columns_of(features: object) -> dict[object, object]:
    try:
        frame = nw.from_native(features, pass_through=True, eager_only=True, allow_series=True)
        if isinstance(frame, nw.DataFrame):
            return {series.name: series.to_list() for series in frame.iter_columns()}
        if isinstance(frame, nw.Series):
            name = _unnamed(0) if frame.name in (None, "") else frame.name
            return {name: frame.to_list()}
        if hasattr(features, "to_pylist"):  # pyarrow
            features = features.to_pylist()
        array = features if isinstance(features, np.ndarray) else np.array(list(features), object)
    except (TypeError, ValueError, nw.exceptions.NarwhalsError) as error:
        raise InvalidArgument("sensitive_features", f"{error}.", _FORMS) from None
    if array.ndim == 1:
        return {_unnamed(0): array}
    if array.ndim == 2:
        return {_unnamed(c): array[:, c] for c in range(array.shape[1])}
    raise InvalidArgument("sensitive_features", f"it has {array.ndim} dimensions.", _FORMS)


def _unnamed(place: int) -> str:
    return f"sensitive_feature_{place}"  # as fairlearn calls them


def _check_length(attribute: object, values: object, n_points: int) -> Column:
    """The values of an attribute, if there is one per row."""
    if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
        raise InvalidArgument("sensitive_features", f"{attribute!r} is a single value.", _FORMS)
    if isinstance(values, np.ndarray) and values.ndim != 1:
        raise InvalidArgument(
            "sensitive_features", f"{attribute!r} has {values.ndim} dimensions.", _FORMS
        )
    if len(values) != n_points:
        raise InvalidArgument(
            "sensitive_features",
            f"{attribute!r} has {len(values)} values, but X has {n_points} rows.",
            _FORMS,
        )
    return cast(Column, values)


def _encode(values: Column) -> tuple[list[object], Array]:
    """(the distinct values in a fixed order, the place of each row's value among them)."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuU":
        distinct, code = np.unique(values, return_inverse=True)
        return distinct.tolist(), code
    plain = [plain_value(value) for value in values]
    try:
        distinct_values = list(dict.fromkeys(plain))
    except TypeError as error:
        raise InvalidArgument("sensitive_features", f"{error}.", "Use hashable values.") from None
    try:
        distinct_values.sort(key=lambda value: (value is None, value))
    except TypeError:  # values that cannot be compared stay in the order in which they come
        distinct_values.sort(key=lambda value: value is None)
    place = {value: number for number, value in enumerate(distinct_values)}
    return distinct_values, np.array([place[value] for value in plain])


def plain_value(value: object) -> object:
    """A Python value; None for everything that means missing (None, NaN, NaT, pandas' NA)."""
    if isinstance(value, np.generic) and value.dtype.kind not in "mM":
        value = value.item()
    elif hasattr(value, "as_py"):  # pyarrow
        value = value.as_py()
    try:
        is_itself = bool(value == value)
    except TypeError:  # pandas' NA answers NA
        return None
    except ValueError:  # arrays answer with an array: not hashable, as will be said
        return value
    return value if is_itself else None
