"""People who come later: against scipy's linear programs and CVXPY, one person at a time."""

import pickle

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import linprog
from scipy.spatial.distance import cdist

from likewise import InvalidArgument, LikewiseClustering, Pairs
from likewise.errors import RelaxationWarning
from likewise.prediction.out_of_sample import OutOfSampleExtension
from likewise.prediction.predictor import in_percent, most_likely


def blobs(n=60, d=2, seed=0):
    random = np.random.default_rng(seed)
    return random.normal(size=(n, d)) + 4 * random.integers(0, 3, size=(n, 1))


def oracle(cost, others, bound, relaxed=False):
    """min cost.x with TV(x, others_i) <= bound_i (times t, the objective, if relaxed)."""
    n, k = others.shape
    used = np.flatnonzero(bound < np.inf)
    others, bound = others[used], bound[used]
    n = len(used)
    # variables x (k), u (n, k) >= x - others_i, t
    c = np.concatenate(
        [
            1e-7 * cost / np.abs(cost).max() if relaxed else cost,
            np.zeros(n * k),
            [1.0 if relaxed else 0.0],
        ]
    )
    rows, limits = [], []
    for i in range(n):
        for center in range(k):
            row = np.zeros(k + n * k + 1)
            row[center], row[k + i * k + center] = 1, -1
            rows.append(row)
            limits.append(others[i, center])
        row = np.zeros(k + n * k + 1)
        row[k + i * k : k + (i + 1) * k] = 1
        row[-1] = -bound[i]
        rows.append(row)
        limits.append(0.0)
    total = np.zeros((1, k + n * k + 1))
    total[0, :k] = 1
    t = (1.0, None) if relaxed else (1.0, 1.0)
    limits_of = [(0, None)] * (k + n * k) + [t]
    exact = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(
        c, np.array(rows), limits, total, [1.0], limits_of, method="highs", options=exact
    )
    return None if found.status == 2 else (found.x[:k], found.x[-1])


def bounds_by_hand(X, new, similarity, k):
    """Both directions, as the similarities are defined."""
    away = cdist(new, X)
    if similarity == "global":
        return away / cdist(X, X).max()
    ball = len(X) // k
    own = np.sort(away, axis=1)[:, ball - 1 : ball]
    theirs = np.sort(cdist(X, X), axis=1)[:, ball]
    return np.minimum(np.minimum(away / own, away / theirs), 1.0)


@given(
    st.integers(0, 10_000),
    st.sampled_from([2, 3, 5]),
    st.sampled_from(["global", "local"]),
    st.sampled_from([1, 2, 3.5]),
)
def test_cheapest_within_every_bound(seed, k, similarity, p):
    X = blobs(40, seed=seed)
    model = LikewiseClustering(k, p=p, similarity=similarity, random_state=0).fit(X)
    new = blobs(6, seed=seed + 1) * 1.2
    chances, factors = model.predict_proba(new, return_relaxation=True)
    cost = cdist(new, model.cluster_centers_) ** p
    bound = bounds_by_hand(X, new, similarity, k)
    np.testing.assert_allclose(chances.sum(axis=1), 1, atol=1e-12)
    assert chances.min() >= 0
    tv = 0.5 * np.abs(chances[:, None] - model.distributions_[None]).sum(axis=2)
    assert (tv <= bound * factors[:, None] + 1e-8).all()
    for row in range(len(new)):
        strict = oracle(cost[row], model.distributions_, bound[row])
        if strict is None:
            _, factor = oracle(cost[row], model.distributions_, bound[row], relaxed=True)
            assert factors[row] == pytest.approx(factor, rel=1e-5)
        else:
            assert factors[row] == 1
            best = cost[row] @ strict[0]
            assert cost[row] @ chances[row] == pytest.approx(best, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize(
    ("factor", "words"),
    [(1.0000004, "4e-05%"), (1.034, "3.4%"), (2 / 3 / 0.25, "167%"), (1e4, "999,900%")],
)
def test_how_far_bounds_are_relaxed_is_said_in_percent(factor, words):
    assert in_percent(factor) == words


def test_impossible_bounds_are_relaxed_and_said():
    """Three points sure of three centres, a newcomer near all of them: no way but to relax."""
    X = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]])
    model = LikewiseClustering(3, similarity=lambda a, b: 1.0, random_state=0).fit(X)
    np.testing.assert_allclose(np.sort(model.distributions_.max(axis=1)), 1)
    model = LikewiseClustering(
        3, similarity=lambda a, b: 1.0 if len(a) == 3 and {0.0, 1.0} >= {*a, *b} else 0.25
    ).fit(X)
    newcomer = np.full((1, 3), 1 / 3)
    with pytest.warns(RelaxationWarning, match="1 of 1 rows.* up to 167%"):
        model.predict_proba(newcomer)
    chances, factors = model.predict_proba(newcomer, return_relaxation=True)
    np.testing.assert_allclose(chances, 1 / 3, atol=1e-5)
    assert factors[0] == pytest.approx((2 / 3) / 0.25, rel=1e-5)


