"""What fair clusterings are compared with: hard, soft and group-fair clustering.

All take the same kind of centres as ``LikewiseClustering`` (found by a vanilla clustering, or
given), so that comparisons are about the assignment alone.
"""

from likewise.baselines.clusterings import (
    Baseline,
    group_fair,
    hard_clustering,
    soft_assignment,
    soft_clustering,
    stiffness_at_cost,
)

__all__ = [
    "Baseline",
    "group_fair",
    "hard_clustering",
    "soft_assignment",
    "soft_clustering",
    "stiffness_at_cost",
]
