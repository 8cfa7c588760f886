"""The executor that works on a cluster: the same answers, whatever happens to workers."""

import os
import pickle
import random
import signal
import threading
import time

import numpy as np
import pytest
from sklearn.base import clone
from support import reference

from likewise import LikewiseClustering
from likewise.compute.cancellation import cut_short
from likewise.compute.executor import LOCAL
from likewise.distributed import client as connecting
from likewise.distributed.client import check_memory, check_versions, executor_for
from likewise.distributed.executor import DaskExecutor
from likewise.distributed.transfer import Sent, size_of
from likewise.errors import InvalidArgument, NotEnoughMemory

OPTIONS = [
    dict(similarity="global"),
    dict(similarity="local"),
    dict(n_neighbors=7),
    dict(metric="manhattan", p=1),
    dict(divergence="hellinger", n_neighbors=6),
    dict(p=np.inf, similarity="local"),
    dict(group_tolerance=0.3),
]
QUICK = (0, 3, 6)  # seeds: every pair, other distances, groups
SEEDS = [pytest.param(s, marks=[] if s in QUICK else pytest.mark.slow) for s in range(20)]


@pytest.fixture
def executor(client):
    return DaskExecutor(client, least_pairs=0)  # everything is worth sending


def instance(seed):
    random = np.random.default_rng(seed)
    n = int(random.integers(40, 160))
    X = random.normal(size=(n, int(random.integers(1, 5)))).round(1)  # duplicates and ties
    options = OPTIONS[seed % len(OPTIONS)]
    groups = random.integers(0, 2, size=n) if "group_tolerance" in options else None
    model = LikewiseClustering(int(random.integers(2, 5)), random_state=seed, **options)
    return model, X, groups


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::likewise.errors.SamenessWarning")  # of whatever was drawn
@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_answer_as_here(seed, executor):
    here, X, groups = instance(seed)
    there = clone(here).set_params(engine=executor)
    here.fit(X, sensitive_features=groups)
    there.fit(X, sensitive_features=groups)
    np.testing.assert_array_equal(here.distributions_, there.distributions_)
    assert here.objective_ == there.objective_
    assert here.n_iter_ == there.n_iter_
    assert here.certificate_.pairs_checked == there.certificate_.pairs_checked
    assert here.certificate_.worst_excess == there.certificate_.worst_excess
    assert here.lower_bound_ == pytest.approx(there.lower_bound_, rel=1e-12)


@pytest.mark.parametrize(
    "options",
    [pytest.param(dict(similarity="global"), marks=pytest.mark.slow), dict(similarity="local")],
    ids=str,
)
def test_the_same_answer_by_tiles(options, executor):
    """More points than are listed: every pair, a tile at a time."""
    X = np.random.default_rng(0).normal(size=(2900, 2))
    models = [
        LikewiseClustering(3, tol=1e-1, random_state=0, engine=each, **options).fit(X)
        for each in ("local", executor)
    ]
    np.testing.assert_array_equal(*(model.distributions_ for model in models))
    assert models[0].n_iter_ == models[1].n_iter_


@pytest.mark.slow
@pytest.mark.skipif(not reference.is_there(), reason=f"no reference at {reference.FOLDER}")
def test_the_same_answer_for_creditcard(client):
    X = reference.samples("creditcard_by_size")["X_4000"]
    here, there = (
        LikewiseClustering(4, random_state=0, engine=each).fit(X) for each in ("local", client)
    )
    assert there.objective_ == pytest.approx(here.objective_, rel=1e-9)
    assert there.n_iter_ == here.n_iter_


def kill_one_worker(client, after):
    """SIGKILL to a worker process, chosen by chance; a nanny starts another."""

    def kill():
        time.sleep(after)
        pids = list(client.run(os.getpid).values())
        os.kill(random.choice(pids), signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def wait_for_workers(client):
    deadline = time.monotonic() + 60
    while len(client.nthreads()) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)


def test_a_killed_worker_costs_its_tasks_only(client, executor):
    X = np.random.default_rng(3).normal(size=(2900, 2))
    model = LikewiseClustering(3, similarity="local", tol=3e-2, random_state=0)
    undisturbed = clone(model).fit(X)
    for after in (0.3, 1.5):
        wait_for_workers(client)
        killer = kill_one_worker(client, after)
        disturbed = clone(model).set_params(engine=executor).fit(X)
        killer.join()
        np.testing.assert_array_equal(disturbed.distributions_, undisturbed.distributions_)
    wait_for_workers(client)


def test_lost_data_is_sent_again(executor):
    kept = executor.scatter([np.full(20_000, float(part)) for part in range(3)])
    assert executor.map_parts(np.sum, kept) == [0.0, 20_000.0, 40_000.0]
    for future in kept.on(executor.client):
        future.cancel()  # as if the only workers that had it were gone
    assert executor.map_parts(np.sum, kept) == [0.0, 20_000.0, 40_000.0]


def failing(part):
    raise InvalidArgument("X", f"part {part} is bad.", "Mend it.")


def missing(part):
    raise FileNotFoundError(f"there is no file {part}")