@pytest.mark.parametrize("similarity", ["global", "local"])
@pytest.mark.parametrize("options", [{}, {"n_neighbors": 8}, {"p": np.inf}, {"metric": "cosine"}])
def test_fitted_points_get_their_own_back(similarity, options):
    X = blobs(50, 3)
    X[7] = X[3]
    model = LikewiseClustering(3, similarity=similarity, random_state=0, **options).fit(X)
    chances, factors = model.predict_proba(X, return_relaxation=True)
    np.testing.assert_allclose(chances, model.distributions_, atol=1e-12)
    assert (factors == 1).all()
    assert (model.predict(X) == model.labels_).all()


@pytest.mark.parametrize("divergence", ["tv", "kl", "hellinger", "max-ratio"])
def test_one_at_a_time_or_all_at_once(divergence):
    X, new = blobs(50), blobs(12, seed=5)
    model = LikewiseClustering(3, divergence=divergence, random_state=0, tol=1e-3).fit(X)
    together = model.predict_proba(new, return_relaxation=True)
    for row in range(len(new)):
        alone = model.predict_proba(new[row : row + 1], return_relaxation=True)
        np.testing.assert_array_equal(alone[0][0], together[0][row])
        assert alone[1][0] == together[1][row]


@pytest.mark.parametrize("divergence", ["kl", "hellinger"])
def test_curved_divergences_against_cvxpy(divergence):
    X, new = blobs(30, seed=2), blobs(5, seed=6)
    model = LikewiseClustering(
        3, similarity="global", divergence=divergence, random_state=0, tol=1e-3
    ).fit(X)
    chances, factors = model.predict_proba(new, return_relaxation=True)
    cost = cdist(new, model.cluster_centers_) ** 2
    bound = bounds_by_hand(X, new, "global", 3)
    for row in range(len(new)):
        x = cp.Variable(3)
        rules = [cp.sum(x) == 1, x >= 0]
        for i, other in enumerate(model.distributions_):
            q = np.maximum(other, 1e-12)
            if divergence == "kl":
                rules += [cp.sum(cp.kl_div(x, q)) <= bound[row, i]]
                rules += [cp.sum(cp.kl_div(q, x)) <= bound[row, i]]
            else:
                rules += [1 - cp.sum(cp.multiply(np.sqrt(q), cp.sqrt(x))) <= bound[row, i]]
        problem = cp.Problem(cp.Minimize(cost[row] @ x), rules)
        problem.solve(solver=cp.CLARABEL)
        if problem.status == "optimal" and factors[row] == 1:
            assert cost[row] @ chances[row] == pytest.approx(problem.value, rel=1e-4)
        else:
            assert problem.status != "optimal"
            assert factors[row] > 1


def test_only_those_who_share_a_group_are_compared():
    X = blobs(60)
    sex = np.array(["f", "m"])[np.arange(60) % 2]
    model = LikewiseClustering(3, similarity="global", group_tolerance=0.5, random_state=0).fit(
        X, sensitive_features=sex
    )
    new = blobs(4, seed=9)
    chances, factors = model.predict_proba(
        new, sensitive_features=["f"] * 4, return_relaxation=True
    )
    bound = bounds_by_hand(X, new, "global", 3)
    tv = 0.5 * np.abs(chances[:, None] - model.distributions_[None]).sum(axis=2)
    women = sex == "f"
    assert (tv[:, women] <= bound[:, women] * factors[:, None] + 1e-8).all()
    with pytest.warns(UserWarning, match="compared with nobody"):
        stranger = model.predict_proba(new, sensitive_features=["x"] * 4)
    np.testing.assert_allclose(stranger.max(axis=1), 1)  # compared with nobody: the nearest centre
    with pytest.raises(InvalidArgument, match=r"sensitive_features.*same attributes"):
        model.predict_proba(new)


