"""What commands show, and to whom."""

import io

import pytest
from rich.console import Console

from likewise.cli.output import Output


def shown(is_terminal, **options):
    """What stands on standard error after a few steps of a stage."""
    file = io.StringIO()
    console = Console(file=file, force_terminal=is_terminal, width=80)
    output = Output(**options, _err=console)
    with output.stages() as show:
        show("reading", None)
        after_step = show("judging pairs", 4)
        for _ in range(2):
            after_step()
        console.file.flush()
    return file.getvalue()


def test_a_bar_for_people_before_a_terminal():
    text = shown(is_terminal=True)
    assert "judging pairs" in text
    assert "\u2501" in text  # the bar


@pytest.mark.parametrize(
    ("is_terminal", "options"),
    [(False, {}), (True, {"quiet": True}), (True, {"json": True})],
)
def test_nothing_in_pipes_or_when_told_to_be_quiet(is_terminal, options):
    assert shown(is_terminal, **options).strip() == ""
