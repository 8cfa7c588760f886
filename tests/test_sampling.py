"""Coupled labels: everybody's own chances, and like people together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from likewise import InvalidArgument
from likewise.sampling import differing_chance, draw_labels

DRAWS = 20_000
SURE = 1e-6  # chance that a right program fails one of these tests, for each number looked at


def some_distributions(n=30, k=4, seed=0):
    random = np.random.default_rng(seed)
    x = random.dirichlet(np.full(k, 0.7), size=n)
    x[0], x[1], x[2] = np.eye(k)[0], np.full(k, 1 / k), x[3]
    return x


def within_chance(counts, chance):
    """Whether counts out of DRAWS are no wonder at this chance; an exact binomial bound."""
    low, high = binom.cdf(counts, DRAWS, chance), binom.sf(counts - 1, DRAWS, chance)
    return (np.minimum(low, high) > SURE).all()


@pytest.mark.parametrize("coupled", [True, False])
def test_everybody_keeps_their_own_chances(coupled):
    x = some_distributions()
    labels = draw_labels(x, DRAWS, coupled=coupled, random_state=1)
    counts = np.stack([(labels == center).sum(axis=0) for center in range(x.shape[1])], axis=1)
    assert within_chance(counts, x)


def test_pairs_differ_as_rarely_as_promised():
    x = some_distributions()
    labels = draw_labels(x, DRAWS, random_state=2)
    i, j = np.triu_indices(len(x), 1)
    tv = 0.5 * np.abs(x[i] - x[j]).sum(axis=1)
    differing = (labels[:, i] != labels[:, j]).sum(axis=0)
    assert (binom.sf(differing - 1, DRAWS, differing_chance(tv)) > SURE).all()
    assert (differing[tv == 0] == 0).all()


def test_independent_draws_do_split_equal_people():
    """What coupling is for; and the test above can fail."""
    x = np.full((2, 2), 0.5)
    labels = draw_labels(x, 1000, coupled=False, random_state=0)
    assert 0.4 < (labels[:, 0] != labels[:, 1]).mean() < 0.6


@given(st.integers(0, 2**32), st.integers(1, 29), st.integers(1, 5))
def test_a_draw_depends_on_nobody_else(seed, kept, n_draws):
    x = some_distributions(seed=seed % 97)
    rows = np.random.default_rng(seed).permutation(len(x))[:kept]
    alone = draw_labels(x[rows], n_draws, random_state=seed)
    assert (alone == draw_labels(x, n_draws, random_state=seed)[:, rows]).all()
    assert (alone[:1] == draw_labels(x[rows], 1, random_state=seed)).all()


def test_never_a_centre_of_no_chance():
    x = np.array([[0.0, 1.0, 0.0], [0.3, 0.0, 0.7 - 1e-12]])
    for coupled in (True, False):
        labels = draw_labels(x, 3000, coupled=coupled, random_state=3)
        assert (labels[:, 0] == 1).all()
        assert (labels[:, 1] != 1).all()


@pytest.mark.parametrize("bad", [-1, 1.5, "luck", True])
def test_bad_seeds(bad):
    with pytest.raises(InvalidArgument, match="random_state"):
        draw_labels(np.eye(2), random_state=bad)
    with pytest.raises(InvalidArgument, match="n_draws"):
        draw_labels(np.eye(2), 0)


@pytest.mark.parametrize(
    "state", [None, np.random.default_rng(0), np.random.RandomState(0)], ids=lambda s: str(type(s))
)
def test_any_kind_of_randomness(state):
    assert draw_labels(np.eye(3), 2, random_state=state).tolist() == [[0, 1, 2]] * 2