def test_protected_values_that_nobody_had_are_said():
    """Who has them is compared with nobody: they get their cheapest centre, and a warning."""
    random = np.random.default_rng(3)
    X = random.normal(size=(30, 2))
    people = {"sex": random.choice(["f", "m"], 30), "plan": random.choice([1, 2], 30)}
    model = LikewiseClustering(3, group_tolerance=0.5, random_state=0)
    model.fit(X, sensitive_features=people)
    new = {"sex": ["f", "x", "x", "y"], "plan": [1, 1, 7, 7]}
    with pytest.warns(UserWarning, match="that nobody had") as said:
        chances = model.predict_proba(X[:4] + 0.1, sensitive_features=new)
    (warning,) = said
    assert warning.filename == __file__  # where it was asked
    message = str(warning.message)
    assert message.startswith("3 of 4 rows have protected values that nobody had")
    assert "('sex' = 'x', 'sex' = 'y', 'plan' = 7)" in message
    assert "2 of them are compared with nobody, so they get their cheapest centre" in message
    assert "1 only with those who share their other values" in message
    nearest = cdist(X[2:4] + 0.1, model.cluster_centers_).argmin(axis=1)
    np.testing.assert_array_equal(chances[2:], np.eye(3)[nearest])
    with pytest.warns(UserWarning, match="compared with nobody"):
        model.predict(X[:1], sensitive_features={"sex": ["x"], "plan": [7]})


@pytest.mark.parametrize("attributes", [{"sex": ["f"]}, {"gender": ["f"], "plan": [1]}, ["f"]])
def test_other_attributes_than_in_fit_are_an_error(attributes):
    people = {"sex": ["f", "m"] * 5, "plan": [1, 2] * 5}
    model = LikewiseClustering(2, group_tolerance=0.5, centers=[0, 9])
    model.fit(np.arange(10.0)[:, None], sensitive_features=people)
    with pytest.raises(InvalidArgument, match=r"fit had 'sex', 'plan', not .*same names"):
        model.predict_proba([[0.5]], sensitive_features=attributes)


def test_similarities_that_cannot_know_newcomers():
    X = blobs(20)
    model = LikewiseClustering(2, similarity=Pairs([0], [1], [0.1]), random_state=0).fit(X)
    with pytest.raises(InvalidArgument, match=r"similarity.*'global', 'local' or a function"):
        model.predict_proba(X + 1)


def test_newcomers_to_sparse_data():
    X, new = blobs(40), blobs(5, seed=3)
    for metric in ("euclidean", "cosine"):
        dense = LikewiseClustering(3, metric=metric, random_state=0).fit(X)
        stored = LikewiseClustering(3, metric=metric, random_state=0).fit(sparse.csr_array(X))
        found, expected = (
            model.predict_proba(new, return_relaxation=True) for model in (stored, dense)
        )
        np.testing.assert_allclose(found[0], expected[0], atol=1e-6)
        np.testing.assert_allclose(found[1], expected[1], rtol=1e-6)
        with pytest.raises(TypeError, match=r"toarray\(\)"):
            stored.predict_proba(sparse.csr_array(new))


def test_precomputed_distances():
    X, new = blobs(40), blobs(5, seed=3)
    vectors = LikewiseClustering(3, random_state=0).fit(X)
    table = LikewiseClustering(
        3, metric="precomputed", centers=vectors.center_indices_, random_state=0
    ).fit(cdist(X, X))
    np.testing.assert_allclose(
        table.predict_proba(cdist(new, X)), vectors.predict_proba(new), atol=1e-6
    )


