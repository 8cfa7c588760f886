"""A fit that is lost goes on from where it was, to the same answer."""

import multiprocessing
import os
import signal
import time

import numpy as np
import pytest
from sklearn.base import clone

from likewise import LikewiseClustering
from likewise.errors import InvalidArgument
from likewise.fitting import checkpoint as checkpoints

CASES = {
    "every pair": dict(similarity="local"),
    "neighbours": dict(n_neighbors=15),
    "kl": dict(divergence="kl", n_neighbors=8),
    "groups": dict(group_tolerance=0.3, n_neighbors=8),
    "by boxes": dict(n=3000, tol=3e-3),
}


def instance(n=240, **options):
    random = np.random.default_rng(0)
    X = random.normal(size=(n, 3)) + 2 * random.integers(0, 2, size=(n, 1))
    X[: n // 10] = X[n // 10 : 2 * (n // 10)]
    groups = random.integers(0, 2, size=n) if "group_tolerance" in options else None
    model = LikewiseClustering(3, solver="first-order", random_state=0, **options)
    return model, X, groups


class Lost(Exception):
    """The process is gone."""


def test_the_state_of_one_run_is_none_of_the_next(tmp_path, monkeypatch):
    """Both on the same costs to the same gap: vanilla centres that are proven, and not moved."""
    X = np.random.default_rng(3).normal(size=(12, 2))
    model = LikewiseClustering(5, divergence="reverse-kl", tol=1e-4, random_state=0)
    undisturbed = clone(model).fit(X)
    monkeypatch.setattr(checkpoints.Checkpoint, "is_due", True)
    write, written = checkpoints.Checkpoint.write, []

    def write_and_be_lost(self, digest, arrays):
        write(self, digest, arrays)
        written.append(digest)
        if len(written) == 1:
            raise Lost

    monkeypatch.setattr(checkpoints.Checkpoint, "write", write_and_be_lost)
    model.set_params(checkpoint=tmp_path / "state.npz")
    with pytest.raises(Lost):
        model.fit(X)
    model.fit(X)
    np.testing.assert_array_equal(model.distributions_, undisturbed.distributions_)


@pytest.mark.parametrize("name", CASES)
def test_a_lost_fit_goes_on_to_the_same_answer(name, tmp_path, monkeypatch):
    undisturbed, X, groups = instance(**CASES[name])
    undisturbed.fit(X, sensitive_features=groups)
    path = tmp_path / "state.npz"
    model, X, groups = instance(checkpoint=path, **CASES[name])
    write, written = checkpoints.Checkpoint.write, []

    def write_and_be_lost(self, digest, arrays):
        write(self, digest, arrays)
        written.append(int(arrays["state.iterations"]))
        if len(written) in (3, 9):
            raise Lost

    monkeypatch.setattr(checkpoints.Checkpoint, "write", write_and_be_lost)
    monkeypatch.setattr(checkpoints.Checkpoint, "is_due", True)
    for _ in range(2):
        with pytest.raises(Lost):
            model.fit(X, sensitive_features=groups)
        assert path.exists()
    model.fit(X, sensitive_features=groups)
    assert written[3] <= written[2] + 40  # it went on, it did not begin again
    np.testing.assert_array_equal(model.distributions_, undisturbed.distributions_)
    assert model.n_iter_ == undisturbed.n_iter_
    assert model.lower_bound_ == undisturbed.lower_bound_
    assert not path.exists()


def fit_in_another_process(path):
    checkpoints.Checkpoint.is_due = True
    model, X, _ = instance(n=700, n_neighbors=40, tol=1e-6, checkpoint=path)
    model.fit(X)


def test_a_killed_process_loses_little(tmp_path):
    path = tmp_path / "state.npz"
    process = multiprocessing.get_context("spawn").Process(
        target=fit_in_another_process, args=(path,)
    )
    process.start()
    deadline = time.monotonic() + 60
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert path.exists()
    undisturbed, X, _ = instance(n=700, n_neighbors=40, tol=1e-6)
    model, X, _ = instance(n=700, n_neighbors=40, tol=1e-6, checkpoint=path)
    np.testing.assert_array_equal(model.fit(X).distributions_, undisturbed.fit(X).distributions_)


def test_another_fits_checkpoint_is_left_alone(tmp_path, monkeypatch):
    path = tmp_path / "state.npz"
    for content in (b"", b"nothing of the kind"):
        path.write_bytes(content)
        model, X, _ = instance(checkpoint=path)
        with pytest.raises(InvalidArgument, match=r"^checkpoint: .*npz cannot be read .* Delete"):
            model.fit(X)
        assert path.read_bytes() == content
    monkeypatch.setattr(checkpoints.Checkpoint, "is_due", True)

    def be_lost(self, digest, arrays):
        write(self, digest, arrays)
        raise Lost

    write = checkpoints.Checkpoint.write
    path.unlink()
    monkeypatch.setattr(checkpoints.Checkpoint, "write", be_lost)
    with pytest.raises(Lost):
        model.set_params(centers=np.array([1, 40, 100])).fit(X)
    monkeypatch.setattr(checkpoints.Checkpoint, "write", write)
    with pytest.raises(InvalidArgument, match="not a checkpoint of this fit"):
        model.set_params(centers=np.array([2, 40, 100])).fit(X)
    checkpoints.Checkpoint(path).write("another", {})
    with pytest.raises(InvalidArgument, match="Delete it, or name another file"):
        model.fit(X)
    model.set_params(checkpoint=tmp_path / "nowhere" / "state.npz")
    with pytest.raises(InvalidArgument, match="there is no folder"):
        model.fit(X)


def test_a_digest_tells_apart_what_an_answer_depends_on():
    a = np.arange(4.0)
    same = checkpoints.digest_of([a, 3, "tv"])
    assert same == checkpoints.digest_of([a.copy(), 3, "tv"])
    others = [[a[::-1], 3, "tv"], [a, 4, "tv"], [a.astype(int), 3, "tv"], [a.reshape(2, 2), 3]]
    assert same not in {checkpoints.digest_of(parts) for parts in others}


def lost_in_the_middle(path, monkeypatch):
    """A model and its rows, and at ``path`` the checkpoint of a fit that was lost."""
    model, X, _ = instance(checkpoint=path, n_neighbors=15)
    write = checkpoints.Checkpoint.write

    def write_and_be_lost(self, digest, arrays):
        write(self, digest, arrays)
        raise Lost

    with monkeypatch.context() as patched:
        patched.setattr(checkpoints.Checkpoint, "write", write_and_be_lost)
        patched.setattr(checkpoints.Checkpoint, "is_due", True)
        with pytest.raises(Lost):
            model.fit(X)
    return model, X


def harmed(path, change):
    """Write the archive again without, or with other, arrays."""
    with np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
    change(arrays)
    np.savez(path, **arrays)


def test_whatever_is_missing_or_short_is_noticed(tmp_path, monkeypatch):
    path = tmp_path / "state.npz"
    model, X = lost_in_the_middle(path, monkeypatch)
    whole = path.read_bytes()
    with np.load(path) as file:
        names = [name for name in file.files if name not in ("likewise", "checksum")]
        long = [name for name in names if file[name].ndim and len(file[name])]
    assert len(names) > 10
    for name in names:
        path.write_bytes(whole)
        harmed(path, lambda arrays, name=name: arrays.pop(name))
        with pytest.raises(InvalidArgument, match=r"state\.npz is damaged: .* Delete it"):
            model.fit(X)
    for name in long:
        path.write_bytes(whole)
        harmed(path, lambda arrays, name=name: arrays.update({name: arrays[name][:-1]}))
        with pytest.raises(InvalidArgument, match=r"state\.npz is damaged"):
            model.fit(X)
    path.write_bytes(whole)
    model.fit(X)
    assert not path.exists()


@pytest.mark.parametrize("version", ["0.0.1", None])
def test_another_versions_checkpoint_is_named_so(tmp_path, monkeypatch, version):
    path = tmp_path / "state.npz"
    model, X = lost_in_the_middle(path, monkeypatch)

    def change(arrays):
        if version is None:  # as 0.1 wrote them
            del arrays["likewise"]
        else:
            arrays["likewise"] = np.array(version)

    monkeypatch.setattr(checkpoints, "__version__", "0.5")
    harmed(path, change)
    with pytest.raises(InvalidArgument, match=rf"written by likewise {version or '0.1'}, this is"):
        model.fit(X)


def test_a_full_disk_does_not_end_the_fit(tmp_path, monkeypatch):
    def full(path, content):
        raise OSError(28, "No space left on device", str(path))

    undisturbed, X, _ = instance(n_neighbors=15)
    model, X, _ = instance(n_neighbors=15, checkpoint=tmp_path / "state.npz")
    monkeypatch.setattr(checkpoints, "write_atomically", full)
    monkeypatch.setattr(checkpoints.Checkpoint, "is_due", True)
    with pytest.warns(RuntimeWarning, match=r"state\.npz cannot be written .No space") as told:
        model.fit(X)
    assert len(told) == 1
    np.testing.assert_array_equal(model.distributions_, undisturbed.fit(X).distributions_)


def test_a_checkpoint_stays_until_the_answer_is_written(tmp_path, monkeypatch):
    path = tmp_path / "state.npz"
    model, X = lost_in_the_middle(path, monkeypatch)

    def lost_when_written():
        with checkpoints.kept_until_written():
            model.fit(X)
            raise Lost

    with pytest.raises(Lost):
        lost_when_written()
    assert path.exists()
    with checkpoints.kept_until_written():
        model.fit(X)
        assert path.exists()
    assert not path.exists()
