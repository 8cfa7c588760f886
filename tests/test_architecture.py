"""One direction of imports, and a package that loads fast."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from support import rooms
from support.rooms import imports, names

import likewise

ROOT = Path(likewise.__file__).parent
# a room may import from rooms that stand before it, never from one that stands after
ROOMS = [
    "_typing",
    "errors",
    "_validation",
    "compute",
    "io",
    "drawing",
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
    "choosing",
    "assigning",
    "displays",
    "report",
    "datasets",
    "experiments",
    "cli",
    "spread",
]
# the same inside a room that has rooms itself; what they share comes first
INSIDE = {
    "solvers": [
        "kernels",
        "checkpoint",
        "working_set",
        "presolve",
        "group_constraints",
        "result",
        "divergence_ops",
        "separation",
        "merged_problem",
        "repair",
        "first_order",
        "cutting_planes",
        "feasibility",
        "coarse",
        "engines",
        "solve",
    ],
    "cli": [
        "wording",
        "errors",
        "output",
        "foreseeing",
        "options",
        "input",
        "judged",
        "commands",
        "app",
        "__init__",
    ],
}
MODULES = sorted(ROOT.rglob("*.py"))


def _comes_before(target, module, order):
    return order.index(target) < order.index(module)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: "/".join(names(path)))
def test_imports_go_one_way(path):
    room, *rest = names(path)
    if room in ("__init__", "__main__"):  # they stand on everything
        return
    assert room in ROOMS, f"give {room} its place in ROOMS"
    for target in imports(path):
        if target[0] not in ROOMS:  # a name of the package itself: its version
            assert target == ("__version__",)
        elif target[0] != room:
            assert _comes_before(target[0], room, ROOMS), f"{room} imports {target[0]}"
        elif room in INSIDE and target[1] != rest[0] and target[1] in INSIDE[room]:
            order = INSIDE[room]
            assert _comes_before(target[1], rest[0], order), f"{rest[0]} imports {target[1]}"


def test_certificate_shares_nothing_with_the_solvers():
    found = {target[0] for path in rooms.modules_of("certificate") for target in imports(path)}
    assert not found & {"solvers", "estimator"}


def test_the_table_of_rooms_is_what_the_code_says():
    assert rooms.written() == rooms.table(ROOMS), "run: python -m tests.support.rooms"


@pytest.fixture(scope="module")
def picture():
    path = rooms.ROOT / "docs" / "draw_rooms.py"
    specification = importlib.util.spec_from_file_location("draw_rooms", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_the_picture_of_rooms_is_what_the_code_says(picture):
    assert picture.PICTURE.read_text(encoding="utf-8") == picture.draw()
    storey = {room: row for row, each in enumerate(picture.STOREYS.values()) for room in each}
    assert set(storey) == set(ROOMS) - {"spread"}  # which is a former name, not a room
    for room in storey:
        for used in rooms.used_by(room, ROOMS):
            assert storey[used] <= storey[room], f"{room} is drawn above {used}"
    for start, end in picture.FLOW:
        assert start in rooms.used_by(end, ROOMS), f"{end} does not import {start}"


def test_public_names_are_there():
    assert set(likewise.__all__) == set(likewise._HOME_OF)
    for name in likewise.__all__:
        assert getattr(likewise, name).__name__ == name
    assert set(likewise.__all__) <= set(dir(likewise))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = likewise.nothing


# each room is forgotten again, with all that it imported of the package; libraries stay
EACH_ROOM_ON_ITS_OWN = """
import sys
import likewise
for room in likewise._ROOMS:
    assert room in dir(likewise)
    print(getattr(likewise, room).__name__)
    for name in [name for name in sys.modules if name.split(".")[0] == "likewise"]:
        del sys.modules[name]
    import likewise
"""


def test_public_rooms_are_there_without_a_second_import():
    """In a process of its own: elsewhere another test has imported them."""
    command = [sys.executable, "-c", EACH_ROOM_ON_ITS_OWN]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [f"likewise.{room}" for room in likewise._ROOMS]


def test_import_loads_nothing_heavy():
    heavy = "{'numba', 'sklearn', 'scipy', 'numpy', 'matplotlib', 'dask', 'distributed'}"
    code = f"import sys, likewise; print(*sorted({heavy} & set(sys.modules)))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.split() == []