def test_a_model_that_was_stored_still_predicts():
    X, new = blobs(40), blobs(5, seed=3)
    model = LikewiseClustering(3, random_state=0).fit(X)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(new), model.predict_proba(new))


@pytest.mark.parametrize("similarity", ["global", "local", lambda a, b: abs(float(a[0] - b[0]))])
def test_only_one_row_with_weight(similarity):
    """It has no neighbour of its own: whoever comes later is at the edge of its ball."""
    X = np.arange(6.0)[:, None]
    weights = np.array([0.0, 1, 0, 0, 0, 0])
    model = LikewiseClustering(2, similarity=similarity, centers=np.array([1, 4]))
    model.fit(X, sample_weight=weights)
    chances, factors = model.predict_proba(np.array([[2.5], [1.0]]), return_relaxation=True)
    assert (factors == 1).all()
    np.testing.assert_array_equal(chances[1], model.distributions_[1])


def test_weights_of_zero_and_precomputed_distances():
    X, new = blobs(30), blobs(4, seed=8)
    weights = np.ones(30)
    weights[::5] = 0
    rows = LikewiseClustering(3, random_state=0).fit(X, sample_weight=weights)
    table = LikewiseClustering(3, metric="precomputed", centers=rows.center_indices_)
    table.fit(cdist(X, X), sample_weight=weights)
    np.testing.assert_allclose(
        table.predict_proba(cdist(new, X)), rows.predict_proba(new), atol=1e-6
    )


def test_k_center_newcomers_do_not_mind_company():
    X = blobs(40)
    model = LikewiseClustering(3, p=np.inf, random_state=0).fit(X)
    new = blobs(3, seed=4)
    far = np.vstack([new, [[1e4, 1e4]]])
    np.testing.assert_array_equal(model.predict_proba(new), model.predict_proba(far)[:3])


def test_predict_measures_once(monkeypatch):
    X, new = blobs(40), blobs(5, seed=3)
    model = LikewiseClustering(3, random_state=0).fit(X)
    measured = []
    original = OutOfSampleExtension.to_centers

    def counting(self, *points):
        measured.append(original(self, *points))
        return measured[-1]

    monkeypatch.setattr(OutOfSampleExtension, "to_centers", counting)
    labels = model.predict(new)
    assert len(measured) == 1
    np.testing.assert_array_equal(labels, most_likely(model.predict_proba(new), measured[0]))


def test_rows_that_were_fitted_are_not_solved_for(monkeypatch):
    from likewise.prediction import out_of_sample

    X = blobs(n=20)
    model = LikewiseClustering(3, metric="manhattan", random_state=0).fit(X)
    rows = np.concatenate([X[:4], X[4:7] + 0.01])
    expected = model.predict_proba(rows)
    asked = []
    solve = out_of_sample.cheapest_fair

    def counted(costs, *rest):
        asked.append(len(costs))
        return solve(costs, *rest)

    monkeypatch.setattr(out_of_sample, "cheapest_fair", counted)
    np.testing.assert_array_equal(model.predict_proba(rows), expected)
    np.testing.assert_array_equal(model.predict_proba(X), model.distributions_)
    assert asked == [3]


def test_relaxation_is_said_where_it_was_asked():
    X = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]])
    model = LikewiseClustering(
        3, similarity=lambda a, b: 1.0 if {0.0, 1.0} >= {*a, *b} else 0.25, random_state=0
    ).fit(X)
    for ask in (model.predict, model.predict_proba):
        with pytest.warns(RelaxationWarning) as said:
            ask(np.full((1, 3), 1 / 3))
        assert [warning.filename for warning in said] == [__file__]


def test_a_single_fitted_row_that_counts_is_enough():
    """With all others of weight 0, nobody lives near it: no ball is too small for newcomers."""
    X = np.array([[0.0], [1.0]])
    model = LikewiseClustering(2, similarity="local", random_state=0)
    model.fit(X, sample_weight=[1.0, 0.0])
    np.testing.assert_allclose(model.predict_proba([[0.0]]), model.distributions_[:1], atol=1e-12)
    chances, factors = model.predict_proba([[0.9]], return_relaxation=True)
    assert chances.sum() == pytest.approx(1.0)
    assert factors.tolist() == [1.0]
