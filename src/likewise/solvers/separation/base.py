"""What every scanner offers, and what a scan says."""

from dataclasses import dataclass
from typing import Protocol

from likewise._typing import Array
from likewise.solvers.presolve import Merging
from likewise.solvers.working_set import CandidatePairs


@dataclass(frozen=True)
class Scan:
    """What a scan saw of distributions x.

    ``candidates`` are pairs above their bounds, the worst of each point: candidates for the working
    set. ``mixing_weight`` is the least w at which (1 - w) x + w times the scanner's reference
    distribution has no pair above its bound, of all that were scanned; 0 if there is none.
    """

    candidates: CandidatePairs
    mixing_weight: float


class Scanner(Protocol):
    """Finds pairs whose divergence is above their bound."""

    merging: Merging
    reference: Array  # the distribution common to all that mixing weights are weights of

    @property
    def pairs_scanned(self) -> int:
        """How many pairs it has looked at so far."""
        ...

    @property
    def knows_all(self) -> bool:
        """Whether a quick scan looks at all pairs."""
        ...

    @property
    def known(self) -> CandidatePairs:
        """The pairs that a quick scan looks at."""
        ...

    @property
    def full_cost(self) -> int:
        """How many pairs a full scan looks at."""
        ...

    def quick(self, x: Array) -> Scan:
        """Pairs with divergence > bound, among those that mattered before."""
        ...

    def full(self, x: Array, weighs: bool = True) -> Scan:
        """Pairs with divergence > bound, among all; the mixing weight is for all of them too. A
        scan that does not have to weigh may say any.
        """
        ...

    def tightened(self, slack: float) -> "Scanner":
        """The same with bounds of 1 - slack times what they are."""
        ...

    def memory(self) -> tuple[Array, CandidatePairs]:
        """What it has counted so far, and the pairs that quick scans look at."""
        ...

    def remember(self, counts: Array, known: CandidatePairs) -> None:
        """Go on as if this were what it has counted and what it knows."""
        ...
