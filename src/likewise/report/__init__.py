"""The report: one HTML file that a policy person can read, made from the folder of a run.

run (the folder, and the table it was made from) -> content (the numbers: comparison, fairness_cost,
sample, projection) -> page (the HTML: people, chart, colors, numbers, in_words).
"""

from pathlib import Path

from likewise._typing import ShowProgress
from likewise.report.choice import read_choice
from likewise.report.content import gather, unseen
from likewise.report.page import write_report
from likewise.report.run import read_run

__all__ = ["make_report"]


def make_report(
    folder: Path,
    out: Path,
    data: Path | None = None,
    *,
    choice: Path | None = None,
    show: ShowProgress = unseen,
) -> Path:
    """Write the report of a run; ``data`` is its table, if it is no longer where it was, ``choice``
    a folder that ``likewise choose`` left. ``show`` is told how far it has come.
    """
    show("reading the run", None)
    choices = None if choice is None else read_choice(choice)
    write_report(gather(read_run(folder, data), show, choices), out)
    return out
