"""The former name of ``likewise.distributed``: what it was imported for still is."""

import sys

from likewise.distributed import block_clustering as hard

sys.modules[f"{__name__}.hard"] = hard
