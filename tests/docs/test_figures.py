"""Measured figures on the pages agree with benchmarks/RESULTS.md, rounded as they are written."""

import runpy
from pathlib import Path

import pytest

FIGURES = runpy.run_path(str(Path(__file__).resolve().parents[2] / "docs" / "figures.py"))
QUOTED, ROOT, RESULTS = (FIGURES[name] for name in ("QUOTED", "ROOT", "RESULTS"))
as_recorded, present, put_right, tables = (
    FIGURES[name] for name in ("as_recorded", "present", "put_right", "tables")
)
RECORD = RESULTS.read_text(encoding="utf-8")


def read(quoted):
    return (ROOT / quoted.page).read_text(encoding="utf-8")


@pytest.mark.parametrize("quoted", QUOTED, ids=lambda quoted: f"{quoted.page}: {quoted.sentence}")
def test_figures_are_those_of_the_record(quoted):
    said = present(quoted, read(quoted)).groups()
    right = tuple(as_recorded(figure, tables(RECORD)) for figure in quoted.figures)
    assert said == right, (
        f"{quoted.page} says {said}, but benchmarks/RESULTS.md now {right}, in:"
        f" {quoted.sentence!r}. `python docs/figures.py` puts it right."
    )


def test_a_page_that_is_behind_is_put_right():
    quoted, record = QUOTED[0], tables(RECORD)
    measured = quoted.figures[0]
    (row,) = (row for row in record[measured.table] if row["instance"] == measured.row)
    row["seconds"], row["theirs"] = "12.34", "2,000"
    page = put_right(quoted, read(quoted), record)
    assert present(quoted, page).groups() == ("12", "2,000")
