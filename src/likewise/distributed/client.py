"""From what the user says (``engine=...``) to an engine that is fit for the work."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from likewise.compute import memory
from likewise.compute.executor import LOCAL, Engine
from likewise.compute.threads import n_cores
from likewise.errors import InvalidArgument, MissingExtra, NotEnoughMemory

WORKER_BASE = 500 * 2**20  # the interpreter, the libraries and what tasks in flight hold
_WAYS = (
    "Use 'local', 'dask' (the current client, or the cores of this machine), the address of a"
    " scheduler, or a dask.distributed.Client."
)


@contextmanager
def engine_for(engine: Any, X: Any, n_clusters: int, verbose: int = 0) -> Iterator[Engine]:
    """The engine for this data; a cluster that is started here is closed."""
    if isinstance(engine, str) and engine == "local":
        yield LOCAL
        return
    if hasattr(engine, "over_tiles"):
        yield engine
        return
    with client_for(engine) as client:
        from likewise.distributed.executor import DaskEngine
        from likewise.distributed.transfer import size_of

        check_memory(client, X.shape[0], size_of(X), n_clusters)
        yield DaskEngine(client, verbose=verbose)


def in_memory(X: Any, engine: Any) -> Any:
    """A dask array or DataFrame as one in memory, if it fits; anything else as it is."""
    if not hasattr(X, "__dask_graph__"):
        return X
    # a table's size is only known when it is there; nor is an array's whose parts have no lengths
    size, free = X.nbytes if hasattr(X, "chunks") else 0, memory.available()
    if free is not None and size > free:
        raise NotEnoughMemory(
            f"X: it has {memory.gigabytes(size)}, but only {memory.gigabytes(free)} are free here."
            " Fit a sample of the rows, or use likewise.cluster_blocks for a hard clustering."
        )
    if isinstance(engine, str) and engine == "local":
        return X.compute()
    with client_for(engine) as client:
        return client.compute(X).result()


@contextmanager
def client_for(engine: Any) -> Iterator[Any]:
    """The client that is meant, its workers checked."""
    if engine is None or (isinstance(engine, str) and engine != "dask" and ":" not in engine):
        raise InvalidArgument("engine", f"{engine!r} is not known.", _WAYS)
    try:
        from distributed import Client, LocalCluster, get_client
    except ImportError:
        raise MissingExtra("engine", "dask[distributed]", "dask") from None
    if isinstance(engine, Client):
        check_versions(engine)
        yield engine
        return
    if not isinstance(engine, str):
        raise InvalidArgument("engine", f"{engine!r} is not known.", _WAYS)
    if engine == "dask":
        try:
            current = get_client()
        except ValueError:
            current = None
        if current is not None:
            check_versions(current)
            yield current
            return
        with (
            LocalCluster(
                n_workers=n_cores(), threads_per_worker=1, dashboard_address=":0"
            ) as cluster,
            Client(cluster, set_as_default=False) as client,
        ):
            yield client
        return
    try:
        client = Client(engine, timeout=10, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise InvalidArgument(
            "engine", f"no scheduler answers at {engine!r} ({error}).", _WAYS
        ) from None
    with client:
        check_versions(client)
        yield client


def check_versions(client: Any) -> None:
    """Raise if there are no workers, or if some would compute with other code than this."""
    ask = _asking_versions()
    here = ask()
    try:
        there = client.run(ask)
    except Exception as error:
        raise InvalidArgument(
            "engine", f"the workers could not be asked for their versions ({error}).", _WAYS
        ) from error
    if not there:
        raise InvalidArgument("engine", "the cluster has no workers.", "Start some, or wait.")
    for worker, versions in there.items():
        for name, version in here.items():
            if versions.get(name) != version:
                raise InvalidArgument(
                    "engine",
                    f"worker {worker} has {name} {versions.get(name) or 'not installed'}, but here"
                    f" it is {version}.",
                    "Install the same versions everywhere: answers must not depend on who works.",
                )


def check_memory(client: Any, n: int, size: int, k: int) -> None:
    """Raise if a worker could not hold what it needs: all data (``size``: its bytes), what is made
    of it (a tree, parts in another order), and all distributions.
    """
    needed = WORKER_BASE + 3 * size + n * (2 * 8 * k + 200)
    workers = client.scheduler_info(n_workers=-1)["workers"]
    for address, worker in workers.items():
        limit = worker["memory_limit"]
        if limit and needed > limit:
            raise NotEnoughMemory(
                f"engine: {n:,} rows need about {memory.gigabytes(needed)} in every worker, but"
                f" {address} may use {memory.gigabytes(limit)}. Start fewer workers with more"
                " memory each, or fit a sample of the rows."
            )


CHECKED = ("numpy", "scipy", "scikit-learn", "numba", "distributed")


def _asking_versions(names: tuple[str, ...] = CHECKED) -> Any:
    """A function that says what is installed; it also runs where likewise is not."""

    def versions() -> dict[str, str]:
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
