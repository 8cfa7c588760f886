"""The table of rooms in docs/architecture.md, made from the code.

python -m tests.support.rooms    # writes it
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "likewise"
DOCUMENT = ROOT / "docs" / "architecture.md"
START = "<!-- rooms: written by `python -m tests.support.rooms` -->\n"
END = "<!-- end of rooms -->"


def names(path):
    """The module as names: ("solvers", "repair", "loop")."""
    return path.relative_to(SOURCE).with_suffix("").parts


def imports(path):
    """What a module imports from the package, each as names."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("likewise"):
            home = node.module.split(".")[1:]
            for alias in node.names:
                yield (*home, alias.name)
        elif isinstance(node, ast.Import):
            assert not any(alias.name.startswith("likewise.") for alias in node.names)


def modules_of(room):
    folder = SOURCE / room
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


def purpose(room):
    """The first sentence of its docstring."""
    folder = SOURCE / room
    home = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(home.read_text(encoding="utf-8"))) or ""
    paragraph = " ".join(docstring.split("\n\n")[0].split())
    first = re.split(r"(?<=\.)\s", paragraph)[0]
    return first.replace("``", "`").replace("||", "\\|\\|").rstrip(".:")


def used_by(room, order):
    """The other rooms that it imports from, in their order."""
    found = {target[0] for path in modules_of(room) for target in imports(path)}
    return [each for each in order if each in found and each != room]


def table(order):
    rows = ["| room | what it is for | imports from |", "|---|---|---|"]
    for room in order:
        used = ", ".join(f"`{each}`" for each in used_by(room, order)) or "-"
        rows.append(f"| `{room}` | {purpose(room)} | {used} |")
    return "\n".join(rows) + "\n"


def written():
    """The table as it stands in the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    return text[text.index(START) + len(START) : text.index(END)]


def write(order):
    text = DOCUMENT.read_text(encoding="utf-8")
    start = text.index(START) + len(START)
    DOCUMENT.write_text(text[:start] + table(order) + text[text.index(END) :], encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests"))  # as pytest has it
    from tests.test_architecture import ROOMS

    write(ROOMS)
