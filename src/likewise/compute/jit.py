"""The decorators of all compiled loops.

Plain loops on contiguous arrays, without numba's own threading: they release the interpreter lock
and work on a range lo..hi, so callers split the work as they like (``threads``). Compiled once,
then cached on disk.
"""

import numba as nb

# the solvers' loops: products and sums may be fused, and divisions turned into products
compiled = nb.njit(nogil=True, cache=True, fastmath={"contract", "nsz", "arcp"})
# sums may be added up in any order too, several at a time
summing = nb.njit(nogil=True, cache=True, fastmath={"contract", "nsz", "arcp", "reassoc"})
# to the letter: distances decide who is whose neighbour, and equal ones must come out equal
compiled_strictly = nb.njit(nogil=True, cache=True)
