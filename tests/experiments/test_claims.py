"""Verdicts on the paper's claims."""

from support.cells import invented

from likewise.experiments import claims
from likewise.experiments.results import Results


def test_claims_hold_and_fail_as_they_should():
    holds = {each.claim: each.holds for each in claims.judge(invented())}
    assert [claim for claim, word in holds.items() if word is False] == []
    assert sum(word is True for word in holds.values()) == 9
    expensive = claims.judge(invented(HKM={"mean_cost": 0.4, "violated": 0.4}))
    assert not next(each for each in expensive if "hard k-means" in each.claim).holds
    biased = dict(mean_cost=1.3, violated=0.01, worst_excess=0.2, bias_excess=0.1, s=1.0)
    unfair = {each.claim: each.holds for each in claims.judge(invented(**{"ALG-IF": biased}))}
    assert sum(word is False for word in unfair.values()) == 3  # expensive, biased, unfair
    nothing = claims.judge(Results({}))
    assert {each.word for each in nothing} == {"not measured"}
