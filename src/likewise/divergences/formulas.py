"""The formulas of the named divergences by number, for compiled loops.

``kind`` is the place of a divergence in ``NAMED``. Loops are handed this number and not the
formulas: numba keeps a loop on disk only if it is handed no functions, and compiling takes seconds
in every process. Nor does it notice that a formula in another file has changed: delete
``__pycache__`` after that.
"""

from collections.abc import Callable, Sequence

import numba as nb
import numpy as np

from likewise.compute.jit import compiled
from likewise.divergences.generator import LINE_STEPS
from likewise.divergences.named import NAMED

# as if written out where it is called: measured, a third faster than calls within calls
inlined = nb.njit(forceinline=True)


def _by_kind(functions: Sequence[Callable[..., object]]) -> Callable[..., object]:
    """A compiled function of (kind, ...) that calls the function at the place ``kind``."""
    first, *rest = functions
    if rest:
        others = _by_kind(rest)

        def choose(kind, *numbers):
            return first(*numbers) if kind == 0 else others(kind - 1, *numbers)
    else:

        def choose(kind, *numbers):
            return first(*numbers)

    chosen: Callable[..., object] = inlined(choose)
    return chosen


_term = _by_kind([formulas.term for formulas in NAMED])
_plane = _by_kind([formulas.plane for formulas in NAMED])
_conjugate = _by_kind([formulas.conjugate for formulas in NAMED])
_LIMITS = np.array([formulas.limits for formulas in NAMED])


@compiled
def term(kind, p, q):
    """q g(p / q) for p, q >= 0; 0 g(0/0) = 0."""
    return 0.0 if p == q else _term(kind, p, q)


@compiled
def plane(kind, t, s):
    """(g'(t), g(t) - t g'(t), t g''(t)) at t = exp(s): the supporting plane and its curvature."""
    return _plane(kind, t, s)


@compiled
def at_ends(kind):
    """(g(0), g'(0), lim g'(t), lim g(t) - t g'(t)): the same at ratios 0 and infinity."""
    return _LIMITS[kind, 0], _LIMITS[kind, 1], _LIMITS[kind, 2], _LIMITS[kind, 3]


@compiled
def conjugate(kind, a):
    """max over t of a t - g(t)."""
    return _conjugate(kind, a)


@compiled
def divergence_of_rows(kind, x, a, b):
    """D of the rows a and b of x; infinite where they are not distributions."""
    total = 0.0
    for c in range(x.shape[1]):
        if x[a, c] < 0.0 or x[b, c] < 0.0:
            return np.inf
        total += term(kind, x[a, c], x[b, c])
    return total


# the same for whole arrays; what is negative by rounding counts as zero


@compiled
def _term_of_any(kind, p, q):
    if np.isnan(p) or np.isnan(q):
        return np.nan
    return term(kind, 0.0 if p < 0.0 else p, 0.0 if q < 0.0 else q)


@compiled
def fill_terms(kind, p, q, out):
    """out = q g(p / q)."""
    for i in range(len(out)):
        out[i] = _term_of_any(kind, p[i], q[i])


@compiled
def fill_planes(kind, t, alpha, beta):
    """alpha = g'(t), beta = g(t) - t g'(t)."""
    for i in range(len(t)):
        alpha[i], beta[i], _ = plane(kind, t[i], np.log(t[i]))


@compiled
def fill_conjugates(kind, a, out):
    """out = max over t of a t - g(t)."""
    for i in range(len(out)):
        out[i] = conjugate(kind, a[i])


@compiled
def fill_values(kind, P, Q, out):
    """out_r = D(P_r || Q_r)."""
    for r in range(len(out)):
        total = 0.0
        for c in range(P.shape[1]):
            total += _term_of_any(kind, P[r, c], Q[r, c])
        out[r] = total


def _table_of(term: Callable[..., object]) -> Callable[..., object]:
    """The loop of ``fill_table`` for one divergence. Along s, so that square roots and divisions
    are done several at a time: measured, up to ten times faster than row by row.
    """

    def fill(P, columns, out):
        out[:] = 0.0
        for r in range(len(P)):
            for c in range(P.shape[1]):
                p = 0.0 if P[r, c] < 0.0 else P[r, c]
                for s in range(columns.shape[1]):
                    q = 0.0 if columns[c, s] < 0.0 else columns[c, s]
                    each = 0.0 if p == q else term(p, q)
                    out[r, s] += np.nan if np.isnan(p) or np.isnan(q) else each

    looped: Callable[..., object] = nb.njit(fill)
    return looped


_fill_table = _by_kind([_table_of(formulas.term) for formulas in NAMED])


@compiled
def fill_table(kind, P, columns, out):
    """out_rs = D(P_r || Q_s), where ``columns`` is the transpose of Q."""
    _fill_table(kind, P, columns, out)


@compiled
def fill_fair_ways(kind, M, P, Q, bound, out):
    """out_r = how much of the way from (M_r, M_r) to (P_r, Q_r) has D <= bound_r: bisection."""
    for r in range(len(out)):
        low, high = 0.0, 1.0
        for _ in range(LINE_STEPS):
            way = 0.5 * (low + high)
            total = 0.0
            for c in range(P.shape[1]):
                p = M[r, c] + way * (P[r, c] - M[r, c])
                total += _term_of_any(kind, p, M[r, c] + way * (Q[r, c] - M[r, c]))
            if total > bound[r]:
                high = way
            else:
                low = way
        out[r] = low


@compiled
def fill_largest(kind, alpha, beta, multiplier, out):
    """out_r = max_c (beta_rc + multiplier_r * conjugate(alpha_rc / multiplier_r))."""
    for r in range(len(out)):
        largest = -np.inf
        for c in range(alpha.shape[1]):
            each = beta[r, c] + multiplier[r] * conjugate(kind, alpha[r, c] / multiplier[r])
            largest = max(largest, np.inf if np.isnan(each) else each)
        out[r] = largest
