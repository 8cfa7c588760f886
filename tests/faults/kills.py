"""Signals at random moments of the long commands."""

import signal
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.faults.commands import (
    SIGNALS,
    assignments,
    digest,
    ended_well,
    litter,
    people,
    run,
    traceless,
)

ANSWER_WITHIN = 10.0  # seconds after a polite signal, of a process that shares its cores


def kills(report, count, rng):
    """``count`` kills over fit, report, reproduce and blocks on Dask."""
    shares = {_fit: 0.5, _report: 0.25, _blocks: 0.15, _reproduce: 0.1}
    for scenario, share in shares.items():
        with tempfile.TemporaryDirectory() as place:
            scenario(report, max(1, round(count * share)), rng, Path(place))


def _fit(report, count, rng, folder):
    people(folder / "people.csv")
    arguments = ["fit", "people.csv", "-k", 5, "--features", "x0,x1,x2,x3", "--tol", 1e-6,
                 "--similarity", "global", "--n-neighbors", 100, "--checkpoint", "state.npz",
                 "--out", "run", "--force"]  # fmt: skip
    whole, lasts = _undisturbed(report, arguments, folder)
    for number in range(count):
        sent, after = SIGNALS[number % len(SIGNALS)], rng.random() * lasts
        what = f"fit, {sent.name} after {after:.2f} s"
        old = digest(folder / "run")
        ended = run(arguments, folder, kill=sent, after=after)
        report.count(f"fit {sent.name}")
        traceless(ended, report, what)
        if sent == signal.SIGKILL and ended.signalled:
            new = assignments(folder / "run")  # it may have been there when the signal came
            untouched = digest(folder / "run") == old or (new is not None and new.equals(whole))
            report.expect(untouched, f"{what}: the old result has changed")
        elif ended.signalled:
            report.expect(ended.seconds < ANSWER_WITHIN, f"{what}: took {ended.seconds:.1f} s")
            ended_well(ended, sent, after, report, what)
            report.expect(not litter(folder), f"{what}: litter {litter(folder)}")
            if ended.code == 130:
                report.expect(digest(folder / "run") == old, f"{what}: 130, yet a new result")
        again = run(arguments, folder)
        report.expect(again.code == 0, f"{what}: again: {again.code} {again.err[-300:]}")
        found = assignments(folder / "run")
        same = found is not None and found.equals(whole)
        report.expect(same, f"{what}: the resumed answer is another one")
        report.expect(not litter(folder), f"{what}: litter after the next run {litter(folder)}")
        report.expect(not (folder / "state.npz").exists(), f"{what}: the checkpoint is left")


def _undisturbed(report, arguments, folder):
    run(arguments, folder)  # compiles
    started = time.monotonic()
    ended = run(arguments, folder)
    report.expect(ended.code == 0, f"{arguments[0]} fails by itself: {ended.err[-500:]}")
    return assignments(folder / "run"), time.monotonic() - started


def _report(report, count, rng, folder):
    people(folder / "people.csv", n=400)
    run(["fit", "people.csv", "-k", 4, "--out", "run", "--protected", "sex"], folder)
    arguments = ["report", "run", "--out", "page.html", "--force"]
    started = time.monotonic()
    run(arguments, folder)
    lasts, old = time.monotonic() - started, digest(folder / "page.html")
    for number in range(count):
        sent, after = SIGNALS[number % len(SIGNALS)], rng.random() * lasts
        what = f"report, {sent.name} after {after:.2f} s"
        ended = run(arguments, folder, kill=sent, after=after)
        report.count(f"report {sent.name}")
        traceless(ended, report, what)
        page = folder / "page.html"
        whole = page.read_text(encoding="utf-8").rstrip().endswith("</html>")
        report.expect(whole, f"{what}: half a page")
        if ended.signalled and sent != signal.SIGKILL:
            ended_well(ended, sent, after, report, what)
        again = run(arguments, folder)
        report.expect(again.code == 0, f"{what}: again: {again.code}")
        report.expect(digest(page) == old, f"{what}: another page")
        report.expect(not litter(folder), f"{what}: litter {litter(folder)}")


def _blocks(report, count, rng, folder):
    (folder / "data").mkdir()
    for part in range(3):
        people(folder / "data" / f"part-{part}.parquet", n=20_000, seed=part)
    arguments = ["hard", "data", "-k", 4, "--features", "x0,x1,x2,x3", "--dask", "local",
                 "--out", "clusters"]  # fmt: skip
    started = time.monotonic()
    first = run(arguments, folder)
    report.expect(first.code == 0, f"hard fails by itself: {first.err[-500:]}")
    lasts, old = time.monotonic() - started, digest(folder / "clusters")
    for number in range(count):
        sent, after = SIGNALS[number % len(SIGNALS)], rng.random() * lasts
        what = f"hard, {sent.name} after {after:.2f} s"
        other = [*arguments[:-1], f"other{number}"]
        ended = run(other, folder, kill=sent, after=after)
        report.count(f"blocks {sent.name}")
        traceless(ended, report, what)
        report.expect(digest(folder / "clusters") == old, f"{what}: the old result has changed")
        if ended.code == 0:
            continue
        report.expect(not (folder / other[-1]).exists(), f"{what}: half a result")
        again = run(other, folder)
        report.expect(again.code == 0, f"{what}: again: {again.code} {again.err[-300:]}")
        report.expect(digest(folder / other[-1]) == old, f"{what}: another result")
        report.expect(not litter(folder), f"{what}: litter {litter(folder)}")


def _reproduce(report, count, rng, folder):
    from support import reference

    if not reference.is_there():
        print("reproduce: the reference data are not here, not tried", flush=True)
        return
    arguments = ["reproduce", "--quick", "--datasets", "bank", "--out", "whole",
                 "--data", reference.FOLDER / "data"]  # fmt: skip
    started = time.monotonic()
    first = run(arguments, folder)
    report.expect(first.code == 0, f"reproduce fails by itself: {first.err[-500:]}")
    lasts, whole = time.monotonic() - started, _costs(folder / "whole")
    other = [*arguments[:5], "again", *arguments[6:]]
    for number in range(count):  # one run, killed again and again
        sent = SIGNALS[number % len(SIGNALS)]
        ended = run(other, folder, kill=sent, after=3 + rng.random() * lasts / 4)
        report.count(f"reproduce {sent.name}")
        traceless(ended, report, f"reproduce, {sent.name}")
    run(other, folder)
    report.expect(_costs(folder / "again") == whole, "reproduce: other results after kills")
    report.expect(not litter(folder), f"reproduce: litter {litter(folder)}")


def _costs(folder):
    """All results but the seconds."""
    import polars as pl

    path = folder / "results.parquet"
    if not path.is_file():
        return None
    table = pl.read_parquet(path).filter(~pl.col("quantity").is_in(["s"]))
    return np.round(table.sort(pl.all())["value"].to_numpy(), 12).tolist()
