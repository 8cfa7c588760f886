"""Finished cells on the disk."""

import json

import pytest
from support.cells import few_cells

from likewise.experiments.store import Store


def test_what_is_not_whole_is_not_taken(tmp_path):
    cell = few_cells()[0]
    store = Store(tmp_path)
    store.keep(cell, {"HKM": {"mean_cost": 1.0}}, 0.1)
    assert store.has(cell)
    path = tmp_path / f"{cell.name}.json"
    record = json.loads(path.read_text())
    path.write_text(json.dumps(record | {"version": "0.0.0"}))
    assert not store.has(cell)
    for other in (path.read_text()[:50], "[]", '{"version": 1}'):
        path.write_text(other)
        assert not store.has(cell)
    with pytest.raises(KeyError):
        store.result(cell)
