"""The tables of the last long runs in docs/promises.md, made from their records.

python -m tests.fuzz --cases 10000 --record docs/records/fuzz.json
python -m tests.faults --record docs/records/faults.json
python -m tests.support.records    # writes them into the page
"""

import json
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "promises.md"
START = "<!-- {}: written by `python -m tests.support.records` -->\n"
END = "<!-- end of {} -->"


def read(name):
    return json.loads((DOCS / "records" / f"{name}.json").read_text())


def fuzz():
    record = read("fuzz")
    everything = record["kinds"]["all"]
    lines = [
        f"{everything['played']:,} cases of seed {record['seed']} in {record['minutes']:.0f}"
        f" minutes, {everything['failed']} failed.",
        "",
        "| kind | played | failed |",
        "|---|---:|---:|",
    ]
    for kind, counts in record["kinds"].items():
        if kind != "all":
            lines.append(f"| {kind} | {counts['played']:,} | {counts['failed']} |")
    lines += ["", "| seen on the way | cases |", "|---|---:|"]
    lines += [f"| {what} | {count:,} |" for what, count in record["found"].items()]
    return "\n".join(lines) + "\n"


def faults():
    record = read("faults")
    lines = [
        f"{sum(record['tried'].values())} faults in {record['minutes']:.0f} minutes,"
        f" {len(record['complaints'])} complaints.",
        "",
        "| fault | tried |",
        "|---|---:|",
    ]
    lines += [f"| {kind} | {count} |" for kind, count in sorted(record["tried"].items())]
    if record["complaints"]:
        lines += ["", "| complaint |", "|---|", *(f"| {each} |" for each in record["complaints"])]
    return "\n".join(lines) + "\n"


TABLES = {"fuzz": fuzz, "faults": faults}


def written(name):
    """The table as it stands on the page."""
    text, start = PAGE.read_text(encoding="utf-8"), START.format(name)
    return text[text.index(start) + len(start) : text.index(END.format(name))]


def write():
    for name, table in TABLES.items():
        text, start = PAGE.read_text(encoding="utf-8"), START.format(name)
        before = text[: text.index(start) + len(start)]
        PAGE.write_text(before + table() + text[text.index(END.format(name)) :], encoding="utf-8")


if __name__ == "__main__":
    write()
