"""Beyond one machine: work over all pairs, and data by blocks, on a Dask cluster.

Only this package knows Dask (``pip install likewise[dask]``).
"""

from likewise.distributed.client import engine_for, in_memory

__all__ = ["engine_for", "in_memory"]
