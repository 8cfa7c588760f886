"""One specification for everything that a fit is told: the same names and defaults everywhere."""

import inspect

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist

from likewise import FDivergence, InvalidArgument, LikewiseClustering, Pairs
from likewise.fitting.checkpoint import digest_of
from likewise.problem.specification import Specification

X = np.random.default_rng(0).normal(size=(20, 2))
SEX = np.array(["f", "m"] * 10)


def test_names_and_defaults_are_the_estimators():
    parameters = inspect.signature(LikewiseClustering).parameters
    default = Specification()
    for name in Specification.names():
        assert getattr(default, name) == parameters[name].default, name
    assert Specification.of(LikewiseClustering().get_params()) == default


def test_of_takes_what_is_its_own_and_nothing_else():
    model = LikewiseClustering(5, p=1, n_neighbors=3, tol=0.5, max_refine=7)
    assert Specification.of(model.get_params()) == Specification(5, p=1, n_neighbors=3)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (dict(p=0.5), "p: 0.5 is too small"),
        (dict(p=float("nan")), "p: nan"),
        (dict(n_clusters=0), "n_clusters: 0"),
        (dict(n_clusters=2.0), "n_clusters: 2.0 is not a whole number"),
        (dict(n_neighbors=0), "n_neighbors: 0"),
        (dict(divergence="total"), "divergence"),
        (dict(group_tolerance=1.0), "group_tolerance: 1.0"),
        (dict(missing_sensitive="drop"), "missing_sensitive"),
        (dict(individual="some"), "individual: 'some' is not known"),
        (dict(individual=1), "individual: 1 is not known"),
    ],
)
def test_checks_itself_before_there_is_any_data(said, message):
    with pytest.raises(InvalidArgument, match=message):
        Specification(**said)
    with pytest.raises(InvalidArgument, match=message):  # and so does the estimator
        LikewiseClustering(**said).fit(X)


def test_unknown_keywords_are_named_with_the_valid_ones():
    with pytest.raises(TypeError) as error:
        Specification.from_keywords(3, {"p": 1, "neighbors": 4})
    assert isinstance(error.value, InvalidArgument)
    assert error.value.argument == "neighbors"
    assert "Did you mean 'n_neighbors'" in str(error.value)
    for name in Specification.names()[1:]:
        assert repr(name) in str(error.value)


def test_a_task_has_costs_pairs_and_weights():
    weights = np.arange(20.0)
    task = Specification(2, p=3).task(X, sample_weight=weights)
    d = task.distances.to_rows(np.array([0, 1]))
    np.testing.assert_allclose(task.costs(d), weights[:, None] * cdist(X, X[:2]) ** 3)
    assert (task.n_clusters, task.p, task.n_cells) == (2, 3, 40)
    assert len(task.pairs) == 20 * 19
    assert task.fairness.compared == "all"
    assert task.bounds is None
    problem = task.problem(d, n_open=1)
    np.testing.assert_array_equal(problem.cost, task.costs(d))
    assert problem.n_open == 1


def test_scaled_tasks():
    task = Specification(2).task(X)
    i, j = np.array([0, 3]), np.array([1, 5])
    bound = task.pairs.bounds_at(i, j)
    np.testing.assert_allclose(task.scaled(0.5).pairs.bounds_at(i, j), 0.5 * bound)
    assert len(task.scaled(np.inf).pairs) == 0


@pytest.mark.parametrize(
    ("said", "compared", "n_pairs"),
    [
        (dict(), "all", 380),
        (dict(group_tolerance=0.5), "within-groups", 180),
        (dict(group_tolerance=0.5, individual="all"), "all", 380),
        (dict(group_tolerance=0.5, individual=False), None, 0),
        (dict(individual="within-groups"), "within-groups", 180),
        (dict(group_bounds={"f": (0.3, 0.7)}), "within-groups", 180),
        (dict(individual=np.False_, group_tolerance=0.5), None, 0),
    ],
)
@pytest.mark.filterwarnings("ignore:sensitive_features is given")
def test_who_is_compared_with_whom(said, compared, n_pairs):
    task = Specification(2, **said).task(X, SEX)
    assert task.fairness.compared == compared
    assert sum(block.n_pairs for block in task.pairs.blocks()) == n_pairs
    assert (task.bounds is None) == (not {"group_tolerance", "group_bounds"} & set(said))


