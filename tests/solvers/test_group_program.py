"""The least change of cell masses: against scipy, and the same whatever was asked before."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linprog

from likewise.errors import SolverError
from likewise.solvers.repair.group_program import LeastChange

CELLS, K = 3, 4


def instance(seed, room=0.1):
    """Two groups, cells 0 and 1 in the first, cell 2 in the second; random masses."""
    random = np.random.default_rng(seed)
    profile = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    mass = random.dirichlet(np.ones(CELLS * K)).reshape(CELLS, K)
    share = mass.sum(axis=1) @ profile
    sums = sparse.kron(
        sparse.csr_array(np.column_stack([profile, np.ones(CELLS)]).T), sparse.eye_array(K)
    ).tocsr()
    rows = []
    for group in range(2):
        low, high = share[group] * (1 - room), share[group] * (1 + room)
        for sign, limit in ((1.0, high), (-1.0, low)):
            for c in range(K):
                row = np.zeros(3 * K)
                row[group * K + c], row[2 * K + c] = sign, -sign * limit
                rows.append(row)
    bounds = sparse.csr_array(np.array(rows))
    return random.random((CELLS, K)), sums, bounds, mass


def by_scipy(cost, sums, bounds, mass):
    """The same program over (up, down) alone."""
    over_cells = (bounds @ sums).toarray()
    balance = np.kron(np.eye(CELLS), np.ones((1, K)))
    return linprog(
        np.r_[(1 + cost).ravel(), (1 - cost).ravel()],
        A_ub=np.hstack([over_cells, -over_cells]),
        b_ub=-(over_cells @ mass.ravel()),
        A_eq=np.hstack([balance, -balance]),
        b_eq=np.zeros(CELLS),
        bounds=[(0, None)] * (CELLS * K) + [(0, each) for each in mass.ravel()],
    ).fun


@pytest.mark.parametrize("seed", range(8))
def test_least_change_as_by_scipy(seed):
    cost, sums, bounds, mass = instance(seed)
    excess = bounds @ (sums @ mass.ravel())
    assert excess.max() > 0
    up, down = LeastChange(cost, sums, bounds).solve(mass, excess)
    assert up.min() >= 0
    assert (down <= mass + 1e-12).all()
    np.testing.assert_allclose(up.sum(axis=1), down.sum(axis=1), atol=1e-13)
    assert (bounds @ (sums @ (mass + up - down).ravel())).max() <= 1e-13
    spent = ((1 + cost) * up + (1 - cost) * down).sum()
    assert spent == pytest.approx(by_scipy(cost, sums, bounds, mass), rel=1e-7)


def test_answers_do_not_depend_on_what_was_asked_before():
    cost, sums, bounds, mass = instance(0)
    others = [instance(seed)[3] for seed in range(1, 6)]

    def asked(program, mass):
        return program.solve(mass, bounds @ (sums @ mass.ravel()))

    alone = asked(LeastChange(cost, sums, bounds), mass)
    busy = LeastChange(cost, sums, bounds)
    for other in others:
        other *= mass.sum(axis=1, keepdims=True) / other.sum(axis=1, keepdims=True)
        asked(busy, other)
    np.testing.assert_array_equal(asked(busy, mass), alone)


def test_bounds_without_room():
    """Shares that must be met exactly: no error, and met."""
    cost, sums, bounds, mass = instance(3, room=0.0)
    excess = bounds @ (sums @ mass.ravel())
    up, down = LeastChange(cost, sums, bounds).solve(mass, excess)
    assert np.abs(bounds @ (sums @ (mass + up - down).ravel())).max() <= 1e-13


def test_bounds_that_nobody_can_keep():
    cost, sums, bounds, mass = instance(0)
    with pytest.raises(SolverError, match="group_tolerance"):
        LeastChange(cost, sums, bounds).solve(mass, np.full(bounds.shape[0], 1.0))
