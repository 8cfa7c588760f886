"""Compiled code is kept where it can be; where it cannot, everything works and one line says so."""

import os
import pickle
import subprocess
import sys
import warnings

import numba as nb
import pytest

from likewise.compute import code_cache
from likewise.compute.code_cache import ForgivingCache, cached


class Broken:
    """A cache in which everything fails."""

    def __init__(self, problem):
        self.problem, self.flushed = problem, False

    def load_overload(self, sig, target_context):
        raise self.problem

    def save_overload(self, sig, data):
        raise self.problem

    def flush(self):
        self.flushed = True


@pytest.fixture(autouse=True)
def _not_warned_yet(monkeypatch):
    monkeypatch.setattr(code_cache, "_warned", False)


def test_code_that_refers_to_moved_modules_is_forgotten():
    broken = Broken(ModuleNotFoundError("No module named 'likewise.moved'"))
    assert ForgivingCache(broken).load_overload((), None) is None
    assert broken.flushed


def test_a_full_disk_is_told_once():
    forgiving = ForgivingCache(Broken(OSError(28, "No space left on device")))
    with pytest.warns(RuntimeWarning, match=r"No space left.*NUMBA_CACHE_DIR") as told:
        forgiving.save_overload((), None)
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        forgiving.save_overload((), None)


def test_code_for_other_types_is_not_taken():
    """Two processes may have written the same file at once."""

    class Mixed(Broken):
        def load_overload(self, sig, target_context):
            return twice.overloads[twice.signatures[0]]

    twice = nb.njit(lambda x: 2 * x)
    twice(1)
    (made_for,) = twice.signatures
    assert ForgivingCache(Mixed(None)).load_overload(made_for, None) is not None
    assert ForgivingCache(Mixed(None)).load_overload((nb.float64,), None) is None


def test_no_place_for_it(monkeypatch):
    def nowhere(self):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(nb.core.dispatcher.Dispatcher, "enable_caching", nowhere)
    with pytest.warns(RuntimeWarning, match="NUMBA_CACHE_DIR"):
        twice = cached(nb.njit())(lambda x: 2 * x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cached(nb.njit())(lambda x: 3 * x)(2) == 6
    assert twice(2) == 4


def test_it_is_kept_and_read_again_and_damage_is_mended(tmp_path):
    code = """
import numpy as np
from likewise.solvers.divergence_ops.move_kernels import move_towards_each_other as move
move(np.eye(2), 0, 1, 0.5)
print(sum(move.stats.cache_hits.values()), sum(move.stats.cache_misses.values()))
"""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}

    def hits_and_misses():
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout.split()

    assert hits_and_misses() == ["0", "1"]
    assert hits_and_misses() == ["1", "0"]
    for index in tmp_path.rglob("*.nbi"):
        version = pickle.loads(index.read_bytes())
        index.write_bytes(pickle.dumps(version) + b"damaged")
    assert hits_and_misses() == ["0", "1"]
    assert hits_and_misses() == ["1", "0"]
