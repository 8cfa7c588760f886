"""Which surface a case goes through, and what became of it."""

import time
import traceback
import warnings

import numpy as np

BATCH = 20  # cases a task


def play(seed, number):
    """(surface, summary, complaints, seconds) of one case."""
    from tests.fuzz.play import SURFACES
    from tests.fuzz.terminal import command_line

    warnings.simplefilter("ignore")
    rng = np.random.default_rng([seed, number])
    names = list(SURFACES)
    surface = str(rng.choice(names, p=[share for _, share in SURFACES.values()]))
    function = SURFACES[surface][0] or command_line
    started = time.perf_counter()
    try:
        made, complaints = function(rng)
        summary = made.summary
    except Exception:
        summary, complaints = "", [traceback.format_exc(limit=-3).strip()]
    return surface, summary, complaints, time.perf_counter() - started


def batch(seed, first):
    return [(number, *play(seed, number)) for number in range(first, first + BATCH)]
