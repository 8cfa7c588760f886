"""The decorators of all compiled loops.

Plain loops on contiguous arrays, without numba's own threading: they release the interpreter lock
and work on a range lo..hi, so callers split the work as they like (``threads``). Compiled once,
then cached on disk (``code_cache``).
"""

import numba as nb

from likewise.compute.code_cache import cached

# the solvers' loops: products and sums may be fused, and divisions turned into products
compiled = cached(nb.njit(nogil=True, fastmath={"contract", "nsz", "arcp"}))
# sums may be added up in any order too, several at a time
summing = cached(nb.njit(nogil=True, fastmath={"contract", "nsz", "arcp", "reassoc"}))
# to the letter: distances decide who is whose neighbour, and equal ones must come out equal
compiled_strictly = cached(nb.njit(nogil=True))
