"""The report: one HTML file that a policy person can read, made from the folder of a run.

run (the folder, and the table it was made from) -> content (the numbers) -> projection, colors ->
page (the HTML).
"""

from pathlib import Path

from likewise.report.content import gather
from likewise.report.page import write_report
from likewise.report.run import read_run

__all__ = ["make_report"]


def make_report(folder: Path, out: Path, data: Path | None = None) -> Path:
    """Write the report of a run; ``data`` is its table, if it is no longer where it was."""
    write_report(gather(read_run(folder, data)), out)
    return out
