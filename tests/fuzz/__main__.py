"""The loop: cases one after the other on all cores, failures as lines that replay them."""

import argparse
import json
import os
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path

BATCH = 10  # cases a task
SLOWEST = EXAMPLES = 5  # that are named at the end
THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS")


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--cases", type=int, default=10**9, help="stop after so many")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--replay", metavar="SEED:NUMBER")
    parser.add_argument("--record", type=Path, help="write the counts as JSON")
    told = parser.parse_args(arguments)
    os.environ.update(dict.fromkeys(THREADS, "1"))  # before anything compiled is imported
    if told.replay:
        return replay(*map(int, told.replay.split(":")))
    return run(told)


def replay(seed, number):
    from tests.fuzz.surfaces import play, warm

    warm()
    played = play(seed, number)
    print(f"{played.surface}: {played.summary}\n{played.seconds:.1f} s", *played.found, sep="\n")
    print(*played.complaints or ["all is well"], sep="\n")
    return 1 if played.complaints else 0


class Counts:
    """What was played, by kind, and what became of it."""

    def __init__(self, seed):
        self.seed = seed
        self.played, self.failed, self.found = Counter(), Counter(), Counter()
        self.seconds, self.slowest = Counter(), []
        self.examples = defaultdict(list)

    def add(self, played):
        kinds = ["all", f"surface: {played.surface}", *played.kinds]
        self.played.update(kinds)
        for kind in kinds:
            self.seconds[kind] += played.seconds
        self.found.update(played.found)
        for what in played.found:
            self.examples[what] = [*self.examples[what], played.number][:EXAMPLES]
        self.slowest = sorted([*self.slowest, (played.seconds, played.number)])[-SLOWEST:]
        if played.complaints:
            self.failed.update(kinds)
            print(f"FAILED {played.surface}: ", "; ".join(played.complaints), sep="")
            print(f"  {played.summary}\n  {self.line(played.number)}", flush=True)

    def line(self, number):
        return f"python -m tests.fuzz --replay {self.seed}:{number}"

    def show(self, minutes):
        for kind in sorted(self.played):
            mean = self.seconds[kind] / self.played[kind]
            line = f"{self.played[kind]:7,} played  {self.failed[kind]:4,} failed  {mean:6.2f} s"
            print(f"{kind:36} {line}")
        for what in sorted(self.found):
            some = " ".join(map(str, self.examples[what]))
            print(f"{what:36} {self.found[what]:7,}  as in {self.seed}: {some}")
        for seconds, number in reversed(self.slowest):
            print(f"{seconds:8.1f} s  {self.line(number)}")
        print(f"{self.played['all']:,} played, {self.failed['all']} failed, {minutes:.1f} minutes")

    def record(self, minutes):
        kinds = {
            kind: {"played": self.played[kind], "failed": self.failed[kind]}
            for kind in sorted(self.played)
        }
        found = {what: self.found[what] for what in sorted(self.found)}
        return {"seed": self.seed, "minutes": round(minutes, 1), "kinds": kinds, "found": found}


def run(told):
    from tests.fuzz.surfaces import batch, warm

    started = time.monotonic()
    counts = Counts(told.seed)
    firsts = iter(range(0, told.cases, BATCH))
    pool = ProcessPoolExecutor(told.workers, get_context("spawn"), initializer=warm)
    with pool:

        def next_batch():
            first = next(firsts, None)
            if first is None or time.monotonic() - started > 60 * told.minutes:
                return set()
            return {pool.submit(batch, told.seed, first, min(BATCH, told.cases - first))}

        waiting = set().union(*(next_batch() for _ in range(2 * told.workers)))
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for each in done:
                waiting |= next_batch()
                for played in each.result():
                    counts.add(played)
    minutes = (time.monotonic() - started) / 60
    counts.show(minutes)
    if told.record:
        told.record.write_text(json.dumps(counts.record(minutes), indent=1) + "\n")
    return 1 if counts.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
