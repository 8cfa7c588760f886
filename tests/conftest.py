"""What all tests share: where the reference material is, and how hypothesis runs."""

import logging

import pytest
from hypothesis import HealthCheck, settings
from support import reference

settings.register_profile(
    "default",
    max_examples=15,  # thousands are drawn by `make fuzz`
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,  # the same examples for everybody; `make fuzz` draws new ones
    database=None,
)
settings.load_profile("default")


def pytest_report_header():
    found = "found" if reference.is_there() else "not found: tests that need them are skipped"
    return f"reference results: {found}"


@pytest.fixture(scope="session")
def client():
    """Two worker processes of one thread each."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.ERROR
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client
