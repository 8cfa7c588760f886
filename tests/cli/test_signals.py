"""Asked to end, a command ends as with Ctrl-C."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest
from support.commands import MAIN


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A table that keeps `fit` busy for a while."""
    folder = tmp_path_factory.mktemp("many")
    random = np.random.default_rng(0)
    X = random.normal(size=(3000, 4)) + 3 * random.normal(size=(4, 4))[random.integers(0, 4, 3000)]
    pl.DataFrame(X, schema=list("abcd")).write_csv(folder / "many.csv")
    return folder / "many.csv"


def listen():
    """In the child: what runs in the background or under nohup ignores signals, and so would what
    it starts.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture
def start():
    """Starts a long fit; none outlives its test."""
    started = []

    def start(many, out, before=listen, command=MAIN):
        process = subprocess.Popen(
            [*command, "fit", many, "-k", "6", "--tol", "1e-12", "--max-time", "600", "--out", out],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=before,
        )  # fmt: skip
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def working(process):
    """Until it prints how far it is."""
    while not process.stderr.readline().startswith("likewise"):
        assert process.poll() is None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_fit_that_is_told_to_end_leaves_a_fair_answer(start, many, tmp_path, number):
    process = start(many, tmp_path / "run")
    working(process)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "fair" in out
    assert "Let it run longer" in " ".join(err.split())
    assert "Raise" not in err  # no limit ended it
    assert "Traceback" not in err
    assert json.loads((tmp_path / "run" / "certificate.json").read_text())["is_fair"]
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_what_was_to_be_ignored_is(start, many, tmp_path):
    def like_nohup():
        listen()
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    process = start(many, tmp_path / "run", like_nohup)
    working(process)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err


# says so once it listens to signals: however busy the machine is, none comes before
SAYS_WHEN_IT_LISTENS = """
import likewise.cli
from likewise.cli import signals
listen = signals.end_as_with_ctrl_c
def listen_and_say_so():
    listen()
    print("listening", flush=True)
signals.end_as_with_ctrl_c = listen_and_say_so
likewise.cli.main()
"""


def test_before_there_is_an_answer_nothing_is_left(start, many, tmp_path):
    process = start(many, tmp_path / "run", command=[sys.executable, "-c", SAYS_WHEN_IT_LISTENS])
    assert process.stdout.readline() == "listening\n"
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    if process.returncode:  # else it was fast
        assert process.returncode == 130, err
        assert list(tmp_path.iterdir()) == []


def test_an_interrupt_that_was_swallowed_is_heeded_later():
    code = """
import json
import signal
from likewise.cli.signals import end_as_with_ctrl_c, heed
signal.signal(signal.SIGINT, signal.default_int_handler)
end_as_with_ctrl_c()
heed()
try:
    signal.raise_signal(signal.SIGTERM)
except KeyboardInterrupt:
    pass
try:
    heed()
except KeyboardInterrupt:
    print("heeded")
import logging
logging.getLogger("asyncio").error("Task exception was never retrieved")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("heeded\n", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_the_interpreter_takes_itself_down_changes_nothing(number):
    code = f"""
import os, sys
class Last:
    def __del__(self, kill=os.kill, own=os.getpid()):
        kill(own, {int(number)})  # by then Python no longer listens
sys.last = Last()
from likewise.cli import main
main()
"""
    command = [sys.executable, "-c", code, "--version"]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=listen)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_second_interrupt_ends_at_once_and_leaves_nothing(start, tmp_path):
    random = np.random.default_rng(0)
    pl.DataFrame(random.normal(size=(20_000, 4)), schema=list("abcd")).write_csv(
        tmp_path / "many.csv"
    )
    process = start(tmp_path / "many.csv", tmp_path / "run")
    working(process)
    process.send_signal(signal.SIGINT)
    while "stopping with a fair answer" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["many.csv"]
