"""The command line, ``likewise``: one module for each command, errors printed in one place."""

import sys

from likewise.cli.errors import Interrupted, exit_code, print_error
from likewise.errors import require_extra

__all__ = ["main"]


def main() -> None:
    """Run the command; whatever is wrong with the input ends in a message, not in a traceback."""
    from likewise.cli.signals import end_as_with_ctrl_c
    from likewise.compute.memory import check_address_space

    try:
        end_as_with_ctrl_c()
        check_address_space()
        require_extra("cli", "likewise")
        from likewise.cli.app import app
        from likewise.cli.output import show_warnings_as_notes

        show_warnings_as_notes()
        app()
    except KeyboardInterrupt:  # typer sees those that come while a command runs
        _end(Interrupted("nothing was written; what was there before is as it was."))
    except Exception as problem:
        _end(problem)


def _end(problem: Exception) -> None:
    code = exit_code(problem)
    if code is None:  # a mistake of ours: the traceback is what helps
        raise problem
    print_error(problem, code)
    sys.exit(code)
