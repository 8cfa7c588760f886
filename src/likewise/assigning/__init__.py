"""People who come later, from the folder of a run alone: block by block, here or on a cluster.

===========  ====================================================================================
``run``      what the folder of a run keeps for them: the model, and what became of the columns
``block``    some new rows: who has a place, and the distribution of each
``blocks``   all of them, in order, whether this process reads them or the workers of a cluster
``writing``  what is left: probabilities as Parquet or CSV, the list of those refused, a summary
===========  ====================================================================================
"""

from likewise.assigning.blocks import assigned_blocks
from likewise.assigning.run import LaterPeople
from likewise.assigning.writing import Summary, Writer

__all__ = ["LaterPeople", "Summary", "Writer", "assigned_blocks"]
