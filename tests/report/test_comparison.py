"""This clustering beside others."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from support.commands import invoke

from likewise.report import comparison, content
from likewise.report.page import draw
from likewise.report.run import read_run


def test_ours_hard_and_soft(folder):
    found = content.gather(read_run(folder / "run")).comparison
    ours, hard, soft = found.ways
    assert (found.ours, found.hard) == (ours, hard)
    assert hard.name == "hard clustering"
    assert ours.audit.pairs.count == 0
    assert ours.audit.pairs.checked == hard.audit.pairs.checked == 90 * 89
    assert hard.price == pytest.approx(1.0)
    assert soft.cost == pytest.approx(ours.cost, rel=1e-6)


def test_a_sample_is_judged_by_the_bounds_of_the_run(folder, monkeypatch):
    monkeypatch.setattr(comparison, "JUDGED_ROWS", 40)
    run = read_run(folder / "run")
    gathered = content.gather(run)
    rows = gathered.comparison.judged
    assert len(rows) == 40
    X, k = run.prepared.X, run.n_clusters
    bound = cdist(X, X) / cdist(X, X).max()  # the largest distance of all 90
    label = cdist(X, X[run.center_rows]).argmin(axis=1)
    above = (label[:, None] != label[None, :]) & (bound < 1 - 1e-9)
    hard = gathered.comparison.hard
    assert hard.audit.pairs.count == above[np.ix_(rows, rows)].sum()
    assert hard.audit.pairs.checked == 40 * 39
    assert hard.cost == pytest.approx(  # costs are those of everybody
        np.sqrt((cdist(X, X[run.center_rows]).min(axis=1) ** 2).sum())
    )
    text = draw(gathered)
    assert "Pairs are counted among 40 of the 90 people, chosen at random" in text
    assert "people concerned, of 40" in text
    assert k == 3


def test_slow_divergences_are_judged_on_fewer(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(comparison, "JUDGED_ROWS_BY_LOGARITHMS", 30)
    done = invoke(
        "fit", folder / "people.csv", "-k", 2, "--features", "income", "--divergence", "kl",
        "--tol", 0.1, "--out", tmp_path / "run",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    gathered = content.gather(read_run(tmp_path / "run"))
    assert len(gathered.comparison.judged) == 30
    assert not gathered.comparison.of_everybody
    assert ">infinite</td>" in draw(gathered)  # KL of two different labels
    assert gathered.comparison.ours.audit.pairs.checked == 90 * 89  # by the certificate


def test_examples_are_pairs_of_the_run_with_everybody_once(folder, monkeypatch):
    monkeypatch.setattr(comparison, "JUDGED_ROWS", 40)
    run = read_run(folder / "run")
    found = content.gather(run).comparison
    X = run.prepared.X
    bound = cdist(X, X) / cdist(X, X).max()
    people = [found.judged[row] for pair in found.hard.audit.examples for row in (pair.i, pair.j)]
    assert len(people) == len(set(people)) == 2 * comparison.EXAMPLES
    for pair in found.hard.audit.examples:
        assert pair.bound == pytest.approx(bound[found.judged[pair.i], found.judged[pair.j]])
        assert pair.divergence == 1.0


def test_what_the_certificate_left_open_is_judged(folder):
    run = read_run(folder / "run")
    cut_short = replace(run.certificate, pairs_checked=10, pairs_left=90 * 89 - 10)
    found = content.gather(replace(run, certificate=cut_short))
    assert found.comparison.ours.audit.pairs.checked == 90 * 89
    assert "8,010 pairs checked for this page" in draw(found)
    assert "yes, proven" in draw(found)
    at_random = np.random.default_rng(0).dirichlet(np.ones(3), 90)
    wrong = content.gather(replace(run, certificate=cut_short, distributions=at_random))
    assert wrong.comparison.ours.audit.pairs.count > 0
    assert "yes" not in draw(wrong).split('id="summary"')[1].split("</b>")[0]


def test_a_sample_of_what_the_certificate_left_open_proves_nothing(folder, monkeypatch):
    monkeypatch.setattr(comparison, "JUDGED_ROWS", 40)
    run = read_run(folder / "run")
    cut_short = replace(run.certificate, pairs_checked=10, pairs_left=90 * 89 - 10)
    text = draw(content.gather(replace(run, certificate=cut_short)))
    assert "10 of 8,010 pairs checked" in text
    assert "yes, as far as checked" in text
    assert "yes, proven" not in text
