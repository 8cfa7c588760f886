"""Beyond one machine: work over all pairs, and data by blocks, on a Dask cluster.

Everything here needs Dask (``pip install likewise[dask]``), and nothing is loaded before it is
asked for. Elsewhere Dask is known by name only: an estimator tells a client from the name of an
engine, and command lines pass an address on.

=====================  ====================================================================
``client``             from what the user says (``engine=...``) to a checked client
``parameter``          an engine as the parameter of an estimator
``executor``           work over all pairs, on the workers
``transfer``           what is kept on workers, and sent again when it is lost
``progress``           how far a step is
``sources``            data in blocks that workers read
``passes``             one function over all blocks
``preparing``          what becomes of the columns of a table in blocks
``block_clustering``   hard clustering of data in blocks; ``block_work``: its part on a worker
=====================  ====================================================================
"""

from likewise.distributed.client import executor_for, in_memory
from likewise.distributed.parameter import RunsOnAnEngine

__all__ = ["RunsOnAnEngine", "executor_for", "in_memory"]
