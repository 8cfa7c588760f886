"""Everything that can go wrong outside, one kind after the other."""

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np

from tests.faults.commands import Report
from tests.faults.damage import damage
from tests.faults.kills import kills
from tests.faults.limits import limits
from tests.faults.storage import storage

KINDS = {"kills": kills, "storage": storage, "limits": limits, "damage": damage}


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("kinds", nargs="*", help=f"some of {', '.join(KINDS)}; default: all")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--record", type=Path, help="write the counts as JSON")
    told = parser.parse_args(arguments)
    unknown = set(told.kinds) - set(KINDS)
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    report, started = Report(), time.monotonic()
    for name in told.kinds or KINDS:
        KINDS[name](report, told.kills, np.random.default_rng(told.seed))
    for kind, count in sorted(report.tried.items()):
        print(f"{kind:36} {count:4} tried")
    tried = sum(report.tried.values())
    print(f"{tried} tried, {len(report.wrong)} complaints")
    if told.record:
        minutes = round((time.monotonic() - started) / 60, 1)
        complaints = [each.splitlines()[0].rstrip(":") for each in report.wrong]
        record = {"minutes": minutes, "tried": report.tried, "complaints": complaints}
        told.record.write_text(json.dumps(record, indent=1) + "\n")
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    sys.exit(main(sys.argv[1:]))
