"""Some people for all of them."""

import numpy as np
import pytest

from likewise.report.sample import representatives, some_rows

RNG = np.random.default_rng(0)


def test_some_rows():
    assert some_rows(5, 7, RNG).tolist() == [0, 1, 2, 3, 4]
    some = some_rows(100, 7, RNG)
    assert len(set(some.tolist())) == 7
    assert sorted(some) == some.tolist()


@pytest.mark.parametrize("seed", range(5))
def test_representatives_add_up_to_everybody_whatever_a_few_outliers_cost(seed):
    """Six of 3,000 have half of all costs: a plain sample of 200 has one of them or none."""
    random = np.random.default_rng(seed)
    amounts = np.column_stack([np.ones(3000), random.lognormal(0, 1, (3000, 3))])
    amounts[:6, 1:] += 500 * random.lognormal(0, 1, (6, 3))
    found = representatives(amounts, amounts, 200, random)
    assert len(found.rows) <= 200
    assert (found.stands_for > 0).all()
    np.testing.assert_allclose(found.stands_for @ amounts[found.rows], amounts.sum(axis=0))
    unseen = random.lognormal(0, 1, 3000)  # what they were not chosen for is near
    assert found.stands_for @ unseen[found.rows] == pytest.approx(unseen.sum(), rel=0.3)


def test_few_stand_for_themselves():
    found = representatives(np.ones((4, 1)), np.ones((4, 1)), 4, RNG)
    assert found.rows.tolist() == [0, 1, 2, 3]
    assert found.stands_for.tolist() == [1, 1, 1, 1]


def test_sums_of_nothing():
    """A cost that nobody has, and weights that would have to be negative."""
    amounts = np.column_stack([np.ones(50), np.zeros(50)])
    found = representatives(amounts, amounts, 10, RNG)
    assert found.stands_for.sum() == pytest.approx(50)
    one_has_all = np.column_stack([np.ones(50), np.eye(50)[0]])
    found = representatives(one_has_all, np.ones((50, 1)), 10, np.random.default_rng(1))
    assert (found.stands_for > 0).all()
