"""Combined fairness through the front door: groups and individuals together."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.spatial.distance import cdist
from support import oracle, reference

from likewise import AssignmentProblem, LikewiseClustering, Pairs
from likewise.groups.bounds import bounds_from
from likewise.groups.membership import Groups

RNG = np.random.default_rng(0)
X = np.concatenate([RNG.normal(center, 1.0, size=(20, 2)) for center in (0, 3, 6)])
SEX = np.where(RNG.random(60) < np.repeat([0.2, 0.5, 0.8], 20), "f", "m")
RACE = RNG.integers(0, 3, 60)
FEATURES = {"sex": SEX, "race": RACE}


def fit(features=FEATURES, X=X, sample_weight=None, **parameters):
    usual = {"similarity": "global", "group_tolerance": 0.2, "max_refine": 0, "random_state": 0}
    model = LikewiseClustering(3, **(usual | parameters))
    return model.fit(X, sensitive_features=features, sample_weight=sample_weight)


def expected_problem(model, compared, weights=None, delta=0.2):
    weights = np.ones(60) if weights is None else weights
    groups = Groups.from_features(FEATURES, 60)
    d = cdist(X, X)
    i, j = np.nonzero(compared & ~np.eye(60, dtype=bool))
    cost = weights[:, None] * cdist(X, model.cluster_centers_) ** 2
    pairs = Pairs(i, j, d[i, j] / d.max())
    return AssignmentProblem(cost, pairs, "tv", bounds_from(groups, weights, delta, None))


SHARED = (SEX[:, None] == SEX) | (RACE[:, None] == RACE)
COMPARED = {
    True: SHARED,
    "within-groups": SHARED,
    "all": np.ones((60, 60), dtype=bool),
    False: np.zeros((60, 60), dtype=bool),
}


@pytest.mark.parametrize("solver", ["exact", "first-order"])
@pytest.mark.parametrize("individual", COMPARED)
def test_is_the_optimum_of_what_was_asked(individual, solver):
    model = fit(individual=individual, solver=solver, tol=1e-6)
    problem = expected_problem(model, COMPARED[individual])
    oracle.assert_fair(problem, model.distributions_)
    assert model.objective_ == pytest.approx(oracle.oracle_objective(problem), rel=2e-6)
    assert model.certificate_.is_fair
    assert model.certificate_.groups_checked == 2 * 5 * 3
    assert "bounds on groups" in str(model.certificate_)


def test_weights_count_in_the_groups():
    weights = RNG.integers(0, 4, 60).astype(float)
    model = fit(sample_weight=weights, solver="exact")
    problem = expected_problem(model, SHARED, weights)
    oracle.assert_fair(problem, model.distributions_)
    assert model.objective_ == pytest.approx(oracle.oracle_objective(problem), rel=1e-6)


def test_weights_and_repetitions_are_the_same():
    weights = RNG.integers(1, 3, 60)
    rows = np.repeat(np.arange(60), weights)
    centers = X[[0, 25, 50]]
    once = fit(sample_weight=weights, centers=centers, solver="exact")
    repeated = fit(
        {name: values[rows] for name, values in FEATURES.items()},
        X[rows],
        centers=centers,
        solver="exact",
    )
    assert once.objective_ == pytest.approx(repeated.objective_, rel=1e-7)


FORMS = {
    "pandas": pd.DataFrame(FEATURES),
    "polars": pl.DataFrame(FEATURES),
    "array": np.column_stack([SEX.astype(object), RACE.astype(object)]),
    "rows": list(zip(SEX.tolist(), RACE.tolist(), strict=True)),
}


@pytest.mark.parametrize("form", FORMS)
def test_any_form_of_features(form):
    np.testing.assert_array_equal(fit(FORMS[form]).distributions_, fit().distributions_)


def test_explicit_bounds():
    model = fit(group_tolerance=None, group_bounds={("sex", "f"): (0.35, 0.5)}, individual=False)
    mass = model.distributions_[SEX == "f"].sum(axis=0)
    share = mass / model.distributions_.sum(axis=0)
    assert share.min() >= 0.35 - 1e-9
    assert share.max() <= 0.5 + 1e-9
    assert model.group_bounds_[("sex", "f")] == (0.35, 0.5)


@pytest.mark.parametrize("similarity", ["global", "local"])
@pytest.mark.parametrize("duplicates", [False, True])
def test_every_pair_within_groups_without_a_list(similarity, duplicates, monkeypatch):
    """Scans over every pair find what a list of the pairs holds, twins across groups included."""
    rng = np.random.default_rng(3)
    data = rng.normal(size=(60, 2))
    if duplicates:
        data = data[rng.integers(0, 25, 60)]
    options = dict(X=data, similarity=similarity, solver="first-order", tol=1e-6)
    listed = fit(**options)
    monkeypatch.setattr("likewise.solvers.separation.choose.LISTED_PAIRS", 0)
    scanned = fit(**options)
    assert scanned.objective_ == pytest.approx(listed.objective_, rel=3e-6)
    assert scanned.certificate_.pairs_checked == listed.certificate_.pairs_checked
    assert scanned.gap_ <= 1e-6


def test_every_pair_within_groups_under_any_metric(monkeypatch):
    options = dict(metric="manhattan", solver="first-order", tol=1e-6)
    listed = fit(**options)
    monkeypatch.setattr("likewise.solvers.separation.choose.LISTED_PAIRS", 0)
    assert fit(**options).objective_ == pytest.approx(listed.objective_, rel=3e-6)


def test_features_without_bounds_are_pointed_out():
    with pytest.warns(UserWarning, match="no bounds on its groups"):
        model = fit(group_tolerance=None)
    assert model.certificate_.pairs_checked == 60 * 59
    within = fit(group_tolerance=None, individual="within-groups")
    assert within.certificate_.pairs_checked == SHARED.sum() - 60
    assert within.group_bounds_ == {}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (dict(features=None), "group_tolerance: fit got no sensitive_features"),
        (
            dict(features=None, group_tolerance=None, group_bounds={}),
            "group_bounds: fit got no sensitive_features",
        ),
        (
            dict(features=None, group_tolerance=None, individual="within-groups"),
            "individual: 'within-groups' needs groups",
        ),
        (dict(individual="within"), "individual: 'within' is not known. Use True, False, 'all'"),
        (dict(individual=None), "individual"),
        (dict(group_tolerance=1), "group_tolerance: 1 is not"),
        (dict(features={"sex": SEX[:5]}), "'sex' has 5 values, but X has 60 rows"),
        (dict(group_bounds={("sex", "x"): (0, 1)}), "no group"),
        (dict(group_bounds={("sex", "f"): (0.9, 0.1)}), "bounds"),
        (dict(group_bounds={("sex", "f"): (0.9, 1)}), "'f' makes up .* lower bound is 0.9"),
        (dict(missing_sensitive="drop"), "missing_sensitive: 'drop'"),
        (dict(features=None, group_tolerance=None, missing_sensitive="x"), "missing_sensitive"),
    ],
)
def test_bad_input(parameters, message):
    with pytest.raises(ValueError, match=message):
        fit(**parameters)


@pytest.mark.parametrize("seed", range(3))
def test_exact_with_next_to_no_room(seed):
    """HiGHS's presolve takes such bounds for infeasible."""
    rng = np.random.default_rng(seed)
    model = LikewiseClustering(
        4, group_tolerance=1e-9, solver="exact", individual=False, random_state=0
    ).fit(rng.normal(size=(40, 2)), sensitive_features=rng.integers(0, 3, 40))
    assert model.gap_ <= 1e-9