def test_some_rows_keep_the_bounds_they_have_among_all():
    weights, rows = np.arange(20.0), np.array([4, 17, 2, 9, 3])
    task = Specification(3, similarity="local", group_tolerance=0.5).task(X, SEX, weights)
    some = task.of_rows(rows)
    i, j = np.nonzero(~np.eye(5, dtype=bool))
    np.testing.assert_allclose(some.pairs.bounds_at(i, j), task.pairs.bounds_at(rows[i], rows[j]))
    np.testing.assert_array_equal(some.weights, rows)
    assert some.fairness.compared == "within-groups"
    assert some.bounds is None  # on groups: they are about everybody
    assert some.problem(np.ones((5, 3))).n_points == 5


def test_groups_without_bounds_play_no_part_and_a_warning_says_so():
    with pytest.warns(UserWarning, match="they play no part in the fit"):
        assert Specification(2).task(X, SEX).bounds is None


@pytest.mark.parametrize(
    "said",
    [dict(group_tolerance=0.1), dict(group_bounds={"f": (0, 1)}), dict(individual="within-groups")],
)
def test_groups_need_features(said):
    with pytest.raises(InvalidArgument, match=r"^(group_|individual).*fit got no sensitive"):
        Specification(2, **said).task(X)


def test_more_clusters_than_rows():
    with pytest.raises(InvalidArgument, match="n_clusters: 21 centres"):
        Specification(21).task(X)


def digest(X=X, sensitive=None, weights=None, **said):
    return digest_of(
        Specification(**{"n_clusters": 3} | said).task(X, sensitive, weights).fingerprint()
    )


def test_fingerprints_are_the_same_for_the_same_task():
    assert digest() == digest(X.copy())
    assert digest(p=2) == digest(p=2.0)
    assert digest(bound_scale=0.5) == digest(bound_scale=0.5)
    own = digest(divergence=FDivergence(lambda t: abs(t - 1)))
    assert own == digest(divergence=FDivergence(lambda t: abs(t - 1)))
    assert digest(sensitive=SEX, group_tolerance=0.2) == digest(
        sensitive=SEX.tolist(), group_tolerance=0.2
    )


def test_fingerprints_tell_tasks_apart():
    changed = X.copy()
    changed[3, 1] = np.nextafter(changed[3, 1], 9)
    others = [
        digest(),
        digest(changed),
        digest(sparse.csr_array(X)),
        digest(weights=np.arange(20.0)),
        digest(n_clusters=2),
        digest(p=1),
        digest(metric="manhattan"),
        digest(divergence="kl"),
        digest(divergence=FDivergence(lambda t: abs(t - 1))),
        digest(divergence=FDivergence(lambda t: (t - 1) ** 2)),
        digest(similarity="global"),
        digest(bound_scale=0.5),
        digest(similarity="global", bound_scale=0.5),
        digest(n_neighbors=4),
        digest(similarity=Pairs([0], [1], [0.1])),
        digest(similarity=Pairs([0], [1], [0.2])),
        digest(similarity=np.ones((20, 20))),
        digest(sensitive=SEX, group_tolerance=0.2),
        digest(sensitive=SEX, group_tolerance=0.3),
        digest(sensitive=SEX, group_tolerance=0.2, individual="all"),
        digest(sensitive=np.roll(SEX, 1), group_tolerance=0.2),
        digest(sensitive={"sex": SEX}, group_tolerance=0.2),
    ]
    assert len(set(others)) == len(others)
