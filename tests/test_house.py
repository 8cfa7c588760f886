"""The house in order: rooms and functions that a reader can take in at a glance."""

import ast
import statistics
from pathlib import Path

import likewise

ROOT = Path(likewise.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
MOST_MODULES, MOST_AT_THE_TOP = 12, 10
MOST_LINES, MOST_PARAMETERS, MEDIAN_LINES = 350, 8, 8
# public calls that list what a fit is told, as scikit-learn wants them spelled out, and commands
SPELLED_OUT = {
    "estimator/clusterer.py:__init__",
    "fitting/lower_bound.py:lower_bound",
    "frontier.py:frontier",
    "baselines/clusterings.py:group_fair",
}


def _functions():
    """(where, the function) of every function and method."""
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(ROOT).as_posix()}:{node.name}", node


def _parameters(node):
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return [each.arg for each in every if each.arg not in ("self", "cls")]


def _body_lines(node):
    """Lines of the body, its docstring aside."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def test_rooms_are_small():
    at_the_top = [path.name for path in ROOT.glob("*.py") if not path.name.startswith("__")]
    assert len(at_the_top) <= MOST_AT_THE_TOP
    for folder in {path.parent for path in MODULES}:
        modules = [path.name for path in folder.glob("*.py") if path.name != "__init__.py"]
        assert len(modules) <= MOST_MODULES, f"{folder.name}: {modules}"


def test_modules_are_short():
    long = {path.name: len(path.read_text().splitlines()) for path in MODULES}
    assert {name: lines for name, lines in long.items() if lines > MOST_LINES} == {}


def test_functions_take_few_parameters():
    many = {
        where: len(_parameters(node))
        for where, node in _functions()
        if len(_parameters(node)) > MOST_PARAMETERS
        and where not in SPELLED_OUT
        and not where.startswith("cli/commands/")
    }
    assert many == {}


def test_functions_are_short():
    lines = [_body_lines(node) for _, node in _functions()]
    assert statistics.median(lines) <= MEDIAN_LINES


def test_modules_and_classes_say_what_they_are():
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert ast.get_docstring(tree), f"{path.relative_to(ROOT)} has no docstring"
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                assert ast.get_docstring(node), f"{path.name}: {node.name} has no docstring"


def test_any_is_rare():
    uses = sum(
        isinstance(node, ast.Name) and node.id == "Any"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    )
    assert uses < 60
