"""Rows as numbers: those that are fitted, and those that come later, in the same columns."""

import numpy as np
from sklearn.utils.validation import check_array, validate_data

from likewise._typing import Matrix, Metric
from likewise.geometry.gower import GowerMetric
from likewise.geometry.mixed import MixedColumns


class TakesRows:
    """What an estimator makes of X. For Gower's distance categories become numbers, and gaps NaN;
    for all others scikit-learn checks that X has numbers and nothing else.
    """

    metric: Metric
    _mixed: MixedColumns | None = None  # how columns became numbers, for Gower's distance

    def _rows_to_fit(self, X: object) -> tuple[Matrix, Metric]:
        """The rows, and the distance between them."""
        self._mixed = MixedColumns.of(X) if self.metric == "gower" else None
        rows: Matrix
        if self._mixed is None:
            rows = validate_data(
                self, X, accept_sparse="csr", dtype=np.float64, ensure_min_samples=2, order="C"
            )
            return rows, self.metric
        validate_data(self, X, skip_check_array=True)  # its columns and their names
        rows = check_array(
            self._mixed.encoded(X), ensure_all_finite="allow-nan", ensure_min_samples=2
        )
        return rows, GowerMetric.of(rows, self._mixed.is_category)

    def _rows_of(self, X: object, accept_sparse: str | bool = False) -> Matrix:
        """The rows of people who come later."""
        rows: Matrix
        if self._mixed is None:
            rows = validate_data(
                self, X, accept_sparse=accept_sparse, dtype=np.float64, order="C", reset=False
            )
        else:
            validate_data(self, X, skip_check_array=True, reset=False)
            rows = check_array(self._mixed.encoded(X), ensure_all_finite="allow-nan")
        return rows
