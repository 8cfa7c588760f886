"""Which surface a case goes through, and what became of it."""

import time
import traceback
import warnings
from dataclasses import dataclass, field

import numpy as np

from tests.fuzz import clocks, others
from tests.fuzz.fits import estimator
from tests.fuzz.generate import DIVERGENCES, METRICS, MOST, case, divergence_of
from tests.fuzz.terminal import command_line

LONGEST = 90.0  # seconds after which a case is said not to end

SURFACES = {  # the share of the cases that goes there, and the most points it is given
    "estimator": (estimator, 0.74, MOST),
    "solve": (others.lower_level, 0.1, 25),
    "lower bound": (others.bound, 0.03, 12),
    "frontier": (others.price, 0.03, 12),
    "audit": (others.audit, 0.04, 30),
    "bad input": (others.bad_input, 0.03, 15),
    "command line": (command_line, 0.03, 20),
}


@dataclass
class Played:
    """A case, and what became of it."""

    number: int
    surface: str
    summary: str = ""
    kinds: list = field(default_factory=list)
    found: list = field(default_factory=list)
    complaints: list = field(default_factory=list)
    seconds: float = 0.0


def warm():
    """Compile, or load, what cases need before any of them is timed."""
    from likewise import LikewiseClustering

    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(12, 2)), {"g": np.arange(12) % 2}
    for divergence in map(divergence_of, DIVERGENCES):
        for options in ({}, {"similarity": "local", "group_tolerance": 0.5}, {"p": np.inf}):
            for solver in ("exact", "first-order"):
                model = LikewiseClustering(
                    3, divergence=divergence, solver=solver, random_state=0, max_time=1.0, **options
                )
                told = {"sensitive_features": groups} if "group_tolerance" in options else {}
                model.fit(X, **told).predict_proba(X + 0.1, **told)
    gaps = X.copy()
    gaps[0, 0] = np.nan
    for metric in METRICS[1:-1]:
        for rows in (X, gaps) if metric == "gower" else (X,):
            LikewiseClustering(3, metric=metric).fit(rows).predict_proba(rows)


def play(seed, number):
    """One case, from two numbers."""
    warnings.simplefilter("ignore")
    rng = np.random.default_rng([seed, number])
    shares = [share for _, share, _ in SURFACES.values()]
    surface = str(rng.choice(list(SURFACES), p=shares))
    function, _, most = SURFACES[surface]
    made = case(rng, most)
    played = Played(number, surface, made.summary)
    started = time.perf_counter()
    try:
        with clocks.alarm(LONGEST):
            played.complaints = function(made, rng)
    except (Exception, clocks.Endless):
        played.complaints = [traceback.format_exc(limit=-4).strip()]
    played.seconds = time.perf_counter() - started
    played.summary, played.found = made.summary, sorted(made.found)
    played.kinds = made.kinds if surface in ("estimator", "solve") else []
    return played


def batch(seed, first, count):
    """Several cases: a task of a worker."""
    return [play(seed, number) for number in range(first, first + count)]
