"""Estimates before long work; how near they come is measured in ``benchmarks``."""

import signal
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from likewise import LikewiseClustering
from likewise.compute.budget import Budget
from likewise.errors import LongWorkWarning
from likewise.fitting import estimate as module
from likewise.fitting.estimate import Estimate, estimate, followed, in_time, told_already
from likewise.fitting.pipeline import Settings
from likewise.problem.specification import Specification

X = np.random.default_rng(0).normal(size=(300, 2))
SHORT = Estimate(300, 300 * 299, 1.0, False, 2**20)


@pytest.fixture
def small(monkeypatch):
    """Samples so small that tests are quick."""
    monkeypatch.setattr(module, "FIRST", 20)
    monkeypatch.setattr(module, "WARNED_FROM_ROWS", 100)


def test_a_power_law_is_followed():
    assert followed([(500, 1.0), (1_000, 2.0**1.5)], 4_000) == pytest.approx(8.0**1.5)
    assert followed([(500, 1.0), (1_000, 1.0)], 2_000) == 2.0**1.2  # never slower than the rows
    assert followed([(500, 1.0), (1_000, 9.0)], 2_000) == 36.0  # nor faster than the pairs


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "1 second"),
        (1.6, "2 seconds"),
        (80, "80 seconds"),
        (600, "10 minutes"),
        (9e3, "2 hours"),
        (4e5, "5 days"),
    ],
)
def test_times_in_words(seconds, words):
    assert in_time(seconds) == words


def test_pairs_and_memory_are_those_of_all_rows(small):
    found = estimate(Specification(3), X, Settings(tol=1e-2), Budget())
    assert found.pairs == 300 * 299
    assert found.seconds > 0
    assert not found.is_at_least
    assert found.shorter is None
    fewer = estimate(Specification(3, n_neighbors=10), X, Settings(tol=1e-2), Budget())
    assert fewer.pairs == 3_000
    assert fewer.bytes > found.bytes  # their pairs are listed


@pytest.mark.parametrize(("k", "engine"), [(3, "auto"), (30, "first-order")])
def test_samples_are_solved_as_all_rows_will_be(k, engine, small, monkeypatch):
    """Few points are solved by cuts, and their times say nothing about those of many."""
    seen = []

    class Seen(module.Fitting):
        def __init__(self, task, settings, *others):
            seen.append(settings.solver)
            super().__init__(task, settings, *others)

    monkeypatch.setattr(module, "Fitting", Seen)
    monkeypatch.setattr(module, "FIRST", 40)
    estimate(Specification(k), X, Settings(tol=1e-1), Budget())
    assert set(seen) == {engine}


def test_of_several_numbers_of_clusters_the_ends_are_tried(small, monkeypatch):
    seen = []

    def one(told, X, settings, budget):
        seen.append(told.n_clusters)
        return Estimate(300, 300 * 299, 100.0 * told.n_clusters, told.n_clusters > 5, 2**20)

    monkeypatch.setattr(module, "_estimate", one)
    told = X, Settings(tol=1e-2), Budget()
    found = estimate(Specification(1), *told, [2, 3, 4, 6])
    assert seen == [2, 6]
    assert found.seconds == pytest.approx(1_500)
    assert found.is_at_least
    seen.clear()
    assert estimate(Specification(1), *told, [4]).seconds == 400
    assert estimate(Specification(5), *told).seconds == 500
    assert seen == [4, 5]
    many = estimate(Specification(1, n_neighbors=None), *told, range(2, 13))
    assert many.is_long
    assert many.shorter.seconds == many.seconds  # of as many fits


def test_what_is_long_comes_with_what_is_shorter(small, monkeypatch):
    monkeypatch.setattr(module, "followed", lambda times, n: 1e6)
    found = estimate(Specification(3), X, Settings(tol=1e-2), Budget())
    assert found.is_long
    assert found.shorter.pairs == 300 * module.FEWER_NEIGHBORS
    assert f"n_neighbors={module.FEWER_NEIGHBORS}" in found.remedy


def test_the_estimator_warns_unless_somebody_has(small, monkeypatch):
    long = Estimate(300, 300 * 299, 1e6, False, 2**30)
    monkeypatch.setattr(module, "estimate", lambda *told: long)
    model = LikewiseClustering(3, tol=1e-2, random_state=0)
    with pytest.warns(LongWorkWarning, match="this fit is long: 89,700 pairs, about 12 days"):
        model.fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.set_params(max_time=30).fit(X)
        with told_already():
            model.set_params(max_time=None).fit(X)


def test_where_there_is_no_room_nothing_is_estimated(small, monkeypatch):
    """The fit says at once that there is not."""
    monkeypatch.setattr(module, "estimate", lambda *told: pytest.fail("it need not be known"))
    monkeypatch.setattr(module.memory, "available", lambda: 2**10)
    with pytest.raises(MemoryError):
        LikewiseClustering(3, tol=1e-2, random_state=0).fit(X)


def test_the_estimate_leaves_the_answer_as_it_is(small):
    model = LikewiseClustering(3, tol=1e-2, random_state=0)
    before = model.fit(X[:90]).distributions_  # too few to be estimated
    module.warn_if_long(Specification(3), X, Settings(tol=1e-2), Budget())
    np.testing.assert_array_equal(model.fit(X[:90]).distributions_, before)


def test_where_nobody_asked_only_what_may_be_long_is_looked_at(monkeypatch):
    seen = []
    monkeypatch.setattr(
        module, "estimate", lambda told, X, settings, budget: seen.append(X) or SHORT
    )
    rows = np.zeros((50_000, 1))
    module.warn_if_long(Specification(3, n_neighbors=250), rows, Settings(), Budget())
    module.warn_if_long(Specification(3), rows[:20_000], Settings(), Budget())
    assert seen == []
    module.warn_if_long(Specification(3), rows, Settings(), Budget())
    module.warn_if_long(Specification(3, divergence="kl"), rows[:20_000], Settings(), Budget())
    assert len(seen) == 2


@pytest.fixture
def interrupted_while_estimating(small, monkeypatch):
    """Ctrl-C falls into the second sample."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    samples = []

    class Interrupted(module.Fitting):
        def fit(self, centers):
            samples.append(self)
            with self._budget.ended_by_interrupt():  # as every solve does
                if len(samples) == 2:
                    signal.raise_signal(signal.SIGINT)
                return super().fit(centers)

    monkeypatch.setattr(module, "Fitting", Interrupted)
    yield samples
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_while_estimating_ends_the_fit(interrupted_while_estimating):
    with pytest.warns(ConvergenceWarning, match="Let it run longer"):
        model = LikewiseClustering(3, tol=0.0, random_state=0).fit(X)
    assert model.certificate_.is_fair
    assert model.gap_ > 1e-3  # it was not solved
    assert len(interrupted_while_estimating) == 2  # nor was any other sample


def test_an_interrupt_while_only_estimating_is_one_as_usual(interrupted_while_estimating):
    with pytest.raises(KeyboardInterrupt):
        estimate(Specification(3), X, Settings(tol=1e-2), Budget())
