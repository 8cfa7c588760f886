"""The tests on every Python that can be had, with the lowest and the newest dependencies.

    python -m tests.versions [--pythons 3.11 3.14] [--tests tests/cli ...]

Each pair gets an environment of its own under ``.versions``, made by uv: *lowest* has the lowest
versions that ``pyproject.toml`` allows and that have a wheel for that Python, *newest* the newest
of everything. Prints the table of CONTRIBUTING.md. A Python that cannot be had is named so.
"""

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = ROOT / ".versions"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
# An old version of one package may use what a new one of another calls outdated: not our affair.
OF_OTHERS = ("-W", "default::DeprecationWarning", "-W", "default::PendingDeprecationWarning")
SHOWN = ("numpy", "scipy", "scikit-learn", "numba", "highspy")


@dataclass(frozen=True)
class Outcome:
    """How the tests ended with one Python and one choice of versions."""

    python: str
    versions: str
    installed: str
    result: str
    passed: bool


def main() -> int:
    """Try all of them; the exit code says whether everything that could be tried passed."""
    parser = argparse.ArgumentParser(description=__doc__, usage="python -m tests.versions")
    parser.add_argument("--pythons", nargs="+", default=PYTHONS)
    parser.add_argument("--versions", nargs="+", choices=RESOLUTIONS, default=list(RESOLUTIONS))
    parser.add_argument("--tests", nargs="+", default=[])
    chosen = parser.parse_args()
    outcomes = [
        tried(python, versions, chosen.tests)
        for python in chosen.pythons
        for versions in chosen.versions
    ]
    print("\n| Python | versions | with | tests |\n|---|---|---|---|")
    for each in outcomes:
        print(f"| {each.python} | {each.versions} | {each.installed} | {each.result} |")
    return 0 if all(each.passed for each in outcomes) else 1


def tried(python: str, versions: str, tests: list[str]) -> Outcome:
    """Make the environment and run the tests in it."""
    environment = ENVIRONMENTS / f"{python}-{versions}"
    print(f"Python {python}, {versions} versions", file=sys.stderr, flush=True)
    if not (environment / "bin" / "python").exists():
        made = uv("venv", "--quiet", "--python", interpreter(python), str(environment))
        if made.returncode:
            return Outcome(python, versions, "", "this Python is not to be had here", True)
    inside = str(environment / "bin" / "python")
    installing = uv(
        *("pip", "install", "--quiet", "--python", inside),
        *("--resolution", RESOLUTIONS[versions], "--only-binary", ":all:"),
        *("--no-binary", "likewise", "--compile-bytecode", "--editable", f"{ROOT}[test]"),
    )
    if installing.returncode:
        return Outcome(python, versions, "", f"not installed: {installing.stderr[-300:]}", False)
    warnings = OF_OTHERS if versions == "lowest" else ()
    command = [inside, "-m", "pytest", "-q", "-n", "auto", *warnings, *tests]
    ran = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE)
    print(ran.stdout[-4000:] if ran.returncode else "", file=sys.stderr, flush=True)
    last = ran.stdout.strip().splitlines()[-1] if ran.stdout.strip() else "nothing"
    return Outcome(python, versions, shown(inside), summary(last), ran.returncode == 0)


def interpreter(python: str) -> str:
    """What uv is to look for: one of pyenv's, if there is. Of these it finds only shims, which fail
    for versions that nobody has chosen, and end its search.
    """
    found = sorted(Path.home().glob(f".pyenv/versions/{python}.*/bin/python"))
    return str(found[-1]) if found else python


def uv(*arguments: str) -> subprocess.CompletedProcess[str]:
    """uv, as it is installed beside this Python."""
    return subprocess.run(
        [sys.executable, "-m", "uv", *arguments], capture_output=True, text=True, cwd=ROOT
    )


def shown(python: str) -> str:
    """The versions of what answers depend on most."""
    listed = uv("pip", "freeze", "--python", python).stdout
    found = dict(re.findall(r"^([\w-]+)==(\S+)$", listed, re.MULTILINE))
    return ", ".join(f"{name} {found[name]}" for name in SHOWN if name in found)


def summary(line: str) -> str:
    """pytest's last line without the time."""
    return re.sub(r" in [\d.]+s.*", "", line).strip("= ")


if __name__ == "__main__":
    sys.exit(main())
