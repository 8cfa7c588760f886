"""Ranges of work, and the threads they are given to."""

import os
import subprocess
import sys
import threading
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from likewise.compute import threads
from likewise.compute.threads import is_one_range, over_ranges, range_edges, use_cores


@pytest.fixture
def cores(monkeypatch):
    """Says how many cores there are, for one test."""
    monkeypatch.setattr(threads, "_at_most", None)  # put back afterwards, whatever is said
    threads._crew.cache_clear()
    yield use_cores
    threads._crew.cache_clear()


@given(st.integers(0, 10**6), st.integers(1, 10**5))
def test_ranges_make_up_the_whole(n, grain):
    edges = range_edges(n, grain)
    assert edges[0] == 0
    assert edges[-1] == n
    assert len(edges) - 1 <= threads.MOST_RANGES
    sizes = np.diff(edges)
    assert sizes.max() - sizes.min() <= 1
    assert is_one_range(n, grain) == (len(edges) == 2)
    assert is_one_range(n, grain) or sizes.min() >= grain


@pytest.mark.parametrize("count", [1, 2, 5])
def test_answers_come_in_order_and_do_not_depend_on_the_cores(cores, count):
    cores(count)
    values = np.random.default_rng(0).normal(size=1000)
    found = over_ranges(lambda lo, hi, v: v[lo:hi].sum(), 1000, values, grain=100)
    assert found == [values[lo:hi].sum() for lo, hi in pairwise(range_edges(1000, 100))]


def test_little_work_stays_in_this_thread(cores):
    cores(4)
    here = threading.get_ident()
    assert over_ranges(lambda lo, hi: (threading.get_ident(), lo, hi), 150, grain=100) == [
        (here, 0, 150)
    ]


def test_one_core_needs_no_threads(cores):
    cores(1)
    found = over_ranges(lambda lo, hi: threading.get_ident(), 1000, grain=100)
    assert found == [threading.get_ident()] * 10


def test_ranges_run_at_the_same_time(cores):
    cores(2)
    both = threading.Barrier(2, timeout=30)  # broken if one waits for the other to end
    assert sorted(over_ranges(lambda lo, hi: both.wait(), 200, grain=100)) == [0, 1]


def test_errors_arrive(cores):
    cores(2)
    with pytest.raises(ZeroDivisionError):
        over_ranges(lambda lo, hi: 1 // (lo - lo), 1000, grain=100)


def test_the_grain_by_default(cores):
    cores(1)
    assert len(over_ranges(lambda lo, hi: None, 2 * threads.GRAIN)) == 2
    assert len(over_ranges(lambda lo, hi: None, 2 * threads.GRAIN - 1)) == 1


def test_cores_of_this_process(cores, monkeypatch):
    assert 1 <= threads.n_cores() <= (os.cpu_count() or 1)
    cores(3)
    assert threads.n_cores() == 3


def test_linear_algebra_on_several_threads_changes_no_bit():
    """It would add up in another order; a fit asks for one thread."""
    code = """
import hashlib
import numpy as np
from likewise import LikewiseClustering
X = np.random.default_rng(0).normal(size=(1500, 6))
model = LikewiseClustering(5, n_neighbors=5, similarity="local", random_state=0, tol=1e-2)
print(hashlib.sha256(model.fit(X).distributions_.tobytes()).hexdigest())
"""

    def answer(threads):
        environment = os.environ | {"OPENBLAS_NUM_THREADS": threads, "MKL_NUM_THREADS": threads}
        return subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, check=True
        ).stdout

    assert answer("1") == answer("4")


def test_outside_a_fit_the_threads_are_as_they_were():
    before = [library["num_threads"] for library in threadpool_info()]
    with threads.plain_blas():
        inside = [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]
    assert set(inside) == {1}
    assert [library["num_threads"] for library in threadpool_info()] == before
