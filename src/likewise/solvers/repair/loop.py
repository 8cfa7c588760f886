"""From nearly fair to exactly fair: the loop that all repairs share.

Two tools. *Mixing* everyone with a reference that is fair: the divergence is jointly convex, so
this shrinks every pair at least in proportion; always enough, but one pair with a tiny bound then
costs everybody. *Sweeping* over the violated pairs, moving both ends of each towards the other:
local and cheap, but in a tight neighbourhood each move may violate the next pair and the sweeps
need not end. So both, step by step: sweep only what is far off, see what mixing the rest away
costs, and again with half of that; the cheapest of all these is the answer.

Scans over all pairs can be expensive. So a *look* at all pairs follows only when *rounds* of sweeps
and quick scans, among the pairs that are known to matter, hope for no more.

What the iterate is mixed with is the ``Reference``; three there are:

* a distribution common to all (``mixing``);
* an anchor, a fair answer in which every pair has some room (``anchored``);
* none: as long as nothing fair is known there are sweeps only (``sweeping``).
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from likewise._typing import Array
from likewise.compute.cancellation import Cancelled, check
from likewise.solvers.divergence_ops.base import DivergenceOps
from likewise.solvers.repair.base import LOOKS
from likewise.solvers.separation.base import Scan, Scanner
from likewise.solvers.working_set import CandidatePairs


@dataclass(frozen=True)
class Settings:
    """The numbers of a repair."""

    rounds: int  # of sweeps and a quick scan, at most
    patience: int  # rounds without any gain, at most
    margin: float  # sweeps go further than needed, by this part of what is off, so that they end
    largest_margin: float  # but by no more than this part of a bound: it would disturb too much
    near: float  # sweeps only take up pairs above this part of their limit: moves reach no others
    keeps_known: bool  # what quick scans find is swept after the next look too, each pair once
    sweeps: int = 20  # in a round, at most
    step: float = 0.5  # each round sweeps down to this part of what was off before


MIXING = Settings(
    rounds=10, patience=2, margin=0.1, largest_margin=np.inf, near=0.8, keeps_known=False
)
ANCHORED = Settings(
    rounds=12, patience=3, margin=0.3, largest_margin=1.0, near=0.8, keeps_known=True
)
SWEEPS_ONLY = Settings(
    rounds=12, patience=3, margin=0.3, largest_margin=1e-2, near=0.0, keeps_known=True
)


@dataclass(frozen=True)
class Trial:
    """Distributions, what a scan saw of them, and what mixing makes of that."""

    x: Array
    scan: Scan
    off: float  # how far the worst pair is above its bound, in the reference's measure
    weight: float  # of the reference that brings all pairs within
    loss: float  # what is to be small: the cost once mixed, or without a reference the excess


UNSCANNED = Scan(CandidatePairs.none(), 1.0)  # no scan has looked: all of it may be needed


class Reference(Protocol):
    """What an iterate is mixed with, and what follows from that for the loop."""

    @property
    def settings(self) -> Settings: ...

    def restored(self, x: Array) -> Array:
        """x with the bounds on groups restored, as far as this reference does that."""
        ...

    def judge(self, x: Array, scan: Scan) -> Trial:
        """What becomes of x, as far as this scan can tell."""
        ...

    def is_enough(self, trial: Trial) -> bool:
        """Whether further sweeps are not worth their while, or would do harm."""
        ...

    def limits(self, bound: Array, off: float, target: float) -> tuple[Array, float]:
        """(limit of each pair, what margins are a part of) of sweeps that are to leave pairs off by
        ``target`` at most, where the worst is off by ``off``.
        """
        ...

    def is_settled(self, trial: Trial, hoped: Trial, improves: bool) -> bool:
        """Whether another look can be spared. ``trial`` has seen all pairs; ``hoped`` is what was
        expected of it, the same object where nothing was unknown.
        """
        ...


@dataclass(frozen=True)
class RepairLoop:
    """Looks, rounds and sweeps over the pairs of a scanner."""

    scanner: Scanner
    ops: DivergenceOps
    allowed: Array | None = None  # the centres that each point may use; None: all

    def best_of(
        self,
        x: Array,
        known: CandidatePairs,
        reference: Reference,
        otherwise: Trial,
        looks: int = LOOKS,
    ) -> Trial:
        """The best of what looks at all pairs have confirmed, or ``otherwise`` if that is better.

        ``known`` are pairs that matter, to begin with. Cut short, it is the best so far.
        """
        settings, best = reference.settings, otherwise
        for _ in range(looks):
            try:
                hoped, swept = self._among_known(x, known, reference)
                trial = self._confirmed(hoped, reference)
            except Cancelled:
                break
            improves = trial.loss < best.loss
            if improves:
                best = trial
            if reference.is_settled(trial, hoped, improves):
                break
            x = hoped.x
            known = self._widened(swept if settings.keeps_known else known, trial.scan, settings)
        return best

    def _confirmed(self, hoped: Trial, reference: Reference) -> Trial:
        """What becomes of it by a look at all pairs; the same where nothing was unknown."""
        if self.scanner.knows_all:
            return hoped
        return reference.judge(hoped.x, self.scanner.full(hoped.x))

    def _among_known(
        self, x: Array, known: CandidatePairs, reference: Reference
    ) -> tuple[Trial, CandidatePairs]:
        """The best that rounds of sweeps reach, as far as quick scans can tell, and the pairs that
        were swept.
        """
        settings = reference.settings
        best, least, target, in_vain = None, np.inf, np.inf, 0
        for _ in range(settings.rounds):
            check()
            x = reference.restored(x)
            trial = reference.judge(x, self.scanner.quick(x))
            in_vain = 0 if trial.loss < least else in_vain + 1
            if best is None or trial.loss < least:
                best, least = trial, trial.loss
            if reference.is_enough(trial) or in_vain == settings.patience:
                break
            known = self._widened(known, trial.scan, settings)
            target = settings.step * min(trial.off, target)
            x = x.copy()
            limit, unit = reference.limits(known.bound, trial.off, target)
            margin = min(settings.margin * unit, settings.largest_margin)
            self._sweep(x, known, limit, margin, settings)
        assert best is not None, "there is at least one round"
        return best, known

    def _widened(self, known: CandidatePairs, scan: Scan, settings: Settings) -> CandidatePairs:
        """The pairs that are known to matter, and those that a scan saw."""
        both = CandidatePairs.join([known, scan.candidates])
        return self.scanner.merging.once(both) if settings.keeps_known else both

    def _sweep(
        self, x: Array, pairs: CandidatePairs, limit: Array, margin: float, settings: Settings
    ) -> None:
        """Contract pairs above their limits until there are none, or often enough."""
        if settings.near > 0.0:
            near = np.flatnonzero(self.ops.values(x, pairs) > settings.near * limit)
            pairs, limit = pairs.take(near), limit[near]
        for _ in range(settings.sweeps):
            check()
            if self.ops.contract(x, pairs, limit, margin, self.allowed) == 0:
                return
