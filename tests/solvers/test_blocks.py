"""Each block of duals, against its mathematics written out in dense numpy.

A block is the rows A x <= b of the program with multipliers on them. Its cost shift is A' duals;
its plain step goes from the duals along A times the reflected distributions, and stays where duals
may be (the proximal step of the support function).
"""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import xlogy
from support.problems import random_groups

from likewise.compute import threads
from likewise.divergences.registry import as_divergence
from likewise.solvers.divergence_ops.choose import ops_for
from likewise.solvers.first_order.group_duals import GroupDuals
from likewise.solvers.first_order.opening_duals import OpeningDuals
from likewise.solvers.first_order.pair_duals import PairDuals
from likewise.solvers.group_constraints import GroupRows
from likewise.solvers.kernels.halpern import HalpernStep, Iterates, averaged
from likewise.solvers.presolve import Merging
from likewise.solvers.working_set import CandidatePairs

N, K, LIMIT = 20, 3, 2
STEP = HalpernStep.after(steps=3, weight=0.7)


def random_pairs(seed, count=40):
    rng = np.random.default_rng(seed)
    a, b = np.nonzero(np.triu(np.ones((N, N)), 1))
    some = rng.permutation(len(a))[:count]
    return CandidatePairs(a[some], b[some], 0.05 + 0.3 * rng.random(count), a[some] * N + b[some])


def distributions(seed):
    return np.random.default_rng(seed).dirichlet(np.ones(K), size=N)


def pair_block(divergence="tv"):
    block = PairDuals(ops_for(as_divergence(divergence)), N, K)
    pairs = random_pairs(0)
    alpha = 0.1 * np.random.default_rng(1).normal(size=(len(pairs), K))
    alpha -= alpha.mean(axis=1, keepdims=True)
    block.start_with(pairs, alpha, -alpha)
    return block


def group_block():
    rows = GroupRows(random_groups(2, N, delta=0.3), Merging(np.arange(N), N))
    block = GroupDuals(rows, K)
    multipliers = np.random.default_rng(3).random((2, len(rows), K))
    block.iterates.restart_at(np.where(rows.used[:, :, None], multipliers, 0.0))
    return block


def opening_block():
    block = OpeningDuals(N, K, LIMIT)
    block.iterates.restart_at(np.random.default_rng(4).random((N, K)))
    return block


BLOCKS = {
    "pairs": pair_block,
    "pairs, KL": lambda: pair_block("kl"),
    "groups": group_block,
    "openings": opening_block,
}
EACH = pytest.mark.parametrize("name", BLOCKS)


def stepped(block):
    """The block after one step, what it moved, and the cost shift."""
    block.inverse_step(np.ones(N))
    shift = np.zeros((N, K))
    moved = block.step(distributions(5), STEP, shift)
    return moved, shift


# what is the same for all of them


@EACH
def test_a_step_adds_the_shift_of_the_new_duals(name, monkeypatch):
    """Whether it is done on the way, or afterwards because several threads are at work."""
    for grain in (threads.GRAIN, 5):
        monkeypatch.setattr(threads, "GRAIN", grain)
        block = BLOCKS[name]()
        _, shift = stepped(block)
        again = np.zeros((N, K))
        block.add_cost_shift(block.iterates.current, again)
        np.testing.assert_allclose(shift, again, rtol=1e-12, atol=1e-15)
        assert np.abs(shift).max() > 0


@EACH
def test_a_shift_is_added_to_what_is_there(name):
    block = BLOCKS[name]()
    shift = np.ones((N, K))
    block.add_cost_shift(block.iterates.image, shift)
    alone = np.zeros((N, K))
    block.add_cost_shift(block.iterates.image, alone)
    np.testing.assert_allclose(shift, 1.0 + alone, atol=1e-13)


