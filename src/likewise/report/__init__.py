"""The report: one HTML file that a policy person can read, made from the folder of a run.

content (the numbers) -> projection, colors -> page (the HTML).
"""

from pathlib import Path

from likewise.report.content import gather, read_folder
from likewise.report.page import write_report

__all__ = ["make_report"]


def make_report(folder: Path, out: Path, data: Path | None = None) -> Path:
    """Write the report of a run; ``data`` is its table, if it is no longer where it was."""
    write_report(gather(read_folder(folder, data)), out)
    return out
