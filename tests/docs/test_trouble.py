"""What the page "When something goes wrong" quotes is what the code says, numbers aside."""

import re
import textwrap
import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sklearn.exceptions import ConvergenceWarning
from support.commands import run_main

from likewise import LikewiseClustering
from likewise.certificate.evidence import RadiusProof
from likewise.cli.wording import in_options
from likewise.compute import code_cache, memory
from likewise.errors import LongWorkWarning, RelaxationWarning, SamenessWarning
from likewise.fitting import estimate
from likewise.fitting.checkpoint import Checkpoint

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "trouble.md"
X = np.random.default_rng(0).normal(size=(200, 3))


def without_numbers(text):
    """Whose spaces and numbers do not matter."""
    return " ".join(re.sub(r"[-+]?\d[\d.,]*(?:e[-+]?\d+)?%?", "#", text).split())


QUOTED = without_numbers(
    "\n".join(re.findall(r"^```text\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S))
)


def is_quoted(text):
    return without_numbers(text) in QUOTED


def warned(kind, call):
    with pytest.warns(kind) as found:
        result = call()
    assert all(is_quoted(str(each.message)) for each in found if each.category is kind)
    return result


def refused(call):
    with pytest.raises((ValueError, MemoryError)) as problem:
        call()
    return str(problem.value)


def test_gap():
    warned(ConvergenceWarning, lambda: LikewiseClustering(4, max_time=0.0, random_state=0).fit(X))


def test_too_few_people():
    few = np.repeat(X[:3], 4, axis=0)
    warned(ConvergenceWarning, lambda: LikewiseClustering(5, random_state=0).fit(few))


def test_sameness():
    with_outlier = np.vstack([[[100.0, 0.0, 0.0]], X])
    model = LikewiseClustering(3, similarity="global", random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SamenessWarning)
        notes = model.fit(with_outlier).certificate_.notes(lambda row: f"X[{row}]")
    assert len(notes) > 2
    assert all(is_quoted(f"note: {each}") for each in notes)


def test_long_work(monkeypatch):
    shorter = estimate.Estimate(400_000, 10**8, 2400.0, False, 10**10, n_neighbors=250)
    long = estimate.Estimate(400_000, 16 * 10**10, 30_000.0, False, 10**9, shorter)
    monkeypatch.setattr(estimate, "_may_be_long", lambda *_: True)
    monkeypatch.setattr(estimate, "estimate", lambda *_: long)
    warned(LongWorkWarning, lambda: LikewiseClustering(3, random_state=0).fit(X))


def test_memory(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 11 * 2**30)
    assert is_quoted(refused(lambda: memory.check(10**6, 8, 8, 250, 250 * 10**6)))


def test_group_bounds():
    model = LikewiseClustering(2, group_bounds={("sex", "f"): (0.6, 0.9)})
    sex = {"sex": np.repeat(["f", "m"], 100)}
    assert is_quoted(refused(lambda: model.fit(X, sensitive_features=sex)))


def test_radius():
    proof = RadiusProof(3.9, 3.9, 3.8, 0.0, is_minimal=False)
    assert is_quoted(f"radius: {proof}")


def test_later_people():
    model = LikewiseClustering(3, random_state=0).fit(X[:80])
    later = np.random.default_rng(1).normal(size=(1000, 3))
    warned(RelaxationWarning, lambda: model.predict_proba(later))


def test_no_place_for_compiled_code():
    assert is_quoted(code_cache._REMEDY)


def test_checkpoint_of_another_fit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    checkpoint = Checkpoint("state.npz")
    checkpoint.write("one", {})
    assert is_quoted(in_options(refused(lambda: checkpoint.read("another"))))


@pytest.fixture
def people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = np.arange(60)
    return pl.DataFrame(
        {"age": 20.0 + rows % 31, "income": 14_000 + 37 * (rows % 17), "customer_id": 1 + rows}
    ).with_columns(name="n" + pl.col("customer_id").cast(pl.String))


def fit(table, *options, name="people.csv", separator=",", encoding="utf-8"):
    text = table.write_csv(separator=separator)
    Path(name).write_bytes(text.encode(encoding))
    return run_main("fit", name, "-k", "2", "--out", "run", "--force", *options)


def lines(done):
    return [line.removeprefix("error:") for line in done.stderr.splitlines() if line]


def test_columns_that_are_left_out(people):
    left_out = [line for line in lines(fit(people)) if "left out" in line]
    assert len(left_out) == 2
    assert all(map(is_quoted, left_out))


def test_missing_values(people):
    gaps = people.with_columns(age=pl.when(pl.col("customer_id") != 5).then("age"))
    done = fit(gaps, "--features", "age,income")
    assert done.returncode == 3
    assert all(map(is_quoted, lines(done)))


def test_files_that_are_read_in_other_ways(people):
    two = people.select("age", "income")
    thousands = two.with_columns(income=pl.format("{},708", pl.col("income") // 1000))
    assert all(map(is_quoted, lines(fit(thousands))))
    decimals = two.with_columns(income=pl.col("age").cast(pl.String).str.replace(".0", ",5"))
    said = lines(fit(decimals, separator=";", name="semi.csv"))
    assert is_quoted(said[0])
    letters = two.with_columns(name=pl.lit("Jürgen"))
    said = lines(fit(letters, encoding="cp1252", name="lat.csv"))
    assert is_quoted(said[0])
    Path("ragged.csv").write_text("a,b\n1,2\n3,4,5\n")
    assert all(map(is_quoted, lines(run_main("fit", "ragged.csv", "-k", "2", "--out", "r"))))


def test_later_people_without_a_place(people):
    assert fit(people, "--features", "age,income", "--id", "name").returncode == 0
    Path("new.csv").write_text("name,age,income\nBo,33,14000\nAna,?,15000\n")
    done = run_main("assign", "run", "new.csv", "--out", "later")
    assert done.returncode == 8
    said = done.stdout[done.stdout.index("1 row refused") : done.stdout.index("  all of them")]
    assert is_quoted(textwrap.dedent(said))
