"""Labels drawn from distributions, so that like people still fare alike.

Drawn independently, two people with the same distribution can end up apart: a realization is less
fair than the distributions it comes from. Drawn together (``coupled``), they share their luck.
Everybody goes through one and the same random sequence of centres and thresholds

    (c_1, u_1), (c_2, u_2), ...      c_t uniform over the centres, u_t uniform over [0, 1)

and takes the first centre c_t for which u_t < x(c_t) (correlated sampling; Kleinberg and Tardos
2002, Holenstein 2007). Then

* everybody's own chances are exactly x;
* two people end up apart with probability at most 2 TV / (1 + TV), which no scheme that knows
  nothing of the other person can beat in general (Bavarian et al. 2020); identical people never do;
* what one person gets depends on that person's distribution and the seed, and on nobody else.
"""

from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from likewise._typing import Array, Seed
from likewise._validation import as_distributions, check_number
from likewise.errors import InvalidArgument

STEPS_AT_ONCE = 64  # of the sequence, drawn together; a person takes k steps on average


def draw_labels(
    distributions: ArrayLike,
    n_draws: int = 1,
    *,
    coupled: bool = True,
    random_state: Seed | np.random.Generator = None,
) -> Array:
    """(n_draws, n) labels; each draw gives every row one centre.

    With ``coupled`` people share their luck, as above; without it every row is drawn for itself.
    The same ``random_state`` (a whole number) gives the same labels, also draw by draw: more draws
    begin with the same ones.
    """
    x = as_distributions(distributions)
    check_number("n_draws", n_draws, Integral, 1)
    seed = _seed(random_state)
    drawn = _coupled if coupled else _independent
    return np.stack([drawn(x, np.random.default_rng([seed, draw])) for draw in range(n_draws)])


def differing_chance(tv: ArrayLike) -> Array:
    """The most that two people this far apart in total variation differ in coupled labels."""
    tv = np.asarray(tv, dtype=np.float64)
    return np.asarray(2 * tv / (1 + tv))


def _coupled(x: Array, random: np.random.Generator) -> Array:
    n, k = x.shape
    labels = np.full(n, -1, dtype=np.int64)
    waiting = np.arange(n)
    while len(waiting):
        centers = random.integers(0, k, STEPS_AT_ONCE)
        thresholds = random.random(STEPS_AT_ONCE)
        for center, threshold in zip(centers.tolist(), thresholds.tolist(), strict=True):
            taken = threshold < x[waiting, center]
            labels[waiting[taken]] = center
            waiting = waiting[~taken]
            if not len(waiting):
                break
    return labels


def _independent(x: Array, random: np.random.Generator) -> Array:
    luck = random.random(len(x))
    reached = luck[:, None] < np.cumsum(x, axis=1)
    last = x.shape[1] - 1 - (x[:, ::-1] > 0).argmax(axis=1)  # rows that sum to a little below 1
    return np.asarray(np.where(reached.any(axis=1), reached.argmax(axis=1), last))


def _seed(random_state: object) -> int:
    if random_state is None:
        return int(np.random.default_rng().integers(2**62))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**62))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        seed = int(random_state)
        if seed >= 0:
            return seed
    raise InvalidArgument(
        "random_state",
        f"{random_state!r} is not a seed.",
        "Use a whole number of at least 0, a numpy generator, or None.",
    )
