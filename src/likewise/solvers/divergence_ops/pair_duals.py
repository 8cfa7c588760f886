"""The duals of the pairs in the working set, and how they step.

Every pair has duals u for its ends, where the Halpern average stands; ``anchor`` is where the
average started and ``image`` the plain step. Pairs whose duals are all zero sleep: they are only
looked at.
"""

import numpy as np

from likewise._typing import Array
from likewise.compute import threads
from likewise.compute.threads import over_ranges
from likewise.solvers.divergence_ops import f_divergence_kernels as f_kernels
from likewise.solvers.divergence_ops import total_variation_kernels as tv_kernels
from likewise.solvers.first_order import kernels
from likewise.solvers.working_set import CandidatePairs

SMALL_BOUND_POWER = 0.25  # dual steps grow as bounds shrink, by this power
PROJECTION_GRAIN = 1_000  # a projection takes microseconds


class PairDuals:
    """Total variation: D depends on the difference alone, so a pair has one dual vector."""

    ends = 1
    largest_step = 0.5

    def __init__(self, n_points: int, n_centers: int) -> None:
        self.n_points, self.k = n_points, n_centers
        self.pairs = CandidatePairs.none()
        self.u = self.anchor = self.image = np.zeros((0, self.ends * n_centers))
        # for projections: the multiplier of the image, and the ratios where the last one ended
        self.guess = np.zeros((0, 1 + n_centers))
        self._changed()

    def _changed(self) -> None:
        """Step sizes (Pock and Chambolle's diagonal preconditioning) and who is in which pair."""
        n = self.n_points
        bound = np.maximum(self.pairs.bound, 1e-300)
        typical = float(np.median(bound)) if len(bound) else 1.0
        lean = np.clip((typical / bound) ** SMALL_BOUND_POWER, 0.05, 20.0)
        self.step_of = self.largest_step * lean
        load = np.bincount(self.pairs.a, lean, n) + np.bincount(self.pairs.b, lean, n)
        self.load_of_points: Array = load
        self.first = np.searchsorted(self.pairs.a, np.arange(n + 1))  # the pairs are sorted by a
        self.second, self.seconds = kernels.places_by_value(self.pairs.b, n)
        self.wake()

    def wake(self) -> None:
        """Wake exactly the pairs that have a dual."""
        used = (self.u != 0) | (self.anchor != 0) | (self.image != 0)
        self.awake: Array = np.any(used, axis=1)

    def replace(self, found: CandidatePairs, stays: Array) -> None:
        """Keep the pairs at ``stays``, and let ``found`` in without duals."""
        joined = CandidatePairs.join([self.pairs.take(stays), found])
        order = np.lexsort((joined.b, joined.a))
        self.pairs = joined.take(order)
        self.u, self.anchor, self.image, self.guess = (
            np.concatenate([rows[stays], np.zeros((len(found), rows.shape[1]))])[order]
            for rows in (self.u, self.anchor, self.image, self.guess)
        )
        self._changed()

    def start_with(self, pairs: CandidatePairs, alpha: Array, beta: Array) -> None:
        """These pairs, with these duals at their ends."""
        self.replace(pairs, np.zeros(0, dtype=np.int64))
        order = np.lexsort((pairs.b, pairs.a))
        self.image[:] = self._joined(alpha[order], beta[order])
        self.to_image()
        self.wake()

    def _joined(self, alpha: Array, beta: Array) -> Array:
        """One row a pair of what its ends are given."""
        return alpha

    def pulls(self) -> Array:
        """Which pairs have duals."""
        return np.asarray(self.image.any(axis=1) | self.anchor.any(axis=1))

    def moved(self) -> float:
        """How far the image is from the anchor, in the step's norm."""
        return float(np.linalg.norm((self.image - self.anchor) / np.sqrt(self.step_of)[:, None]))

    def to_image(self) -> None:
        self.u[:] = self.anchor[:] = self.image

    def gather(self, u: Array, pull: Array) -> None:
        """What these duals add to the costs."""
        over_ranges(
            kernels.gather_pull, self.n_points, u, self.awake, self.first, self.second,
            self.seconds, self.ends, pull,         )  # fmt: skip

    def step(self, reflected: Array, weight: float, keep: float, back: float, pull: Array) -> float:
        """One step of all pairs; ``pull`` is what they then add to the costs."""
        alone = threads.is_one_range(len(self.pairs), threads.GRAIN)
        if alone:
            pull[:] = 0.0
        moved = sum(
            over_ranges(
                tv_kernels.dual_step, len(self.pairs), self.u, self.anchor, self.image, self.awake,
                reflected, self.pairs.a, self.pairs.b, self.pairs.bound, self.step_of, weight,
                keep, back, pull, alone,             )
        )  # fmt: skip
        if not alone:
            self.gather(self.u, pull)
        return moved

    def price(self) -> float:
        """What the lower bound pays for the image."""
        bound = self.pairs.bound
        return sum(over_ranges(tv_kernels.dual_price, len(bound), self.image, bound))

    def coefficients(self) -> tuple[Array, Array]:
        """(alpha, beta): what the image adds to the costs of either end."""
        return self.image, -self.image

    def planes(self) -> list[tuple[Array, Array, Array]]:
        """(places of pairs, alpha, beta): planes alpha.p + beta.q <= bound that the duals name.

        The level sets of a pair's dual are the sets of centres that the pair needs.
        """
        u = self.image
        order = np.argsort(-u, axis=1)
        drop = -np.diff(np.take_along_axis(u, order, axis=1), axis=1)
        planes = []
        for size in range(1, self.k):
            which = np.flatnonzero(drop[:, size - 1] > 1e-9)
            level = np.zeros((len(which), self.k))
            np.put_along_axis(level, order[which, :size], 1.0, axis=1)
            planes.append((which, level, -level))
        return planes


class ProjectedDuals(PairDuals):
    """A named f-divergence: a dual vector for each end, moved by projecting on the fair pairs."""

    ends = 2
    largest_step = 1.0

    def __init__(self, n_points: int, n_centers: int, kind: int) -> None:
        self.kind = kind
        super().__init__(n_points, n_centers)

    def step(self, reflected: Array, weight: float, keep: float, back: float, pull: Array) -> float:
        moved = sum(
            over_ranges(
                f_kernels.dual_step, len(self.pairs), self.kind, self.u, self.anchor, self.image,
                self.guess, self.awake, reflected, self.pairs.a, self.pairs.b, self.pairs.bound,
                self.step_of, weight, keep, back, grain=PROJECTION_GRAIN,
            )
        )  # fmt: skip
        self.gather(self.u, pull)
        return moved

    def price(self) -> float:
        return sum(
            over_ranges(
                f_kernels.dual_price, len(self.pairs), self.kind, self.image, self.guess,
                self.pairs.bound, grain=PROJECTION_GRAIN,
            )
        )  # fmt: skip

    def _joined(self, alpha: Array, beta: Array) -> Array:
        return np.hstack([alpha, beta])

    def coefficients(self) -> tuple[Array, Array]:
        return self.image[:, : self.k], self.image[:, self.k :]

    def planes(self) -> list[tuple[Array, Array, Array]]:
        which = np.flatnonzero(self.guess[:, 0] > 1e-9)
        unit = self.guess[which, :1]
        alpha, beta = self.coefficients()
        return [(which, alpha[which] / unit, beta[which] / unit)]
