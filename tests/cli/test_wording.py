"""The library's messages, in the words of the command line."""

import pytest
from support.commands import invoke, run_main, said

from likewise.cli.wording import OPTIONS, in_options


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("group_tolerance: fit got no sensitive_features. Pass fit(X, sensitive_features=...).",
         "--group-tolerance: no protected columns are named. Name them with --protected."),
        ("sample_weight: some weights are negative.", "--weight: some weights are negative."),
        ("stopped at a gap of 1e-2, above tol=0.001; the answer is fair. Raise max_time or tol.",
         "stopped at a gap of 1e-2, above --tol 0.001; the answer is fair."
         " Raise --max-time or --tol."),
        ("n_clusters: 21 centres were asked for, but X has only n_samples=20 rows."
         " Use n_clusters of at most 20.",
         "--clusters: 21 centres were asked for, but the table has only 20 rows."
         " Use --clusters of at most 20."),
        ("X: 9 rows need 2 GB. Lower n_neighbors from 9 to about 3, or set n_neighbors=None: no.",
         "FILE: 9 rows need 2 GB. Lower --n-neighbors from 9 to about 3, or leave --n-neighbors"
         " out: no."),
        ("Name the folder in data_home= or in the variable.",
         "Name the folder in --data or in the variable."),
        ("metric: 'dice' compares. Use metric='euclidean'.",
         "--metric: 'dice' compares. Use --metric euclidean."),
        ("features: there is no column 'tol'. There is 'X', 'max_time'.",
         "--features: there is no column 'tol'. There is 'X', 'max_time'."),
        ("FILE: there is no file data/X/tol.csv. Check the name.",
         "FILE: there is no file data/X/tol.csv. Check the name."),
        ("the worst is (X[3] and X[5])", "the worst is (X[3] and X[5])"),
        ("--out: run is there already.", "--out: run is there already."),
        ("the disk's tol, somebody's max_time", "the disk's --tol, somebody's --max-time"),
    ],
)  # fmt: skip
def test_arguments_are_options(message, words):
    assert in_options(message) == words


def test_every_option_is_one_of_some_command():
    helps = [invoke(name, "--help").stdout for name in ("fit", "audit", "hard", "reproduce")]
    for option in OPTIONS.values():
        assert any(option in text for text in helps), option


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--group-tolerance", "0.2"], "--group-tolerance: no protected columns are named."),
        (["--weight", "city"], "--weight: "),
        (["-k", "500"], "--clusters: 500 centres were asked for, but the table has only 120 rows"),
        (["--max-time", "-1"], "--max-time: -1.0 is too small"),
        (["--n-neighbors", "5", "--metric", "wminkowski"], "--metric: 'wminkowski' is not known"),
    ],
)
def test_what_a_user_reads(people, arguments, words):
    done = run_main(
        "fit", "people.csv", "--features", "age", "--out", "x", *arguments, cwd=people.parent
    )
    assert words in said(done)
    for name in ("sensitive_features", "sample_weight", "n_clusters", "max_time", "fit(X"):
        assert name not in said(done)


def test_data_that_is_not_there(tmp_path):
    done = run_main("reproduce", "--data", tmp_path / "nowhere")
    assert "error: --data: " in said(done)
