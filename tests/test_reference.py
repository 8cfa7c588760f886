"""Our optimum against the one the paper's authors got from CPLEX, on their centres and pairs."""

import pytest
from support import reference

from likewise import LikewiseClustering

pytestmark = [
    pytest.mark.skipif(
        not reference.is_there(), reason=f"no reference results at {reference.FOLDER}"
    ),
    # the paper's own choice of bounds and centres
    pytest.mark.filterwarnings("ignore::likewise.errors.SamenessWarning"),
]
SMALL = reference.rows(algorithm="ALG-IF", n=(40, 80, 300))
LARGE = reference.rows(algorithm="ALG-IF", n=1000, sample=1)


def is_quick(row):
    return row["n"] <= 80 or (row["n"] == 300 and row["dataset"] == "creditcard")


def check(row):
    model = LikewiseClustering(
        row["k"], centers=row["center_indices"], similarity=reference.pairs(row), solver="exact"
    ).fit(reference.data(row))
    assert model.objective_ / row["n"] == pytest.approx(row["mean_cost"], rel=1e-6)
    assert model.certificate_.worst_excess <= 1e-9
    assert model.gap_ <= 1e-8


@pytest.mark.parametrize("row", [r for r in SMALL if is_quick(r)], ids=reference.label)
def test_quick_rows(row):
    check(row)


@pytest.mark.slow
@pytest.mark.parametrize("row", [r for r in SMALL if not is_quick(r)], ids=reference.label)
def test_all_small_rows(row):
    check(row)


@pytest.mark.slow
@pytest.mark.parametrize("row", LARGE, ids=reference.label)
def test_all_large_rows(row):
    check(row)


NAMED = reference.rows(algorithm="ALG-IF", n=80, dataset=("bank", "creditcard"))


@pytest.mark.parametrize("row", NAMED, ids=reference.label)
def test_named_similarity_is_the_papers(row):
    """Where no ties at the last neighbour blur it, "global" and "local" are F1 and F2."""
    n_neighbors = row["n_neighbors"] if row["similarity"] == "global" else None
    model = LikewiseClustering(
        row["k"],
        centers=row["center_indices"],
        similarity=row["similarity"],
        n_neighbors=n_neighbors,
    ).fit(reference.data(row))
    assert model.objective_ / row["n"] == pytest.approx(row["mean_cost"], rel=1e-6)