@EACH
def test_a_step_goes_to_the_halpern_average(name):
    block = BLOCKS[name]()
    before = block.iterates.current.copy()
    stepped(block)
    current, anchor, image = block.iterates
    expected = STEP.keep * (2 * image - before) + STEP.back * anchor
    np.testing.assert_allclose(current, expected, rtol=1e-12, atol=1e-15)
    assert not np.array_equal(image, before)


@EACH
def test_a_restart_goes_to_the_image(name):
    block = BLOCKS[name]()
    stepped(block)
    primal, dual = block.moved()
    assert dual > 0
    assert (primal > 0) == (name == "openings")
    block.restart()
    for each in block.iterates:
        np.testing.assert_array_equal(each, block.iterates.image)
    assert block.moved() == (0.0, 0.0)


@EACH
def test_what_moved_is_measured_in_the_norm_of_the_step(name):
    """A first step goes from the anchor to the image: step and ``moved`` say the same."""
    block = BLOCKS[name]()
    squared, _ = stepped(block)
    primal, dual = block.moved()
    # the steps' lengths are in units of the weight
    total = STEP.weight * primal**2 + dual**2 / STEP.weight
    np.testing.assert_allclose(squared, total, rtol=1e-10)


@EACH
def test_its_arrays_put_another_block_in_its_place(name):
    block = BLOCKS[name]()
    stepped(block)
    arrays = {key: np.array(array) for key, array in block.arrays().items()}
    other = BLOCKS[name]()
    other.restore(arrays)
    for each in (block, other):
        np.testing.assert_array_equal(each.iterates.current, arrays["current"])
    first, second = stepped(block), stepped(other)
    assert first[0] == second[0]
    np.testing.assert_array_equal(first[1], second[1])
    assert block.support_function() == other.support_function()


@EACH
def test_the_support_function_is_no_less_than_what_fair_answers_earn(name):
    """It is the most that they can: for any of them the bound is kept."""
    block = BLOCKS[name]()
    stepped(block)
    shift = np.zeros((N, K))
    block.add_cost_shift(block.iterates.image, shift)
    one = np.zeros((N, K))
    one[:, 1] = 1.0  # everybody at one centre keeps all bounds there are
    assert np.vdot(shift, one) <= block.support_function() + 1e-12


# pairs


def ends(block):
    return block.pairs.a, block.pairs.b


def test_pairs_are_sorted_and_keep_their_duals():
    pairs = random_pairs(0)
    block = pair_block()
    order = np.lexsort((pairs.b, pairs.a))
    np.testing.assert_array_equal(block.pairs.a, pairs.a[order])
    alpha, beta = block.at_ends(slice(None), 1.0)
    np.testing.assert_array_equal(alpha, -beta)
    stays = np.arange(0, len(pairs), 3)
    kept = alpha[stays].copy()
    new = CandidatePairs(np.array([0]), np.array([0]), np.array([0.1]), np.array([0]))
    block.replace(new, stays)
    assert len(block.pairs) == len(stays) + 1
    np.testing.assert_array_equal(
        block.at_ends(slice(None), 1.0)[0], np.vstack([np.zeros(K), kept])
    )
    np.testing.assert_array_equal(block.working.active, np.r_[False, np.ones(len(stays), bool)])


@pytest.mark.parametrize("name", ["pairs", "pairs, KL"])
def test_duals_of_pairs_are_added_at_both_ends(name):
    block = BLOCKS[name]()
    stepped(block)
    alpha, beta = block.at_ends(slice(None), 1.0)
    expected = np.zeros((N, K))
    np.add.at(expected, block.pairs.a, alpha)
    np.add.at(expected, block.pairs.b, beta)
    shift = np.zeros((N, K))
    block.add_cost_shift(block.iterates.image, shift)
    np.testing.assert_allclose(shift, expected, rtol=1e-12, atol=1e-14)


