"""From what the user says (``engine=...``) to an executor that is fit for the work."""

import atexit
import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, TypeVar

from likewise._typing import Matrix
from likewise.compute import memory
from likewise.compute.executor import LOCAL, Executor
from likewise.compute.threads import n_cores
from likewise.errors import InvalidArgument, NotEnoughMemory, require_extra

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

Data = TypeVar("Data")
Versions = dict[str, str]

WORKER_BASE = 500 * 2**20  # the interpreter, the libraries and what tasks in flight hold
PER_POINT = 200  # bytes in a worker: order, radius, groups and labels of a point
ANSWERS = 10.0  # seconds within which a scheduler has to answer
CHECKED = ("numpy", "scipy", "scikit-learn", "numba", "distributed")
_WAYS = (
    "Use 'local', 'dask' (the current client, or the cores of this machine), the address of a"
    " scheduler, or a dask.distributed.Client."
)


@contextmanager
def executor_for(
    engine: object, X: Matrix, n_clusters: int, verbose: int = 0
) -> Iterator[Executor]:
    """The executor for this data; a cluster that is started here is closed."""
    if isinstance(engine, str) and engine == "local":
        yield LOCAL
        return
    if isinstance(engine, Executor):
        yield engine
        return
    with client_for(engine) as client:
        from likewise.distributed.executor import DaskExecutor
        from likewise.distributed.transfer import size_of

        check_memory(client, X.shape[0], size_of(X), n_clusters)
        yield DaskExecutor(client, verbose=verbose)


def in_memory(X: Data, engine: object) -> Data:
    """A dask array or DataFrame as one in memory, if it fits; anything else as it is."""
    if not hasattr(X, "__dask_graph__"):
        return X
    # a table's size is only known when it is there; nor is an array's whose parts have no lengths
    size = X.nbytes if hasattr(X, "chunks") and hasattr(X, "nbytes") else 0
    free = memory.available()
    if free is not None and size > free:
        raise NotEnoughMemory(
            f"X: it has {memory.gigabytes(size)}, but only {memory.gigabytes(free)} are free here."
            " Fit a sample of the rows, or use likewise.cluster_blocks for a hard clustering."
        )
    computed: Data
    if isinstance(engine, str) and engine == "local":
        computed = X.compute() if hasattr(X, "compute") else X
        return computed
    with client_for(engine) as client:
        computed = client.compute(X).result()
    return computed


@contextmanager
def client_for(engine: object) -> Iterator["Client"]:
    """The client that is meant, its workers checked; one that is made here is closed."""
    name = engine if isinstance(engine, str) else None
    is_address = name is not None and ":" in name
    if engine is None or not (name is None or name == "dask" or is_address):
        raise _unknown(engine)
    require_extra("dask", "engine")
    from distributed import Client

    found: AbstractContextManager[Client]
    if isinstance(engine, Client):
        found = nullcontext(engine)
    elif name is None:
        raise _unknown(engine)
    else:
        found = _connected_to(name) if is_address else _current_client()
    with found as client:
        check_versions(client)
        yield client


def _unknown(engine: object) -> InvalidArgument:
    return InvalidArgument("engine", f"{engine!r} is not known.", _WAYS)


def _connected_to(address: str) -> "Client":
    from distributed import Client

    try:
        return Client(address, timeout=ANSWERS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise InvalidArgument(
            "engine", f"no scheduler answers at {address!r} ({error}).", _WAYS
        ) from None


@contextmanager
def _current_client() -> Iterator["Client"]:
    """The client that is there already; without one, a worker for each core of this machine."""
    from distributed import Client, get_client

    try:
        current = get_client()
    except ValueError:
        current = None
    if current is not None:
        yield current
        return
    with (
        _own_cluster() as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


def _own_cluster() -> "LocalCluster":
    """A worker for each core of this machine."""
    from distributed import LocalCluster
    from distributed.deploy.spec import close_clusters

    try:
        return LocalCluster(
            n_workers=n_cores(),
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,  # of workers that outlive the command by a moment
        )
    except KeyboardInterrupt:
        # at the end of the process it would close what never opened, and fail with a traceback;
        # its workers end without their parent
        atexit.unregister(close_clusters)
        raise


def check_versions(client: "Client") -> None:
    """Raise if there are no workers, or if some would compute with other code than this."""
    ask = _asking_versions()
    try:
        there: dict[str, Versions] = client.run(ask)
    except Exception as error:
        raise InvalidArgument(
            "engine", f"the workers could not be asked for their versions ({error}).", _WAYS
        ) from error
    if not there:
        raise InvalidArgument("engine", "the cluster has no workers.", "Start some, or wait.")
    here = ask()
    for worker, versions in there.items():
        _check_same(worker, versions, here)


def _check_same(worker: str, versions: Versions, here: Versions) -> None:
    for name, version in here.items():
        if versions.get(name) != version:
            raise InvalidArgument(
                "engine",
                f"worker {worker} has {name} {versions.get(name) or 'not installed'}, but here"
                f" it is {version}.",
                "Install the same versions everywhere: answers must not depend on who works.",
            )


def _asking_versions(names: tuple[str, ...] = CHECKED) -> Callable[[], Versions]:
    """A function that says what is installed; it also runs where likewise is not."""

    def versions() -> Versions:
        import platform
        from contextlib import suppress
        from importlib.metadata import PackageNotFoundError, version

        found = {"Python": platform.python_version()}
        for name in names:
            with suppress(PackageNotFoundError):
                found[name] = version(name)
        with suppress(ImportError):
            import likewise

            found["likewise"] = likewise.__version__
        return found

    return versions


def check_memory(client: "Client", n: int, size: int, k: int) -> None:
    """Raise if a worker could not hold what it needs: all data (``size``: its bytes), what is made
    of it (a tree, parts in another order), and all distributions.
    """
    needed = WORKER_BASE + 3 * size + n * (2 * 8 * k + PER_POINT)
    workers = client.scheduler_info(n_workers=-1)["workers"]
    for address, worker in workers.items():
        limit = worker["memory_limit"]
        if limit and needed > limit:
            raise NotEnoughMemory(
                f"engine: {n:,} rows need about {memory.gigabytes(needed)} in every worker, but"
                f" {address} may use {memory.gigabytes(limit)}. Start fewer workers with more"
                " memory each, or fit a sample of the rows."
            )
