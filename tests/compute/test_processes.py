"""Workers share the cores, and do not outlive the process that began them."""

import os
import signal
import subprocess
import sys
import time

from likewise.compute.processes import process_pool
from likewise.compute.threads import n_cores

PARENT = """
import os, signal
from likewise.compute.processes import process_pool
if __name__ == "__main__":
    pool = process_pool(2)
    print(*{pool.submit(os.getpid).result() for _ in range(2)}, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_each_has_its_share_of_the_cores():
    with process_pool(2) as pool:
        assert pool.submit(n_cores).result() == max(1, n_cores() // 2)


def test_they_end_with_a_parent_that_is_killed(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    # output ends when the last process that has it open does: it would never, with workers left
    killed = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=60, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    for pid in map(int, killed.stdout.split()):
        assert not _is_alive(pid)


def _is_alive(pid):
    for _ in range(50):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.1)
    return True