def test_points_in_more_pairs_step_less():
    block = pair_block()
    inverse = block.inverse_step(np.zeros(N))
    degree = np.bincount(np.concatenate(ends(block)), minlength=N)
    # a pair of the median bound counts once at either end, others a little more or less
    assert np.corrcoef(inverse, degree)[0, 1] > 0.9
    assert (inverse >= 0.5).all()
    np.testing.assert_allclose(block.inverse_step(np.ones(N)), inverse + 1.0, rtol=1e-14)


def test_the_support_function_of_total_variation_is_the_range_of_the_dual():
    block = pair_block()
    stepped(block)
    image = block.iterates.image
    expected = (block.pairs.bound * (image.max(axis=1) - image.min(axis=1))).sum()
    np.testing.assert_allclose(block.support_function(), expected, rtol=1e-12)


def test_a_dual_of_total_variation_steps_by_a_proximal_step():
    """The image minimises |u - v|^2 / 2 + length * bound * (max u - min u) over all u."""
    block = pair_block()
    before, x = block.iterates.current.copy(), distributions(5)
    stepped(block)
    a, b = ends(block)
    length = (block.working.length * STEP.weight)[:, None]
    v = before + length * (x[a] - x[b])
    for p in range(0, len(a), 5):
        amount = length[p, 0] * block.pairs.bound[p]

        def loss(u, v=v[p], amount=amount):
            return 0.5 * ((u - v) ** 2).sum() + amount * (u.max() - u.min())

        found = minimize(
            loss, v[p], method="Nelder-Mead", options=dict(xatol=1e-10, fatol=1e-14, maxiter=10_000)
        )
        centred = v[p].mean()  # constants change nothing: the image is centred elsewhere
        image = block.iterates.image[p]
        shifted = image - image.mean() + centred
        assert loss(shifted) <= found.fun + 1e-9


def test_a_dual_of_kl_steps_by_what_a_projection_leaves():
    """Moreau: (v - image) / length is the nearest fair pair to v / length.

    Fair, for measures P and Q that need not sum to one: sum P log(P / Q) - P + Q <= bound. The
    sums are the business of the primal steps.
    """
    block = pair_block("kl")
    before, x = block.iterates.current.copy(), distributions(5)
    stepped(block)
    a, b = ends(block)
    length = (block.working.length * STEP.weight)[:, None]
    v = before + length * np.hstack([x[a], x[b]])
    P, Q = np.split((v - block.iterates.image) / length, 2, axis=1)
    assert min(P.min(), Q.min()) > -1e-12
    value = (xlogy(P, np.maximum(P, 1e-300) / Q) - P + Q).sum(axis=1)
    assert (value <= block.pairs.bound + 1e-6).all()
    assert (value > block.pairs.bound - 1e-6).any()  # some had to be moved
    # and nothing fair is on the far side of it: image . (p, q) <= image . (P, Q) for fair p, q
    earned = (block.iterates.image * np.hstack([P, Q])).sum(axis=1)
    for seed in range(20):
        p = np.random.default_rng(seed).dirichlet(np.ones(K), size=len(a))
        fair = (block.iterates.image * np.hstack([p, p])).sum(axis=1)
        assert (fair <= earned + 1e-6).all()


@pytest.mark.parametrize("name", ["pairs", "pairs, KL"])
def test_planes_that_duals_name_hold_for_all_fair_pairs(name):
    block = BLOCKS[name]()
    stepped(block)
    divergence = as_divergence("tv" if name == "pairs" else "kl")
    rng = np.random.default_rng(6)
    planes = [plane for plane in block.planes() if len(plane.which)]
    assert planes
    for which, alpha, beta in planes:
        bound = block.pairs.bound[which]
        limit = divergence.support_function(alpha, beta, bound)
        p, q = rng.dirichlet(np.ones(K), size=(2, len(which)))
        while (off := divergence.values(p, q) > bound).any():
            q[off] = 0.5 * (p[off] + q[off])
        assert ((alpha * p + beta * q).sum(axis=1) <= limit + 1e-9).all()


# groups


