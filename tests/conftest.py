"""What all tests share: where the reference material is, and how hypothesis runs."""

import os

import reference
from hypothesis import HealthCheck, settings

settings.register_profile(
    "default",
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("default")


def pytest_report_header():
    found = "found" if reference.is_there() else "not found: tests that need them are skipped"
    return f"reference results: {found}"