def test_no_bounds_are_no_bounds():
    with pytest.warns(UserWarning, match="no bounds on its groups"):
        model = fit(group_tolerance=None, group_bounds={})
    assert model.certificate_.pairs_checked == 60 * 59


def test_missing_values():
    features = {"sex": [None if i % 7 == 0 else value for i, value in enumerate(SEX)]}
    assert ("sex", None) in fit(features).group_bounds_
    with pytest.raises(ValueError, match="'sex' is missing in 9 rows"):
        fit(features, missing_sensitive="error")


needs_reference = pytest.mark.skipif(
    not reference.is_there(), reason=f"no reference results at {reference.FOLDER}"
)
COMBINED = reference.rows(algorithm="ALG-CF", n=(40, 80, 300))
ALONE = reference.rows(algorithm="GF", n=300, similarity="global")
LARGE = reference.rows(algorithm="ALG-CF", n=1000)
LARGE_ALONE = reference.rows(algorithm="GF", n=1000, similarity="global")


def is_quick(row):
    return row["n"] <= 80 or (row["n"] == 300 and row["dataset"] == "creditcard")


def check(row, solver, close):
    model = LikewiseClustering(
        row["k"],
        centers=row["center_indices"],
        similarity=reference.pairs(row) if row["n_neighbors"] else "global",
        group_tolerance=row["delta"],
        individual=row["algorithm"] == "ALG-CF",
        solver=solver,
    ).fit(reference.data(row), sensitive_features=reference.groups(row))
    assert model.objective_ / row["n"] == pytest.approx(row["mean_cost"], rel=close)
    assert model.certificate_.worst_excess <= 1e-9
    assert model.certificate_.worst_group_excess <= 1e-12
    assert model.gap_ <= max(close, 1e-8)


@needs_reference
@pytest.mark.filterwarnings("ignore::likewise.errors.SamenessWarning")  # the paper's own choice
@pytest.mark.parametrize(
    "row", [r for r in [*COMBINED, *ALONE] if is_quick(r)], ids=reference.label
)
def test_quick_reference_rows(row):
    check(row, "exact", 1e-6)


@needs_reference
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::likewise.errors.SamenessWarning")
@pytest.mark.parametrize(
    "row", [r for r in [*COMBINED, *ALONE, *LARGE_ALONE] if not is_quick(r)], ids=reference.label
)
def test_all_reference_rows(row):
    check(row, "exact", 1e-6)


@needs_reference
@pytest.mark.slow
@pytest.mark.parametrize("row", LARGE, ids=reference.label)
def test_large_reference_rows(row):
    check(row, "first-order", 1e-4)
