"""Names for the types that every module uses."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from scipy import sparse

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

if TYPE_CHECKING:
    from scipy import sparse  # some 100 ms to load: not for a type alone

    # rows of numbers, dense or sparse
    Matrix: TypeAlias = Array | sparse.csr_array
else:
    Matrix = Array

# a distance: a name that scikit-learn knows, "precomputed", or a function of two points
Metric: TypeAlias = str | Callable[..., float]
# where chance comes from, as in scikit-learn: a seed, a generator, or (None) anything
Seed: TypeAlias = int | np.random.RandomState | None
# who shows how far something has come: told what is done now, and in how many steps (None: nobody
# knows), it answers with a function to be called after each step, from any thread
ShowProgress: TypeAlias = Callable[[str, int | None], Callable[[], None]]
