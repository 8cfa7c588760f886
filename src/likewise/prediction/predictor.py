"""What a fitted clustering says about new points: methods of ``LikewiseClustering``."""

import warnings
from typing import Literal, overload

import numpy as np
from sklearn.utils.validation import check_is_fitted

from likewise._typing import Array, Matrix
from likewise.errors import InvalidArgument, RelaxationWarning
from likewise.groups.membership import Groups, describe
from likewise.prediction.out_of_sample import OutOfSampleExtension
from likewise.prediction.rows import TakesRows
from likewise.prediction.solve import Prediction
from likewise.problem.costs import powers
from likewise.problem.labels import most_likely

LISTED = 5  # values that a warning names
BEYOND = 1e3  # k-center, beyond the radius: times the row's own largest distance
_SAME_ATTRIBUTES = "Pass the same attributes as to fit, under the same names."


class OutOfSamplePrediction(TakesRows):
    """``predict_proba`` and ``predict`` for an estimator that has kept its extension."""

    p: float
    missing_sensitive: str
    cost_: float
    center_indices_: Array
    cluster_centers_: Matrix
    _extension: OutOfSampleExtension

    @overload
    def predict_proba(
        self,
        X: object,
        *,
        sensitive_features: object = None,
        return_relaxation: Literal[False] = False,
    ) -> Array: ...

    @overload
    def predict_proba(
        self, X: object, *, sensitive_features: object = None, return_relaxation: Literal[True]
    ) -> tuple[Array, Array]: ...

    def predict_proba(
        self, X: object, *, sensitive_features: object = None, return_relaxation: bool = False
    ) -> Array | tuple[Array, Array]:
        """Distributions for people who come later: (n, k).

        Each gets the cheapest distribution that is within its bound of every fitted point it would
        have been compared with (those of weight 0 left out of account); a row that was fitted gets
        its own back. Rows do not depend on each other. Where no such distribution exists (see
        ``likewise.prediction.solve``) the bounds of that row are relaxed by the least factor that
        leaves one, and a warning says so.

        Parameters
        ----------
        X : (n, d) array or data frame
            With precomputed distances: those to the fitted rows, (n, fitted).
        sensitive_features : as in fit, default=None
            Needed where only people who share a protected value are compared. Who has a value
            that nobody had is compared with nobody, which is a warning.
        return_relaxation : bool, default=False
            Also return the factors, one a row; 1 where every bound is kept.
        """
        found, _ = self._predicted(X, sensitive_features)
        if return_relaxation:
            return found.distributions, found.factors
        _warn_of_relaxed(found.factors)
        return found.distributions

    def predict(self, X: object, *, sensitive_features: object = None) -> Array:
        """The most likely centre of people who come later; see ``predict_proba``."""
        found, distances = self._predicted(X, sensitive_features)
        _warn_of_relaxed(found.factors)
        return most_likely(found.distributions, distances)

    @property
    def compares_within_groups(self) -> bool:
        """Whether people are compared only with those who share a protected value."""
        check_is_fitted(self)
        return self._extension.groups is not None

    def _predicted(self, X: object, sensitive_features: object) -> tuple[Prediction, Array]:
        """What new points get, and their distances to the centres."""
        check_is_fitted(self)
        rows = self._rows_of(X)
        groups = self._groups_of(sensitive_features, rows.shape[0])
        if groups is not None:
            _warn_of_strangers(groups, self._extension.groups)
        distances = self._to_centers(rows)
        return self._extension.predict(rows, self._costs(distances), groups), distances

    def _to_centers(self, X: Matrix) -> Array:
        if self.metric == "precomputed":
            return np.asarray(X[:, self.center_indices_], dtype=np.float64)
        return self._extension.to_centers(X, self.cluster_centers_)

    def _costs(self, distances: Array) -> Array:
        if not np.isinf(self.p):
            return powers(distances, self.p)
        # k-center: beyond the radius only where fairness leaves nothing nearer. A multiple of the
        # row's own largest distance: enough to be avoided, not so much that others look equal.
        too_far = BEYOND * distances.max(axis=1, keepdims=True)
        return np.where(distances > self.cost_, too_far, distances)

    def _groups_of(self, sensitive_features: object, n: int) -> Groups | None:
        """The groups of new points, where they decide who is compared."""
        fitted = self._extension.groups
        if fitted is None:
            return None
        if sensitive_features is None:
            raise InvalidArgument(
                "sensitive_features",
                "people are compared with those who share a protected value, and there is none.",
                _SAME_ATTRIBUTES,
            )
        groups = Groups.from_features(sensitive_features, n, self.missing_sensitive)
        if set(groups.attributes) != set(fitted.attributes):
            asked, there = (", ".join(map(repr, each.attributes)) for each in (fitted, groups))
            raise InvalidArgument(
                "sensitive_features", f"fit had {asked}, not {there}.", _SAME_ATTRIBUTES
            )
        return groups


def assigned(
    model: OutOfSamplePrediction, X: object, sensitive_features: object = None
) -> tuple[Prediction, Array]:
    """What ``predict_proba`` and ``predict`` say of the same people, found once."""
    found, distances = model._predicted(X, sensitive_features)
    return found, most_likely(found.distributions, distances)


def _warn_of_strangers(groups: Groups, fitted: Groups | None) -> None:
    """Say who is compared with nobody, or with fewer people than their values are."""
    unknown = [] if fitted is None else groups.unknown_to(fitted)
    if not unknown:
        return
    values = ", ".join(describe(groups.names[number]) for number in unknown[:LISTED])
    more = f" and {len(unknown) - LISTED} more" if len(unknown) > LISTED else ""
    not_shared = np.asarray(groups.member[:, unknown].sum(axis=1))
    concerned, alone = (not_shared > 0).sum(), (not_shared == len(groups.attributes)).sum()
    done = f"{alone} of them are compared with nobody, so they get their cheapest centre"
    if concerned > alone:
        done += f"; {concerned - alone} only with those who share their other values"
    warnings.warn(
        f"{concerned} of {groups.n_points} rows have protected values that nobody had who was"
        f" fitted ({values}{more}): {done}. Fit again with people who have them.",
        stacklevel=4,
    )


def in_percent(factor: float) -> str:
    """How much more than before a factor makes it: factors next to 1 would look like none."""
    more = 100 * (factor - 1)
    return f"{more:,.0f}%" if more >= 10 else f"{more:.2g}%"


def _warn_of_relaxed(factors: Array) -> None:
    relaxed = factors > 1
    if relaxed.any():
        warnings.warn(
            f"{relaxed.sum()} of {len(relaxed)} rows cannot be within all of their bounds;"
            f" theirs were relaxed by up to {in_percent(factors.max())}."
            " return_relaxation=True tells which.",
            RelaxationWarning,
            stacklevel=3,
        )
