"""Each claim of the paper, judged by what was measured."""

from dataclasses import dataclass

from likewise.experiments import paper
from likewise.experiments.plan import LARGE, SIMILARITIES
from likewise.experiments.results import Results, number


@dataclass(frozen=True)
class Verdict:
    """A claim, whether it holds, and the figure that shows it."""

    claim: str
    holds: bool | None  # None: not measured in this run
    figure: str

    @property
    def word(self) -> str:
        """The verdict in words."""
        return {True: "holds", False: "does not hold", None: "not measured"}[self.holds]


def judge(results: Results) -> list[Verdict]:
    """All claims of the paper's abstract and experiments."""
    return [
        *_ratio(results, "IF", paper.IF_RATIO),
        *_ratio(results, "CF", paper.CF_RATIO),
        _price(results),
        _group_fairness_hurts(results),
        _bias_is_bounded(results),
        _no_violation(results),
        _soft_violates(results),
        _faster(results),
    ]


def _ratio(results: Results, which: str, printed: float) -> list[Verdict]:
    claim = f"ALG-{which} costs at most {printed} times OPT-{which} (n = 80)"
    rows = [
        (ratio, f"{dataset} {similarity} k = {k}")
        for dataset in results.datasets
        for similarity in SIMILARITIES
        for k, ratio in results.ratios(which, dataset, similarity).items()
    ]
    if not rows:
        return [Verdict(claim, None, "")]
    worst, where = max(rows)
    fourth = worst**0.5
    return [
        Verdict(
            f"{claim}, in the paper's cost L_2",
            worst <= printed,
            f"at most {worst:.3f} ({where})",
        ),
        Verdict(
            f"{claim}, as its plots have it (square root taken twice)",
            fourth <= printed + 0.005,
            f"at most {fourth:.3f} ({where})",
        ),
    ]


def _price(results: Results) -> Verdict:
    claim = f"OPT-IF and OPT-CF cost at most {paper.PRICE} times hard k-means"
    rows = [
        (price, f"OPT-{which} {dataset} {similarity} k = {k}")
        for which in ("IF", "CF")
        for dataset in results.datasets
        for similarity in SIMILARITIES
        for k, price in results.prices(which, dataset, similarity).items()
    ]
    if not rows:
        return Verdict(claim, None, "")
    worst, where = max(rows)
    twice = f"{worst**0.5:.3f} with the root taken twice"
    return Verdict(claim, worst <= paper.PRICE, f"at most {worst:.3f} in L_2 ({where}); {twice}")


def _group_fairness_hurts(results: Results) -> Verdict:
    claim = (
        "group-fair clustering violates at least 25% of the individual constraints for k >= 4,"
        " more as k grows"
    )
    least, grows, where = 1.0, True, ""
    ends_at: set[int] = set()
    for dataset in results.datasets:
        for similarity in SIMILARITIES:
            shares = results.large(("GF", "violated"), dataset, similarity)
            from_four = [share for k, share in shares.items() if k >= 4]
            if from_four and min(from_four) < least:
                least, where = min(from_four), f"{dataset} {similarity}"
            if len(shares) > 1:
                ends = list(shares.values())
                grows = grows and ends[-1] > ends[0]
                ends_at |= {min(shares), max(shares)}
    if not where:
        return Verdict(claim, None, "")
    figure = f"at least {100 * least:.1f}% ({where})"
    if ends_at:
        more = "more" if grows else "not always more"
        figure += f"; {more} at k = {max(ends_at)} than at k = {min(ends_at)}"
    if not ends_at:
        claim = claim.removesuffix(", more as k grows")  # one k says nothing about that
    return Verdict(claim, least >= paper.GF_VIOLATED and grows, figure)


def _bias_is_bounded(results: Results) -> Verdict:
    claim = "the bias of every group is at most its earth mover's distance (F1, TV)"
    rows = [
        number(result, "ALG-IF", "bias_excess")
        for _, result in results.cells("clusterings", similarity="global")
    ]
    if not rows:
        return Verdict(claim, None, "")
    worst = max(rows)
    figure = f"bias minus distance is at most {worst:.3f}, over {len(rows)} runs of ALG-IF"
    return Verdict(claim, worst <= 1e-9, figure)


def _no_violation(results: Results) -> Verdict:
    claim = "ALG-IF violates no individual fairness constraint"
    rows = [result for _, result in results.cells("clusterings", "individual", "time")]
    if not rows:
        return Verdict(claim, None, "")
    worst = max(number(row, "ALG-IF", "worst_excess") for row in rows)
    broken = sum(number(row, "ALG-IF", "violated") > 0 for row in rows)
    figure = (
        f"{broken or 'none'} in {len(rows)} runs; the worst pair is {max(worst, 0.0):.0e} above"
        " its bound"
    )
    return Verdict(claim, broken == 0, figure)


def _soft_violates(results: Results) -> Verdict:
    claim = "soft k-means of the same cost violates individual constraints in every cell of Table 1"
    shares = [
        number(result, "SKM", "violated")
        for cell, result in results.cells("clusterings", "individual", n=LARGE)
        if cell.k >= 4
    ]
    if not shares:
        return Verdict(claim, None, "")
    figure = f"{100 * min(shares):.1f}% to {100 * max(shares):.0f}%"
    return Verdict(claim, min(shares) > 0, figure)


def _faster(results: Results) -> Verdict:
    claim = "ALG-IF takes 32,896 s for 4,000 points (20 cores, CPLEX)"
    seconds = results.seconds()
    if not seconds:
        return Verdict(claim, None, "")
    n = max(seconds)
    times = paper.SECONDS[n] / seconds[n]
    return Verdict(
        claim, None, f"here n = {n:,} takes {seconds[n]:.1f} s: {times:,.0f} times faster"
    )
