"""One direction of imports, and a package that loads fast."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import likewise

ROOT = Path(likewise.__file__).parent
# a room may import from rooms that stand before it, never from one that stands after
ROOMS = [
    "_typing",
    "errors",
    "_validation",
    "compute",
    "io",
    "divergences",
    "geometry",
    "groups",
    "similarities",
    "problem",
    "certificate",
    "centers",
    "solvers",
    "fitting",
    "baselines",
    "metrics",
    "sampling",
    "distributed",
    "prediction",
    "estimator",
    "auditing",
    "frontier",
    "report",
    "datasets",
    "experiments",
    "cli",
    "spread",
]
# the same inside a room that has rooms itself; what they share comes first
INSIDE = {
    "solvers": [
        "budget",
        "checkpoint",
        "simplex",
        "halpern",
        "working_set",
        "presolve",
        "group_kernels",
        "group_constraints",
        "result",
        "divergence_ops",
        "separation",
        "merged_problem",
        "repair",
        "first_order",
        "cutting_planes",
        "feasibility",
        "engines",
        "solve",
    ],
    "cli": ["errors", "output", "options", "input", "commands", "app", "__init__"],
}
MODULES = sorted(ROOT.rglob("*.py"))


def _names(path):
    """The module as names: ("solvers", "repair", "loop")."""
    return path.relative_to(ROOT).with_suffix("").parts


def _imports(path):
    """What a module imports from here, each as names."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("likewise"):
            home = node.module.split(".")[1:]
            for alias in node.names:
                yield (*home, alias.name)
        elif isinstance(node, ast.Import):
            assert not any(alias.name.startswith("likewise.") for alias in node.names)


def _comes_before(target, module, order):
    return order.index(target) < order.index(module)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: "/".join(_names(path)))
def test_imports_go_one_way(path):
    room, *rest = _names(path)
    if room == "__init__":
        return
    assert room in ROOMS, f"give {room} its place in ROOMS"
    for target in _imports(path):
        if target[0] not in ROOMS:  # a name of the package itself: its version
            assert target == ("__version__",)
        elif target[0] != room:
            assert _comes_before(target[0], room, ROOMS), f"{room} imports {target[0]}"
        elif room in INSIDE and target[1] != rest[0] and target[1] in INSIDE[room]:
            order = INSIDE[room]
            assert _comes_before(target[1], rest[0], order), f"{rest[0]} imports {target[1]}"


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
