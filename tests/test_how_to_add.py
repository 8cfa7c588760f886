"""The worked examples of docs/architecture.md, run as they stand there."""

import json
import re

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from support import oracle, rooms
from support.problems import random_problem
from typer.testing import CliRunner

from likewise import AssignmentProblem, LikewiseClustering, solve

TEXT = rooms.DOCUMENT.read_text(encoding="utf-8")


def example(heading):
    """What the code under a heading defines."""
    section = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    defined = {"__name__": "an_example"}
    exec(compile(code, heading, "exec"), defined)
    return defined


@pytest.fixture
def people():
    rng = np.random.default_rng(0)
    return rng.normal(size=(30, 2)) + 3 * rng.integers(0, 2, size=(30, 1))


def test_a_divergence():
    defined = example("How to add a divergence")
    formulas, divergence = defined["Neyman"], defined["neyman"]
    P, Q = np.random.default_rng(0).dirichlet(np.ones(4), size=(2, 50))
    np.testing.assert_allclose(divergence.values(P, Q), ((P - Q) ** 2 / P).sum(axis=1), rtol=1e-12)
    for a in (-5.0, -0.3, 0.0, 0.4, 0.9):
        found = minimize_scalar(lambda s, a=a: (np.exp(s) - 1) ** 2 / np.exp(s) - a * np.exp(s))
        assert formulas.conjugate(a) == pytest.approx(-found.fun, abs=1e-7)
    problem = random_problem(3, n=8, k=3, scale=0.5)
    problem = AssignmentProblem(problem.cost, problem.pairs, divergence)
    answer = solve(problem, tol=1e-3)
    oracle.assert_fair(problem, answer.distributions)


def test_a_similarity(people, monkeypatch):
    from likewise.similarities import build

    monkeypatch.setattr(build, "NAMED", dict(build.NAMED))
    example("How to add a similarity")
    model = LikewiseClustering(3, similarity="per-unit", random_state=0).fit(people)
    i, j = np.triu_indices(len(people), 1)
    apart = 0.5 * np.abs(model.distributions_[i] - model.distributions_[j]).sum(axis=1)
    assert (apart <= np.linalg.norm(people[i] - people[j], axis=1) / 10 + 1e-9).all()
    np.testing.assert_allclose(model.predict_proba(people), model.distributions_, atol=1e-9)


def test_a_solver(people):
    from likewise.solvers import engines

    before = dict(engines.ENGINES)
    try:
        example("How to add a solver")
        model = LikewiseClustering(3, solver="careful", tol=1e-2, random_state=0).fit(people)
    finally:
        engines.ENGINES.clear()
        engines.ENGINES.update(before)
    assert model.solver_ == "careful"
    assert model.certificate_.is_fair
    assert model.gap_ <= 1e-3


def test_a_command():
    from likewise.cli.app import app

    before = list(app.registered_commands)
    try:
        example("How to add a command")
        ended = CliRunner().invoke(app, ["rooms", "--json"])
    finally:
        app.registered_commands[:] = before
    assert ended.exit_code == 0
    assert json.loads(ended.stdout)["rooms"] > 10
