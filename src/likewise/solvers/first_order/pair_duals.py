"""The duals of the pairs in the working set, and how they step.

What depends on the divergence (how many duals a pair has, their step, what they are worth) is
asked of its operations. Pairs whose duals are all zero are not active: they are only looked at.
"""

import numpy as np

from likewise._typing import Array
from likewise.compute.cancellation import kept_whole
from likewise.compute.threads import over_ranges
from likewise.solvers.checkpoint import named, part
from likewise.solvers.divergence_ops.base import NOTHING, DivergenceOps
from likewise.solvers.divergence_ops.duals import Planes, WorkingDuals
from likewise.solvers.first_order import kernels
from likewise.solvers.kernels.halpern import HalpernStep, Iterates
from likewise.solvers.kernels.picking import have_values, rows_at
from likewise.solvers.working_set import CandidatePairs

SMALL_BOUND_POWER = 0.25  # dual steps grow as bounds shrink, by this power
SHORTEST, LONGEST = 0.05, 20.0  # of a step, in units of that of a pair with the median bound
LEAST_INVERSE_STEP = 0.5  # of a point in no pair, whose steps would be endless
NEW = -1  # the place of a pair that has had no duals yet


class PairDuals:
    """The working set and its duals; none in it yet."""

    def __init__(self, ops: DivergenceOps, n_points: int, n_centers: int) -> None:
        self.ops = ops
        self.n_points = n_points
        self.pairs = CandidatePairs.none()
        duals, width = np.zeros((0, ops.ends * n_centers)), 1 + n_centers if ops.projects else 0
        self._set(Iterates.at(duals), np.zeros((0, width)))

    @property
    def iterates(self) -> Iterates:
        return self.working.iterates

    def _set(self, iterates: Iterates, guess: Array) -> None:
        """These duals for the pairs, with their step lengths and who is in which pair."""
        n, pairs = self.n_points, self.pairs
        bound = np.maximum(pairs.bound, NOTHING)
        typical = float(np.median(bound)) if len(bound) else 1.0
        relative = np.clip((typical / bound) ** SMALL_BOUND_POWER, SHORTEST, LONGEST)
        length = self.ops.largest_step * relative
        active = np.zeros(len(pairs), dtype=bool)
        self.working = WorkingDuals(iterates, guess, active, pairs.a, pairs.b, pairs.bound, length)
        self.find_active()
        self._inverse_step: Array = np.bincount(pairs.a, relative, n)
        self._inverse_step += np.bincount(pairs.b, relative, n)
        self._pairs_of = kernels.PairsOfPoints(
            np.searchsorted(pairs.a, np.arange(n + 1)),  # the pairs are sorted by a
            *kernels.places_by_value(pairs.b, n),
        )

    def find_active(self) -> None:
        """Exactly the pairs that have a dual are active."""
        over_ranges(have_values, len(self.pairs), tuple(self.iterates), self.working.active)

    def replace(self, candidates: CandidatePairs, stays: Array) -> None:
        """Keep the pairs at ``stays``, and let ``candidates`` in without duals."""
        with kept_whole():
            self._replace(candidates, stays)

    def _replace(self, candidates: CandidatePairs, stays: Array) -> None:
        stay = self.pairs.take(stays)
        keys = candidates.keys(self.n_points)
        order = np.argsort(keys, kind="stable")
        where = np.searchsorted(stay.keys(self.n_points), keys[order])
        joined = CandidatePairs.join([stay, candidates])
        self.pairs = joined.take(np.insert(np.arange(len(stay)), where, len(stay) + order))
        places = np.insert(stays, where, NEW)

        def kept(rows: Array) -> Array:
            out = np.empty((len(places), rows.shape[1]))
            over_ranges(rows_at, len(places), rows, places, out)
            return out

        # Of millions of pairs each of these arrays takes half a gigabyte: the old one goes at once.
        iterates, guess = list(self.iterates), kept(self.working.guess)
        del self.working
        for each in range(len(iterates)):
            iterates[each] = kept(iterates[each])
        self._set(Iterates(*iterates), guess)

    def start_with(self, pairs: CandidatePairs, alpha: Array, beta: Array) -> None:
        """These pairs, with these duals at their ends."""
        self._begin_with(pairs)
        order = np.lexsort((pairs.b, pairs.a))
        with kept_whole():
            self.iterates.restart_at(self.ops.from_ends(alpha[order], beta[order]))
            self.find_active()

    def start_like(self, others: "PairDuals", pairs: CandidatePairs, new: CandidatePairs) -> None:
        """From where others stand: on these pairs, which are theirs or other bounds of the same,
        and new ones without duals.
        """
        image = others.iterates.image
        self.pairs = pairs
        self.working = others.working._replace(iterates=Iterates(image, image, image))
        self.replace(new, stays=np.arange(len(pairs)))

    def _begin_with(self, pairs: CandidatePairs) -> None:
        self.replace(pairs, stays=np.zeros(0, dtype=np.int64))

    def have_duals(self) -> Array:
        """Which pairs have duals, now or where the average started."""
        have = np.empty(len(self.pairs), dtype=bool)
        over_ranges(have_values, len(have), (self.iterates.image, self.iterates.anchor), have)
        return have

    def inverse_step(self, of_others: Array) -> Array:
        inverse: Array = np.maximum(of_others + self._inverse_step, LEAST_INVERSE_STEP)
        return inverse

    def add_cost_shift(self, duals: Array, shift: Array) -> None:
        over_ranges(
            kernels.add_pair_shift, self.n_points, duals, self.working.active, self._pairs_of,
            self.ops.ends, shift,
        )  # fmt: skip

    def step(self, reflected: Array, step: HalpernStep, shift: Array) -> float:
        moved, is_added = self.ops.dual_step(self.working, reflected, step, shift)
        if not is_added:
            self.add_cost_shift(self.iterates.current, shift)
        return moved

    def support_function(self) -> float:
        return self.ops.support_function(self.working)

    def moved(self) -> tuple[float, float]:
        move = self.iterates.image - self.iterates.anchor
        return 0.0, float(np.linalg.norm(move / np.sqrt(self.working.length)[:, None]))

    def restart(self) -> None:
        self.iterates.restart()

    def at_ends(self, which: Array | slice, unit: float) -> tuple[Array, Array]:
        """(alpha, beta): what the images of these pairs add to the costs of either end."""
        return self.ops.at_ends(self.iterates.image[which] * unit)

    def planes(self) -> list[Planes]:
        """Planes alpha.p + beta.q <= bound that the duals name."""
        return self.ops.planes(self.working)

    def arrays(self) -> dict[str, Array]:
        own = {"guess": self.working.guess, "active": self.working.active}
        return own | named("pairs", vars(self.pairs)) | self.iterates._asdict()

    def restore(self, arrays: dict[str, Array]) -> None:
        self._begin_with(CandidatePairs(**part("pairs", arrays)))
        self.iterates.restore(arrays)
        self.working.guess[:] = arrays["guess"]
        self.working.active[:] = arrays["active"]
