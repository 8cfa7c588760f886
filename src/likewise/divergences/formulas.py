"""The formulas of a divergence, as compiled loops call them.

Loops are handed a *generator*: one of the tuples of ``NAMED``, or ``Compiled``, the addresses of
functions that were compiled on the spot. Its type says which, when a loop is compiled: for each
named divergence there are loops of its own with its formulas written out in them, and for all
others together one loop that calls. Both kinds numba keeps on disk, as no loop is handed a Python
function; so for a divergence of one's own only its formulas have to be compiled. What numba does
not notice is that a formula in another file has changed: delete ``__pycache__`` after that.
"""

from typing import Any, NamedTuple

import numba as nb
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic, overload

from likewise.compute.jit import compiled
from likewise.divergences.generator import LINE_STEPS, Limits
from likewise.divergences.shortcuts.majorants import Majorant

# as if written out where it is called: measured, a third faster than calls within calls
_INLINED: Any = {"forceinline": True, "fastmath": {"contract", "nsz", "arcp"}}


class Compiled(NamedTuple):
    """Formulas by their addresses in memory: functions with C's way of being called."""

    limits: Limits
    majorant: Majorant
    term: int  # double (double p, double q)
    plane: int  # void (double t, double s, double out[3])
    conjugate: int  # double (double a, double s)


_NUMBER = ir.DoubleType()


def _called(builder, address, n_arguments, arguments, result=_NUMBER):
    kind = ir.FunctionType(result, n_arguments)
    return builder.call(builder.inttoptr(address, kind.as_pointer()), arguments)


@intrinsic
def _call_two(typing_context, address, p, q):
    def generate(context, builder, signature, arguments):
        return _called(builder, arguments[0], [_NUMBER] * 2, arguments[1:])

    return nb.float64(nb.int64, nb.float64, nb.float64), generate


@intrinsic
def _call_for_three(typing_context, address, t, s):
    def generate(context, builder, signature, arguments):
        with builder.goto_entry_block():
            room = builder.alloca(_NUMBER, size=3)
        kinds = [_NUMBER, _NUMBER, _NUMBER.as_pointer()]
        _called(builder, arguments[0], kinds, [*arguments[1:], room], ir.VoidType())
        places = [builder.gep(room, [ir.Constant(ir.IntType(64), i)]) for i in range(3)]
        numbers = [builder.load(place) for place in places]
        return context.make_tuple(builder, signature.return_type, numbers)

    return nb.types.UniTuple(nb.float64, 3)(nb.int64, nb.float64, nb.float64), generate


def _is_compiled(generator):
    return generator.instance_class is Compiled


def term(generator, p, q):
    """q g(p / q) for p, q >= 0; 0 g(0/0) = 0."""


@overload(term, jit_options=_INLINED)
def _term(generator, p, q):
    if _is_compiled(generator):
        return lambda generator, p, q: 0.0 if p == q else _call_two(generator.term, p, q)
    formula = generator.instance_class.term
    return lambda generator, p, q: 0.0 if p == q else formula(p, q)


def plane(generator, t, s):
    """(g'(t), g(t) - t g'(t), t g''(t)) at t = exp(s): the supporting plane and its curvature."""


@overload(plane, jit_options=_INLINED)
def _plane(generator, t, s):
    if _is_compiled(generator):
        return lambda generator, t, s: _call_for_three(generator.plane, t, s)
    formula = generator.instance_class.plane
    return lambda generator, t, s: formula(t, s)


def conjugate(generator, a, s):
    """max over t of a t - g(t), s a guess of the log of that t, which formulas do not need."""


@overload(conjugate, jit_options=_INLINED)
def _conjugate(generator, a, s):
    if _is_compiled(generator):
        return lambda generator, a, s: _call_two(generator.conjugate, a, s)
    formula = generator.instance_class.conjugate
    return lambda generator, a, s: formula(a)


@compiled
def divergence_of_rows(generator, x, a, y, b):
    """D of the rows a of x and b of y; infinite where they are not distributions."""
    total = 0.0
    for c in range(x.shape[1]):
        if x[a, c] < 0.0 or y[b, c] < 0.0:
            return np.inf
        total += term(generator, x[a, c], y[b, c])
    return total


# the same for whole arrays; what is negative by rounding counts as zero


@compiled
def _term_of_any(generator, p, q):
    if np.isnan(p) or np.isnan(q):
        return np.nan
    return term(generator, 0.0 if p < 0.0 else p, 0.0 if q < 0.0 else q)


@compiled
def fill_terms(generator, p, q, out):
    """out = q g(p / q)."""
    for i in range(len(out)):
        out[i] = _term_of_any(generator, p[i], q[i])


@compiled
def fill_planes(generator, t, alpha, beta):
    """alpha = g'(t), beta = g(t) - t g'(t)."""
    for i in range(len(t)):
        alpha[i], beta[i], _ = plane(generator, t[i], np.log(t[i]))


@compiled
def fill_conjugates(generator, a, out):
    """out = max over t of a t - g(t)."""
    for i in range(len(out)):
        out[i] = conjugate(generator, a[i], 0.0)


@compiled
def fill_values(generator, P, Q, out):
    """out_r = D(P_r || Q_r)."""
    for r in range(len(out)):
        total = 0.0
        for c in range(P.shape[1]):
            total += _term_of_any(generator, P[r, c], Q[r, c])
        out[r] = total


@compiled
def fill_table(generator, P, columns, out):
    """out_rs = D(P_r || Q_s), where ``columns`` is the transpose of Q.

    Along s, so that square roots and divisions are done several at a time: measured, up to ten
    times faster than row by row.
    """
    out[:] = 0.0
    for r in range(len(P)):
        for c in range(P.shape[1]):
            p = 0.0 if P[r, c] < 0.0 else P[r, c]
            for s in range(columns.shape[1]):
                q = 0.0 if columns[c, s] < 0.0 else columns[c, s]
                each = term(generator, p, q)
                out[r, s] += np.nan if np.isnan(p) or np.isnan(q) else each


@compiled
def fill_fair_ways(generator, M, P, Q, bound, out):
    """out_r = how much of the way from (M_r, M_r) to (P_r, Q_r) has D <= bound_r: bisection."""
    for r in range(len(out)):
        low, high = 0.0, 1.0
        for _ in range(LINE_STEPS):
            way = 0.5 * (low + high)
            total = 0.0
            for c in range(P.shape[1]):
                p = M[r, c] + way * (P[r, c] - M[r, c])
                total += _term_of_any(generator, p, M[r, c] + way * (Q[r, c] - M[r, c]))
            if total > bound[r]:
                high = way
            else:
                low = way
        out[r] = low


@compiled
def fill_largest(generator, alpha, beta, multiplier, out):
    """out_r = max_c (beta_rc + multiplier_r * conjugate(alpha_rc / multiplier_r))."""
    for r in range(len(out)):
        largest = -np.inf
        for c in range(alpha.shape[1]):
            highest = conjugate(generator, alpha[r, c] / multiplier[r], 0.0)
            each = beta[r, c] + multiplier[r] * highest
            largest = max(largest, np.inf if np.isnan(each) else each)
        out[r] = largest
