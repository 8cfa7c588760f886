"""Names for the types that every module uses."""

from typing import TYPE_CHECKING, Any, TypeAlias, Union

import numpy as np

if TYPE_CHECKING:
    from scipy import sparse

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
# rows of numbers as scikit-learn checks them: dense, or in compressed sparse rows
Matrix: TypeAlias = Union[Array, "sparse.csr_array"]
Seed: TypeAlias = int | np.random.RandomState | None  # of scikit-learn's ``random_state``
