"""A first try, as somebody would do it who has read no more than ``--help``: four tables from
``choose`` to ``audit``, and the transcript of it in ``guide/first-try.md``.

    python docs/first_try.py [FOLDER WITH adult.csv AND bank.csv] [--out FILE]

Without the folder (or LIKEWISE_DATA) the two tables are left out, and the transcript says so. What
needs no folder is done twice, and the first time is thrown away: it compiles the loops.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

TRANSCRIPT = Path(__file__).parent / "guide" / "first-try.md"
FITTED = 600  # rows of a table that are fitted; the others come later
LATER = 1_000  # of the others, those who come
SEVERAL = "2:4"
INTRODUCTION = """# A first try

Four tables from `choose` to `audit`, with nothing but the options that `--help` names. This page is
written by `python docs/first_try.py`; the commands and what they say are as they ran. Lines that
begin with `likewise` and a time show progress. The loops were compiled before; where they are not,
the first fits say so, and take some twenty seconds longer.

Where labels are drawn, the last command judges them. They part some pairs that are alike, as all
labels do but the same one for everybody; that is why the promise is about chances.
"""


class Transcript:
    """Runs commands in a folder and writes down what they say."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines = [INTRODUCTION]

    def title(self, text: str, words: str) -> None:
        """A new table."""
        print(text, file=sys.stderr)
        self.lines.append(f"\n## {text}\n\n{words}\n")

    def run(self, *arguments: str, words: str = "", ends_with: tuple[int, ...] = (0,)) -> None:
        """One command, with words before it; another exit code than expected ends everything."""
        command = [sys.executable, "-c", "from likewise.cli import main; main()", *arguments]
        plain = {"COLUMNS": "96", "NO_COLOR": "1", "TERM": "dumb", "PYTHONUNBUFFERED": "1"}
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=os.environ | plain,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,  # in the order in which people see it
            check=False,
        )
        if done.returncode not in ends_with:
            raise SystemExit(f"likewise {' '.join(arguments)}: {done.stdout}")
        if words:
            self.lines.append(f"{words}\n")
        lines = (line.rstrip() for line in done.stdout.splitlines())
        said = "\n".join(lines).strip("\n")  # the first line may be indented
        code = f"\n(exit code {done.returncode})" if done.returncode else ""
        shown = " ".join(f"'{each}'" if " " in each else each for each in arguments)
        self.lines.append(f"```text\n$ likewise {shown}\n{said}{code}\n```\n")

    def write(self, out: Path) -> None:
        """Into the guide, or wherever it is wanted."""
        out.write_text("\n".join(self.lines), encoding="utf-8")


def through_everything(transcript: Transcript, name: str, *options: str) -> None:
    """``name.csv`` from choose to audit, those of ``name-later.csv`` assigned."""
    choice, run = f"{name}-choice", f"{name}-run"
    protected = options[options.index("--protected") :] if "--protected" in options else ()
    columns = options[: len(options) - len(protected)]
    taken = ("--protected", protected[1]) if protected else ()
    transcript.run("choose", f"{name}.csv", "-k", SEVERAL, *columns, *taken, "--out", choice)
    kept = json.loads((transcript.folder / choice / "choice.json").read_text(encoding="utf-8"))
    k = str(kept["suggested"])
    words = "The number that is suggested is fitted."
    transcript.run("fit", f"{name}.csv", "-k", k, *options, "--out", run, words=words)
    words = "A page about it, for people, and one label for everybody, drawn by their chances."
    transcript.run("report", run, "--choice", choice, words=words)
    transcript.run("draw", run, "--out", f"{name}-drawn.csv")
    later, new = f"{name}-later.csv", f"{name}-new"
    words = "Others come later. Exit code 8, where there is one, says that some rows were refused."
    to_csv = ("--format", "csv", "--out", new)
    transcript.run("assign", run, later, *to_csv, words=words, ends_with=(0, 8))
    words = "Does the run keep its promise?"
    transcript.run("audit", run, "--check", words=words)
    words = "And the labels that were drawn?"
    transcript.run("audit", run, "--labels", f"{name}-drawn.csv", "--top", "3", words=words)


def parted(source: Path, folder: Path, name: str) -> None:
    """A file as published in two: those who are fitted, and some who come later."""
    header, *lines = source.read_text(encoding="utf-8").splitlines(keepends=True)
    order = np.random.default_rng(0).permutation(len(lines))
    for ending, rows in (("", order[:FITTED]), ("-later", order[FITTED : FITTED + LATER])):
        text = header + "".join(lines[row] for row in sorted(rows))
        (folder / f"{name}{ending}.csv").write_text(text, encoding="utf-8")


def customers(folder: Path) -> None:
    """Customers as a spreadsheet writes them, a few of them very rich; later ones with a plan that
    nobody had, and one without an age.
    """
    random = np.random.default_rng(0)
    for ending, n in (("", FITTED), ("-later", LATER)):
        kind = random.integers(0, 3, n)
        age = random.normal(30 + 15 * kind, 5)
        income = random.lognormal(10 + 0.4 * kind, 0.3)
        income[:5] *= 40
        plan = random.choice(["basic", "plus", "family"], n)
        lines = ["Kunde;Alter;Einkommen;Tarif;seit"]
        for row in range(n):
            since = f"{1 + row % 28:02d}.{1 + row % 12:02d}.{2005 + row % 18}"
            numbers = f"{age[row]:.1f};{income[row]:.2f}".replace(".", ",")
            lines.append(f"K{ending[:2]}{row:05d};{numbers};{plan[row]};{since}")
        if ending:
            lines[10] = lines[10].replace(plan[9], "flatrate")
            lines[20] = ";".join(["K-without-age", "", *lines[20].split(";")[2:]])
        text = "\r\n".join([*lines, ""]).replace("family", "Familie für alle")
        (folder / f"customers{ending}.csv").write_bytes(text.encode("cp1252"))


def published(data: Path | None, name: str) -> Path | None:
    """The file of a data set, if it is there."""
    path = None if data is None else data / f"{name}.csv"
    return path if path is not None and path.is_file() else None


def always_there(transcript: Transcript) -> None:
    """What needs no files from elsewhere."""
    transcript.title("The demo", "On data that is always there.")
    transcript.run("demo")
    transcript.run("audit", "demo/run", "--check", words="Does the run keep its promise?")
    customers(transcript.folder)
    transcript.title(
        "Customers",
        "Made up, with a few very rich ones; written as Excel does it in Germany: semicolons,"
        " decimal commas, another encoding, dates.",
    )
    through_everything(transcript, "customers", "--id", "Kunde")


def main(data: Path | None, out: Path) -> None:
    """All of it, in folders of its own."""
    with tempfile.TemporaryDirectory() as name:
        always_there(Transcript(Path(name)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        transcript = Transcript(folder)
        always_there(transcript)
        for table, options in (
            ("bank", ("--exclude", "y", "--protected", "marital")),
            ("adult", ("--exclude", "income,race", "--protected", "sex")),
        ):
            source = published(data, table)
            if source is None:
                transcript.title(table, f"Left out: {table}.csv is not here.")
                continue
            parted(source, folder, table)
            transcript.title(
                table.capitalize(),
                f"{FITTED:,} rows of the UCI table are fitted, {LATER:,} others come later.",
            )
            through_everything(transcript, table, *options)
        transcript.write(out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("data", nargs="?", type=Path, default=os.environ.get("LIKEWISE_DATA"))
    parser.add_argument("--out", type=Path, default=TRANSCRIPT)
    asked = parser.parse_args()
    main(asked.data, asked.out)
