"""What is free is the least of what system, container and process leave."""

import resource

import pytest

from likewise.compute import memory
from likewise.errors import NotEnoughMemory

GIB = 2**30


def test_a_limit_on_addresses_counts(monkeypatch):
    def limited(kind):
        assert kind == resource.RLIMIT_AS
        return (10**18, 10**18)

    monkeypatch.setattr(resource, "getrlimit", limited)
    assert 0 < memory._free_in_process() < 10**18
    monkeypatch.setattr(memory, "_free_in_process", lambda: 5)
    assert memory.available() == 5


def test_no_limit_is_none(monkeypatch):
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    monkeypatch.setattr(resource, "getrlimit", lambda kind: unlimited)
    assert memory._free_in_process() is None
    memory.check_address_space()


def test_too_few_addresses_are_said_before_libraries_fail(monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (GIB, GIB))
    with pytest.raises(NotEnoughMemory, match=r"1\.0 GB of address space .* ulimit -v 4194304"):
        memory.check_address_space()


@pytest.mark.parametrize(
    ("most", "now"),
    [("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")],
)
def test_the_tightest_group_counts(tmp_path, monkeypatch, most, now):
    inner = tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    for folder, limit in ((tmp_path, "max"), (tmp_path / "outer", "900"), (inner, "2000")):
        (folder / most).write_text(limit)
        (folder / now).write_text("100")
    monkeypatch.setattr(memory, "_control_groups", lambda: [inner, inner.parent, tmp_path])
    assert memory._free_in_container() == 800
    monkeypatch.setattr(memory, "_control_groups", lambda: [tmp_path])
    assert memory._free_in_container() is None


def test_the_groups_around_this_process_are_found():
    groups = list(memory._control_groups())
    assert groups[0].parts[-3:] == ("sys", "fs", "cgroup")
    assert all(group.is_relative_to(groups[0]) for group in groups)