def dense_rows(rows):
    """(side, group, point): the coefficients of the bounds on groups at one centre."""
    member = rows.member.toarray().T
    upper, lower = rows.bound[:, :, None]
    return np.array([member - upper * rows.weight, lower * rows.weight - member])


def test_groups_shift_costs_by_their_rows():
    block = group_block()
    expected = np.einsum("srj,src->jc", dense_rows(block.rows), block.iterates.image)
    shift = np.zeros((N, K))
    block.add_cost_shift(block.iterates.image, shift)
    np.testing.assert_allclose(shift, expected, rtol=1e-12, atol=1e-12)


def test_multipliers_of_groups_step_along_the_excess_and_stay_positive():
    block = group_block()
    before = block.iterates.current.copy()
    stepped(block)
    excess = np.einsum("srj,jc->src", dense_rows(block.rows), distributions(5))
    length = STEP.weight * block.length[:, :, None]
    expected = np.where(length > 0, np.maximum(before + length * excess, 0.0), before)
    np.testing.assert_allclose(block.iterates.image, expected, rtol=1e-10, atol=1e-12)


def test_steps_of_groups_are_within_what_the_norm_allows():
    """|T^(1/2) A' S A T^(1/2)| is at most the part of the points' steps that groups get."""
    block = group_block()
    of_others = 1.0 + np.random.default_rng(7).random(N)
    inverse = block.inverse_step(of_others)
    assert (inverse > of_others).all()  # the points' own steps get shorter
    used = block.rows.used
    A = dense_rows(block.rows)[used] * np.sqrt(block.length[used])[:, None]
    norm = np.linalg.norm(A / np.sqrt(inverse), 2) ** 2
    assert 0.05 < norm <= 0.3 + 1e-12


def test_without_groups_there_is_nothing_to_do():
    block = GroupDuals(GroupRows(None, Merging(np.arange(N), N)), K)
    moved, shift = stepped(block)
    assert moved == 0.0
    assert not shift.any()
    assert block.inverse_step(np.ones(N)).tolist() == [1.0] * N
    assert block.support_function() == 0.0


# openings


def test_openings_and_their_multipliers_step_towards_each_other():
    block = opening_block()
    w, y = block.iterates.current.copy(), block.openings.current.copy()
    stepped(block)
    image = block.openings.image
    assert image.min() >= 0
    assert image.max() <= 1
    np.testing.assert_allclose(image.sum(), LIMIT, rtol=1e-9)
    target = y + w.sum(axis=0) / (N * STEP.weight)
    for seed in range(20):  # the nearest to the target of all openings that keep the limit
        other = LIMIT * np.random.default_rng(seed).dirichlet(np.ones(K))
        if other.max() <= 1:
            assert (other - image) @ (target - image) <= 1e-9
    opened = 2 * image - y
    expected = np.maximum(w + 0.5 * STEP.weight * (distributions(5) - opened), 0.0)
    np.testing.assert_allclose(block.iterates.image, expected, rtol=1e-12, atol=1e-15)


def test_the_best_openings_earn_the_largest_sums():
    block = opening_block()
    sums = np.sort(block.iterates.image.sum(axis=0))
    np.testing.assert_allclose(block.support_function(), sums[-LIMIT:].sum(), rtol=1e-14)


def test_without_a_limit_there_is_nothing_to_do():
    block = OpeningDuals(N, K, None)
    moved, shift = stepped(block)
    assert moved == 0.0
    assert not shift.any()
    assert block.support_function() == 0.0


# the average


def test_the_halpern_average():
    assert HalpernStep.after(steps=0, weight=2.0) == (2.0, 0.5, 0.5)
    assert averaged(3.0, 1.0, 10.0, HalpernStep(1.0, 0.75, 0.25)) == 0.75 * 4.0 + 0.25 * 10.0
    iterates = Iterates.at(np.zeros(2))
    iterates.restart_at(np.ones(2))
    assert all(each.tolist() == [1.0, 1.0] for each in iterates)
    assert iterates.current is not iterates.image
