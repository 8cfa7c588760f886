"""One direction of imports, and a package that loads fast."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import likewise

ROOT = Path(likewise.__file__).parent
# a module may import from modules that stand before it, never from one that stands after
ORDER = [
    "types",
    "errors",
    "files",
    "tables",
    "checks",
    "parallel",
    "memory",
    "engines",
    "f_divergences",
    "named_divergences",
    "divergences",
    "distance_kernels",
    "distances",
    "groups",
    "group_bounds",
    "pairs",
    "similarities",
    "fairness",
    "problem",
    "centers",
    "supports",
    "certificate",
    "solvers",
    "task",
    "checkpoints",
    "lower_bounds",
    "refine",
    "radius",
    "fitting",
    "rounding",
    "baselines",
    "metrics",
    "sampling",
    "spread",
    "prediction_kernels",
    "prediction",
    "newcomers",
    "estimator",
    "auditing",
    "frontier",
    "preparation",
    "run_folder",
    "report",
    "datasets",
    "experiments",
    "cli",
]
INSIDE = {
    "cli": [
        "failures",
        "output",
        "options",
        "people",
        "fit",
        "audit",
        "draw",
        "report",
        "demo",
        "hard",
        "datasets",
        "reproduce",
        "app",
        "__init__",
    ],
    "report": ["projection", "colors", "content", "page", "__init__"],
    "datasets": ["catalog", "files", "reading", "loading", "samples", "__init__"],
    "experiments": [
        "plan",
        "paper",
        "cells",
        "store",
        "runner",
        "results",
        "claims",
        "figures",
        "writing",
        "__init__",
    ],
    "spread": [
        "progress",
        "sending",
        "engine",
        "connecting",
        "sources",
        "block_work",
        "passes",
        "hard",
        "__init__",
    ],
    "metrics": ["clusterings", "costs", "group", "individual", "__init__"],
    "solvers": [
        "kernels",
        "scan_kernels",
        "repair_kernels",
        "f_formulas",
        "f_projections",
        "budget",
        "found",
        "f_kernels",
        "pair_duals",
        "pair_rules",
        "comparable",
        "group_kernels",
        "group_rows",
        "group_duals",
        "group_repair",
        "opening",
        "leaves",
        "tiles",
        "scan",
        "outcome",
        "repair",
        "support_repair",
        "primal_dual",
        "first_order",
        "snapshots",
        "cut_lp",
        "exact",
        "feasibility",
        "__init__",
    ],
}
MODULES = sorted(ROOT.rglob("*.py"))


def _imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("likewise"):
            names = [alias.name for alias in node.names]
            yield from _targets(node.module.split(".")[1:], names)
        elif isinstance(node, ast.Import):
            assert not any(alias.name.startswith("likewise.") for alias in node.names)


def _targets(parts, names):
    if parts == []:
        yield from ([name] for name in names if name in ORDER)
    elif len(parts) == 1 and parts[0] in INSIDE:
        yield from ([*parts, name] if name in INSIDE[parts[0]] else parts for name in names)
    elif parts:
        yield parts


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts == ("__init__",):
        return
    assert parts[0] in ORDER, f"give {parts[0]} its place in ORDER"
    for target in _imports(path):
        if parts[0] in INSIDE and target[0] == parts[0]:
            order = INSIDE[parts[0]]
            assert order.index(target[-1]) < order.index(parts[-1]), f"{parts} imports {target}"
        else:
            assert ORDER.index(target[0]) < ORDER.index(parts[0]), f"{parts} imports {target}"


def test_certificate_shares_nothing_with_the_solvers():
    assert not [t for t in _imports(ROOT / "certificate.py") if t[0] in ("solvers", "estimator")]


def test_public_names_are_there():
    assert set(likewise.__all__) == set(likewise._HOME_OF)
    for name in likewise.__all__:
        assert getattr(likewise, name).__name__ == name
    assert set(likewise.__all__) <= set(dir(likewise))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = likewise.nothing


def test_import_loads_nothing_heavy():
    code = "import sys, likewise; print(*sorted({'numba', 'sklearn', 'scipy'} & set(sys.modules)))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.split() == []
