"""``python -m likewise``: the command line, also where no script was put on the path."""

from likewise.cli import main

if __name__ == "__main__":
    main()
