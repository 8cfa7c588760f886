"""Rules whose bounds are quotients: scale * min(cap, d / radius), the new point's or the row's."""

from typing import NamedTuple

import numpy as np

from likewise._typing import Array
from likewise.similarities.rules import GlobalRule, LocalRule, Rule, ScaledRule


class Quotient(NamedTuple):
    """What such a rule is made of."""

    radius: Array  # of each row
    n_inside: int | None  # rows in the ball round a point that is none; None: the rows' radius
    scale: float = 1.0
    cap: float = np.inf

    def times(self, factor: float) -> "Quotient":
        """All bounds multiplied."""
        return self._replace(scale=self.scale * factor)


def quotient_of(rule: Rule, n_points: int) -> Quotient | None:
    """The rule as a quotient; None where it is not of that form."""
    if isinstance(rule, ScaledRule):
        inner = quotient_of(rule.rule, n_points)
        is_number = 0 < rule.factor < np.inf
        return inner.times(rule.factor) if inner is not None and is_number else None
    if isinstance(rule, GlobalRule) and rule.largest > 0:
        return Quotient(np.full(n_points, rule.largest), None)
    if isinstance(rule, LocalRule):
        return Quotient(rule.radius, rule.n_inside, cap=1.0)
    return None
