"""What the paper prints."""

import json

from support import reference

from likewise.experiments import paper, plan


@reference.needed
def test_the_printed_numbers_are_the_papers():
    tables = json.loads((reference.FOLDER / "reference" / "paper_tables.json").read_text())
    printed = tables["skm_violation_percent_at_equal_cost"]
    for similarity in plan.SIMILARITIES:
        ours = {name: list(row) for name, row in paper.SOFT_VIOLATIONS[similarity].items()}
        assert ours == printed[similarity]
    seconds = tables["alg_if_seconds"]
    assert dict(zip(seconds["n"], seconds["seconds"], strict=True)) == paper.SECONDS
