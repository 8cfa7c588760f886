"""The loop: cases one after the other on all cores, failures as lines that replay them."""

import argparse
import json
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from tests.fuzz.surfaces import BATCH, batch, play


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--cases", type=int, default=10**9, help="stop after so many")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--replay", metavar="SEED:NUMBER")
    parser.add_argument("--record", type=Path, help="write the counts as JSON")
    told = parser.parse_args(arguments)
    if told.replay:
        seed, number = map(int, told.replay.split(":"))
        surface, summary, complaints, seconds = play(seed, number)
        print(f"{surface}: {summary}\n{seconds:.1f} s", *complaints or ["all is well"], sep="\n")
        return 1 if complaints else 0
    return run(told)


def run(told):
    ends = time.monotonic() + 60 * told.minutes
    played, failed, started = Counter(), Counter(), time.monotonic()
    context = get_context("spawn")
    with ProcessPoolExecutor(told.workers, mp_context=context) as pool:
        firsts = iter(range(0, told.cases, BATCH))
        waiting = {pool.submit(batch, told.seed, next(firsts)) for _ in range(2 * told.workers)}
        while waiting:
            done = next(as_completed(waiting))
            waiting.discard(done)
            if time.monotonic() < ends and (first := next(firsts, None)) is not None:
                waiting.add(pool.submit(batch, told.seed, first))
            for number, surface, summary, complaints, _ in done.result():
                played[surface] += 1
                for complaint in complaints:
                    failed[surface] += 1
                    line = f"python -m tests.fuzz --replay {told.seed}:{number}"
                    print(f"FAILED {surface}: {complaint}\n  {summary}\n  {line}", flush=True)
    counts = {name: {"played": played[name], "failed": failed[name]} for name in sorted(played)}
    minutes = (time.monotonic() - started) / 60
    for name, each in counts.items():
        print(f"{name:14} {each['played']:7,} played  {each['failed']:4,} failed")
    print(f"{sum(played.values()) - sum(failed.values())} passed, {sum(failed.values())} failed")
    if told.record:
        record = {"seed": told.seed, "minutes": round(minutes, 1), "surfaces": counts}
        told.record.write_text(json.dumps(record, indent=1) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
