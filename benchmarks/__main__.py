"""`make bench`: measures everything and writes RESULTS.md.

Names of groups (start, exact, generic, divergences, centers, scale, stopping, foresight,
distributed) or of tables run only those and put them in the place of the same tables measured
before. `million` and `every-100k` run those cases anew, with the other large ones; otherwise their
last record is shown.
"""

import datetime
import os
import platform
import re
import sys
from pathlib import Path

from benchmarks import (
    centers,
    distributed,
    divergences,
    exact,
    foresight,
    generic,
    instances,
    large,
    scale,
    start,
    stopping,
)
from likewise import solve
from likewise.solvers.engines import ENGINES

GROUPS = {
    "start": start.TABLES,
    "exact": exact.TABLES,
    "generic": [generic.compare],
    "divergences": divergences.TABLES,
    "centers": centers.TABLES,
    "scale": scale.TABLES,
    "stopping": [stopping.stopping],
    "foresight": foresight.TABLES,
    "distributed": distributed.TABLES,
}
RESULTS = Path(__file__).with_name("RESULTS.md")
SECTION = re.compile(r"<!-- (\w+) -->\n(.*?)(?=<!-- \w+ -->|\Z)", re.DOTALL)


def main(wanted: list[str]) -> None:
    names = [scale.large_cases.__name__ if name in large.CASES else name for name in wanted]
    for solver in ENGINES:
        solve(instances.generated(50, 3, 5).problem, solver)  # compile first
    for group, functions in GROUPS.items():
        for function in functions:
            if not names or group in names or function.__name__ in names:
                table = function()
                measured = f"\nMeasured on {datetime.date.today()}.\n"
                _put(function.__name__, table.markdown() + measured)


def _put(name: str, text: str) -> None:
    """Write a table at once: a long run that is stopped keeps what it has measured."""
    sections = dict(SECTION.findall(RESULTS.read_text())) if RESULTS.exists() else {}
    sections[name] = text
    order = [function.__name__ for functions in GROUPS.values() for function in functions]
    kept = [f"<!-- {each} -->\n{sections[each].strip()}\n" for each in order if each in sections]
    RESULTS.write_text("\n".join([_header(), *kept]))


def _header() -> str:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        "# What was measured\n\n"
        f"`make bench` on {cores} cores ({_processor()}), Python"
        f" {platform.python_version()}. Ratios are between runs of the same session, except those"
        " to the paper's own seconds (20 cores, CPLEX). The machine is a shared one: the same work"
        " takes up to twice as long at some hours as at others.\n"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


if __name__ == "__main__":
    main(sys.argv[1:])
