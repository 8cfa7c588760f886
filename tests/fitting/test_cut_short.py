"""Time may be up at any moment of a fit: it ends there, and the answer is fair."""

import numpy as np
import pytest
from support import oracle

from likewise import LikewiseClustering
from likewise.compute import threads
from likewise.compute.budget import Budget
from likewise.similarities import pairs
from likewise.solvers.separation import choose

N, K = 90, 3
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(N, 2)) + 4 * RANDOM.normal(size=(K, 2))[RANDOM.integers(0, K, N)]
X[:5] = X[5:10]
SEX = RANDOM.integers(0, 2, N)

KINDS = {
    "every pair": dict(similarity="local"),
    "every pair, Manhattan": dict(similarity="local", metric="manhattan"),
    "neighbours": dict(similarity="global", n_neighbors=20),
    "k-center": dict(similarity="local", p=np.inf),
    "k-center, KL": dict(similarity="local", p=np.inf, divergence="kl", n_neighbors=6),
    "groups": dict(similarity="local", group_tolerance=0.3),
    "by cuts": dict(similarity="local", solver="exact"),
    "better centres": dict(similarity="local", max_refine=2, p=1),
    "Hellinger": dict(similarity="global", divergence="hellinger", n_neighbors=10),
}


@pytest.fixture
def small_parts(monkeypatch):
    """Everything in many ranges and blocks, as if there were many more points."""
    monkeypatch.setattr(threads, "GRAIN", 10)
    monkeypatch.setattr(threads, "n_cores", lambda: 1)
    monkeypatch.setattr("likewise.geometry.distances.BLOCK_CELLS", 20 * N)
    monkeypatch.setattr("likewise.geometry.neighbors.RADIUS_GRAIN", 20)
    monkeypatch.setattr("likewise.geometry.neighbors.TREE_CELLS", 400)
    monkeypatch.setattr("likewise.solvers.separation.tiles.BOX_GRAIN", 1)
    monkeypatch.setattr("likewise.certificate.pairs.ROW_GRAIN", 20)
    for module in (pairs, choose):
        monkeypatch.setattr(module, "LISTED_PAIRS", 0)


class Clock:
    """A budget's time is up from the so-many-th look at it on."""

    def __init__(self, monkeypatch):
        self.looks, self.until = 0, np.inf
        monkeypatch.setattr(Budget, "is_over", self._is_over)

    def _is_over(self, stage, reserve=0.0):
        self.looks += 1
        return self.looks > self.until

    def strikes_after(self, looks):
        self.looks, self.until = 0, looks


def fit(**said):
    model = LikewiseClustering(K, tol=1e-3, random_state=0, max_time=1e6, **said)
    return model.fit(X, sensitive_features=SEX if "group_tolerance" in said else None)


@pytest.mark.filterwarnings("ignore:stopped at a gap")  # of course
@pytest.mark.parametrize("kind", KINDS)
def test_wherever_it_is_cut_short_the_answer_is_fair(kind, small_parts, monkeypatch):
    clock = Clock(monkeypatch)
    clock.strikes_after(np.inf)
    whole = fit(**KINDS[kind])
    looks = clock.looks
    assert looks > 20, "it looks at its time"
    moments = np.unique(np.geomspace(1, looks, 12).astype(int))
    for moment in [0, *moments.tolist()]:
        clock.strikes_after(moment)
        model = fit(**KINDS[kind])
        after = clock.looks
        assert after - moment < 0.2 * looks + 40, "it goes on for long after its time"
        clock.strikes_after(np.inf)
        _assert_fair(model, **KINDS[kind])
        assert model.certificate_.is_fair
        assert model.objective_ >= whole.lower_bound_ * (1 - 1e-9) or "k-center" in kind


def _assert_fair(model, **said):
    """Every pair, by the definitions; pairs of the whole data, whatever the fit knew of them."""
    from likewise.problem.specification import Specification

    asked = Specification(K, **{key: said[key] for key in said if key in Specification.names()})
    task = asked.task(X, SEX if "group_tolerance" in said else None)
    problem = task.problem(task.distances.to_rows(model.center_indices_))
    oracle.assert_fair(problem, model.distributions_)


@pytest.mark.filterwarnings("ignore:stopped at a gap")
def test_without_time_for_the_bounds_everybody_is_treated_the_same(small_parts, monkeypatch):
    clock = Clock(monkeypatch)
    clock.strikes_after(0)
    model = fit(similarity="local")
    assert (model.distributions_ == model.distributions_[0]).all()
    assert model.certificate_.is_complete
    assert model.solver_ == "none"
    clock.strikes_after(np.inf)
    chances = model.predict_proba(X[:3] + 0.01)  # what later people need is found out then
    assert chances.shape == (3, K)


@pytest.mark.filterwarnings("ignore:stopped at a gap")
def test_an_interrupt_is_raised_after_the_model_has_its_answer_if_asked(monkeypatch):
    def interrupted(budget, stage, reserve=0.0):
        budget.interrupt()
        return True

    monkeypatch.setattr(Budget, "is_over", interrupted)
    assert fit(similarity="local").certificate_.is_fair
    model = LikewiseClustering(K, random_state=0, on_interrupt="raise")
    with pytest.raises(KeyboardInterrupt):
        model.fit(X)
    assert model.certificate_.is_fair
