"""Which runs there are."""

from likewise.experiments import plan


def test_plans_name_each_cell_once():
    for cells in (plan.full(), plan.quick()):
        assert len({cell.name for cell in cells}) == len(cells)
    kinds = [cell.kind for cell in plan.full()]
    assert kinds[-5:] == ["time"] * 5  # alone, at the end
    assert set(plan.quick()) <= set(plan.full())
