"""The command line, ``likewise``: one module for each command, errors printed in one place."""

import sys

from likewise.cli.errors import exit_code, print_error

__all__ = ["main"]


def main() -> None:
    """Run the command; whatever is wrong with the input ends in a message, not in a traceback."""
    from likewise.cli.app import app

    try:
        app()
    except Exception as problem:
        code = exit_code(problem)
        if code is None:  # a mistake of ours: the traceback is what helps
            raise
        print_error(problem, code)
        sys.exit(code)
