"""Divergences from formulas that are written down (``generator.Formulas``), by compiled loops."""

from functools import cached_property

import numpy as np

from likewise._typing import Array
from likewise.divergences import formulas as loops
from likewise.divergences.generator import Formulas, Generator, GeneratorDivergence
from likewise.divergences.named import NAMED
from likewise.divergences.on_the_spot import InMemory, compile_formulas


class CompiledDivergence(GeneratorDivergence):
    """What follows from a generator that compiled loops take, by such loops; row by row in numpy
    where there is none.
    """

    def terms(self, p: Array, q: Array) -> Array:
        shape = np.broadcast_shapes(np.shape(p), np.shape(q))
        out = np.empty(shape)
        p, q = _read_only(p, shape), _read_only(q, shape)
        loops.fill_terms(self.generator, p.ravel(), q.ravel(), out.ravel())
        return out

    def planes(self, t: Array) -> tuple[Array, Array]:
        alpha, beta = np.empty(np.shape(t)), np.empty(np.shape(t))
        t = _read_only(t, alpha.shape)
        loops.fill_planes(self.generator, t.ravel(), alpha.ravel(), beta.ravel())
        return alpha, beta

    def conjugate(self, a: Array) -> Array:
        out = np.empty(np.shape(a))
        loops.fill_conjugates(self.generator, _read_only(a, out.shape).ravel(), out.ravel())
        return out

    def values(self, P: Array, Q: Array) -> Array:
        if self.generator is None:
            return super().values(P, Q)
        shape = P.shape if P.shape == Q.shape else np.broadcast_shapes(P.shape, Q.shape)
        out = np.empty(shape[:-1])
        rows = (out.size, shape[-1])
        P, Q = _read_only(P, shape).reshape(rows), _read_only(Q, shape).reshape(rows)
        loops.fill_values(self.generator, P, Q, out.ravel())
        return out

    def table(self, P: Array, Q: Array) -> Array:
        if self.generator is None:
            return super().table(P, Q)
        out = np.empty((len(P), len(Q)))
        columns = _read_only(Q.T, Q.T.shape)
        loops.fill_table(self.generator, _read_only(P, P.shape), columns, out)
        return out

    def _fair_way(self, M: Array, P: Array, Q: Array, bound: Array) -> Array:
        if self.generator is None:
            return super()._fair_way(M, P, Q, bound)
        out = np.empty(len(M))
        M, P, Q = (_read_only(rows, M.shape) for rows in (M, P, Q))
        loops.fill_fair_ways(self.generator, M, P, Q, _read_only(bound, out.shape), out)
        return out

    def _largest_at(self, alpha: Array, beta: Array, multiplier: Array) -> Array:
        if self.generator is None:
            return super()._largest_at(alpha, beta, multiplier)
        out = np.empty(len(alpha))
        alpha, beta = _read_only(alpha, alpha.shape), _read_only(beta, alpha.shape)
        loops.fill_largest(self.generator, alpha, beta, multiplier, out)
        return out


class FormulaDivergence(CompiledDivergence):
    """A divergence by its formulas, which are compiled on the spot, in every process."""

    def __init__(self, formulas: Formulas, name: str = "custom") -> None:
        self.formulas = formulas
        self.name, self.symmetric = name, formulas.symmetric
        self.at_zero = formulas.limits.value_at_zero
        self.at_infinity = formulas.limits.slope_at_infinity

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FormulaDivergence):
            return NotImplemented
        same = self.name == other.name and self.formulas == other.formulas
        return same and type(self) is type(other)

    def __hash__(self) -> int:
        return hash((type(self), self.name))

    def __getstate__(self) -> dict[str, object]:
        """Without what was compiled: addresses mean nothing to another process."""
        return {name: value for name, value in vars(self).items() if name != "_in_memory"}

    @cached_property
    def _in_memory(self) -> InMemory:
        return compile_formulas(self.formulas)

    @property
    def generator(self) -> Generator:
        return self._in_memory.generator


class NamedDivergence(FormulaDivergence):
    """One of ``NAMED``: its formulas are written out in loops that are kept on disk."""

    def __init__(self, name: str) -> None:
        super().__init__(NAMED[name], name)

    @property
    def generator(self) -> Generator:
        return self.formulas


def _read_only(array: Array, shape: tuple[int, ...]) -> Array:
    """An array of numbers in one piece that is not to be written on, whatever comes in: numba
    compiles a loop again for arrays that differ in this.
    """
    if np.shape(array) != shape:
        array = np.broadcast_to(array, shape)
    whole = np.ascontiguousarray(array, dtype=np.float64).view()
    whole.flags.writeable = False
    return whole
