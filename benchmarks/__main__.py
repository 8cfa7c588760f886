"""`make bench`: all tables, or those whose names are given."""

import sys

from benchmarks import exact

TABLES = {"exact": exact.run}

if __name__ == "__main__":
    for name in sys.argv[1:] or TABLES:
        TABLES[name]()
