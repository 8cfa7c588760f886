"""How long a solve may take, and what it says meanwhile."""

import sys
import time


class Budget:
    """Time limit and progress line of one solve."""

    def __init__(self, max_time: float | None = None, verbose: int = 0) -> None:
        self.started = time.perf_counter()
        self.max_time = float("inf") if max_time is None else max_time
        self.verbose = verbose
        self.interrupted = False

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started

    @property
    def seconds_left(self) -> float:
        return max(self.max_time - self.seconds, 0.0)

    @property
    def is_spent(self) -> bool:
        return self.interrupted or self.seconds >= self.max_time

    def report(self, gap: float, working_set: int, pairs_checked: int) -> None:
        if self.verbose:
            line = (
                f"likewise {self.seconds:7.1f} s  gap {gap:.2e}"
                f"  working set {working_set:,}  pairs checked {pairs_checked:,}"
            )
            print(line, file=sys.stderr, flush=True)
