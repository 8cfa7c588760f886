"""Compiled moves of the two ends of a pair, whatever the divergence.

Rows stay distributions because each becomes a mixture of two.
"""

from likewise.compute.jit import compiled

SOME_MASS = 1e-9  # two rows that have less in common than this agree on nothing


@compiled
def move_towards_each_other(x, a, b, weight):
    """Each of the rows a and b of x takes on ``weight`` of the other; the same at one half."""
    for c in range(x.shape[1]):
        move = weight * (x[b, c] - x[a, c])
        x[a, c] += move
        x[b, c] -= move


@compiled
def move_towards(x, a, b, meet, weight):
    """Both of the rows a and b of x take on ``weight`` of the distribution ``meet``."""
    for c in range(x.shape[1]):
        x[a, c] += weight * (meet[c] - x[a, c])
        x[b, c] += weight * (meet[c] - x[b, c])


@compiled
def meeting_point(x, allowed, a, b, meet):
    """A distribution over the centres open to both a and b, like the two where they agree.

    False if there is no such centre.
    """
    total = 0.0
    count = 0
    for c in range(x.shape[1]):
        meet[c] = 0.0
        if allowed[a, c] and allowed[b, c]:
            meet[c] = x[a, c] + x[b, c]
            total += meet[c]
            count += 1
    for c in range(x.shape[1]):
        if total > SOME_MASS:
            meet[c] /= total
        elif count and allowed[a, c] and allowed[b, c]:
            meet[c] = 1.0 / count
    return count > 0