def test_errors_of_the_work_itself_arrive(executor):
    with pytest.raises(FileNotFoundError, match="there is no file"):
        executor.map_parts(missing, executor.scatter([1, 2]))
    with pytest.raises(InvalidArgument, match=r"part \d is bad"):
        executor.map_parts(failing, executor.scatter([1, 2]))


def test_work_that_is_not_worth_sending_stays(client):
    executor = DaskExecutor(client)
    assert executor.parts(1_000) == executor.tiles(1_000) == 1
    assert executor.parts(10**9) == 8
    assert executor.tiles(10**9) == 3
    assert executor.map_parts(len, executor.scatter([[1, 2]])) == [2]


def test_what_cannot_be_sent_is_named(executor):
    with pytest.raises(InvalidArgument, match=r"^engine: something that workers need"):
        executor.map_parts(len, executor.scatter([[1], [2]]), threading.Lock())
    X = np.random.default_rng(0).normal(size=(30, 2))
    model = LikewiseClustering(2, metric=lambda a, b: abs(a - b).sum(), random_state=0)
    there = clone(model).set_params(engine=executor).fit(X)
    np.testing.assert_array_equal(there.distributions_, model.fit(X).distributions_)


def test_dask_collections_are_fitted(client):
    import dask.array as da
    import dask.dataframe as dd
    import pandas as pd

    X = np.random.default_rng(0).normal(size=(40, 2))
    frame = pd.DataFrame(X, columns=["x", "y"])
    plain = LikewiseClustering(2, random_state=0).fit(X)
    for engine in ("local", client):
        for given in (da.from_array(X, chunks=10), dd.from_pandas(frame, npartitions=3)):
            model = LikewiseClustering(2, random_state=0, engine=engine).fit(given)
            np.testing.assert_array_equal(model.distributions_, plain.distributions_)


def test_values_travel_once():
    class Counting:
        sent = 0

        def scatter(self, values, **options):
            self.sent += len(values)
            return values

    client, kept = Counting(), Sent([np.zeros(20_000), 3])
    for _ in range(3):
        assert kept.on(client)[1] == 3
    assert client.sent == 1  # the array; the number goes with the task
    assert size_of(np.zeros(1000)) > 8000


def test_engines_are_told_apart(client, monkeypatch):
    monkeypatch.setattr(connecting, "ANSWERS", 1.0)
    X = np.arange(12.0).reshape(6, 2)
    for bad in ("remote", 3, None):
        with pytest.raises(InvalidArgument, match=r"^engine: .* is not known"):
            LikewiseClustering(2, engine=bad).fit(X)
    with pytest.raises(InvalidArgument, match="no scheduler answers"):
        LikewiseClustering(2, engine="tcp://127.0.0.1:1").fit(X)
    with executor_for("local", X, 2) as executor:
        assert executor is LOCAL
    address = client.scheduler.address
    for each in (client, address):
        model = LikewiseClustering(2, engine=each, random_state=0).fit(X)
        assert model.certificate_.is_fair
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert clone(model.set_params(engine=client)).engine is client


def test_workers_of_another_version_are_refused(client, monkeypatch):
    check_versions(client)
    monkeypatch.setattr("likewise.__version__", "9.9")
    with pytest.raises(InvalidArgument, match=r"has likewise .*, but here\s+it is 9.9"):
        check_versions(client)


def test_memory_is_checked_before_the_work(client):
    check_memory(client, 10_000, 400_000, 4)
    with pytest.raises(NotEnoughMemory, match="GB in every worker"):
        check_memory(client, 10**10, 8 * 10**10, 4)


def test_without_dask_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with (
        pytest.raises(ImportError, match=r"pip install 'likewise\[dask\]'"),
        connecting.client_for("dask"),
    ):
        pass


def test_progress_is_told(client, capsys, monkeypatch):
    monkeypatch.setattr("likewise.distributed.progress.SILENT", 0.0)
    executor = DaskExecutor(client, least_pairs=0, verbose=1)
    executor.map_parts(len, executor.scatter([[1], [2], [3]]))
    assert "of 3 parts, 2 workers" in capsys.readouterr().err


def test_work_is_cut_short_before_all_of_it_has_arrived(executor):
    with cut_short(lambda: True) as scope:
        executor.map_parts(time.sleep, executor.scatter([0.2] * 4))
    assert scope.was_cut
    assert executor.map_parts(abs, executor.scatter([-1, -2])) == [1, 2]


def test_a_cluster_that_is_interrupted_as_it_starts_is_not_closed_at_the_end(monkeypatch):
    """It never opened: closing it fails, with a traceback as the last thing that is printed."""
    from distributed.deploy.spec import close_clusters

    def interrupted(**options):
        raise KeyboardInterrupt

    forgotten = []
    monkeypatch.setattr("distributed.LocalCluster", interrupted)
    monkeypatch.setattr("atexit.unregister", forgotten.append)
    with pytest.raises(KeyboardInterrupt), connecting.client_for("dask"):
        pass
    assert forgotten == [close_clusters]
