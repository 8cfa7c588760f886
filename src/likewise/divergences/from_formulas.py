"""Divergences from formulas that are written down (``generator.Formulas``)."""

import numpy as np

from likewise._typing import Array
from likewise.divergences import formulas as by_kind
from likewise.divergences.generator import Formulas, GeneratorDivergence
from likewise.divergences.named import NAMED


class FormulaDivergence(GeneratorDivergence):
    """A divergence by its formulas, one number at a time.

    Enough to try new formulas with the exact engine; those in ``NAMED`` have compiled loops.
    """

    def __init__(self, formulas: Formulas) -> None:
        self.formulas = formulas
        self.name, self.symmetric = formulas.name, formulas.symmetric
        self.at_zero = formulas.limits.value_at_zero
        self.at_infinity = formulas.limits.slope_at_infinity

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FormulaDivergence):
            return NotImplemented
        return type(self) is type(other) and self.formulas is other.formulas

    def __hash__(self) -> int:
        return hash((type(self), self.formulas))

    def terms(self, p: Array, q: Array) -> Array:
        def term(p: float, q: float) -> float:
            return 0.0 if p == q else self.formulas.term(p, q)

        entries = np.vectorize(term, otypes="d")(np.maximum(p, 0.0), np.maximum(q, 0.0))
        return np.asarray(entries)

    def planes(self, t: Array) -> tuple[Array, Array]:
        alpha, beta, _ = np.vectorize(self.formulas.plane, otypes="ddd")(t, np.log(t))
        return alpha, beta

    def conjugate(self, a: Array) -> Array:
        return np.asarray(np.vectorize(self.formulas.conjugate, otypes="d")(a))


class NamedDivergence(FormulaDivergence):
    """The divergence at a place of ``NAMED``, by loops that are compiled."""

    def __init__(self, kind: int) -> None:
        super().__init__(NAMED[kind])
        self.kind = kind

    def terms(self, p: Array, q: Array) -> Array:
        shape = np.broadcast_shapes(np.shape(p), np.shape(q))
        out = np.empty(shape)
        p, q = _read_only(p, shape), _read_only(q, shape)
        by_kind.fill_terms(self.kind, p.ravel(), q.ravel(), out.ravel())
        return out

    def planes(self, t: Array) -> tuple[Array, Array]:
        alpha, beta = np.empty(np.shape(t)), np.empty(np.shape(t))
        t = _read_only(t, alpha.shape)
        by_kind.fill_planes(self.kind, t.ravel(), alpha.ravel(), beta.ravel())
        return alpha, beta

    def conjugate(self, a: Array) -> Array:
        out = np.empty(np.shape(a))
        by_kind.fill_conjugates(self.kind, _read_only(a, out.shape).ravel(), out.ravel())
        return out

    def values(self, P: Array, Q: Array) -> Array:
        shape = P.shape if P.shape == Q.shape else np.broadcast_shapes(P.shape, Q.shape)
        out = np.empty(shape[:-1])
        rows = (out.size, shape[-1])
        P, Q = _read_only(P, shape).reshape(rows), _read_only(Q, shape).reshape(rows)
        by_kind.fill_values(self.kind, P, Q, out.ravel())
        return out

    def table(self, P: Array, Q: Array) -> Array:
        out = np.empty((len(P), len(Q)))
        by_kind.fill_table(self.kind, _read_only(P, P.shape), _read_only(Q.T, Q.T.shape), out)
        return out

    def _fair_way(self, M: Array, P: Array, Q: Array, bound: Array) -> Array:
        out = np.empty(len(M))
        M, P, Q = (_read_only(rows, M.shape) for rows in (M, P, Q))
        by_kind.fill_fair_ways(self.kind, M, P, Q, _read_only(bound, out.shape), out)
        return out

    def _largest_at(self, alpha: Array, beta: Array, multiplier: Array) -> Array:
        out = np.empty(len(alpha))
        alpha, beta = _read_only(alpha, alpha.shape), _read_only(beta, alpha.shape)
        by_kind.fill_largest(self.kind, alpha, beta, multiplier, out)
        return out


def _read_only(array: Array, shape: tuple[int, ...]) -> Array:
    """An array of numbers in one piece that is not to be written on, whatever comes in: numba
    compiles a loop again for arrays that differ in this.
    """
    if np.shape(array) != shape:
        array = np.broadcast_to(array, shape)
    whole = np.ascontiguousarray(array, dtype=np.float64).view()
    whole.flags.writeable = False
    return whole
