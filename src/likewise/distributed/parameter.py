"""An engine as the parameter of an estimator: a client can neither be copied nor pickled."""

from copy import copy
from typing import Self

from sklearn.base import clone


class RunsOnAnEngine:
    """Copies work on the same cluster; what is unpickled elsewhere on the current one there."""

    engine: object

    def __sklearn_clone__(self) -> Self:
        """A copy that is not fitted."""
        if isinstance(self.engine, str):
            parent = super()
            assert hasattr(parent, "__sklearn_clone__")  # scikit-learn's
            unfitted: Self = parent.__sklearn_clone__()
            return unfitted
        elsewhere = copy(self)
        elsewhere.engine = "local"
        unfitted = clone(elsewhere)
        unfitted.engine = self.engine
        return unfitted

    def __getstate__(self) -> dict[str, object]:
        state = super().__getstate__()
        assert isinstance(state, dict)  # of an estimator: its attributes by name
        is_client = hasattr(self.engine, "scheduler") or hasattr(self.engine, "map_tiles")
        return state | {"engine": "dask"} if is_client else state
