"""A colour for each centre, and mixtures for people between them."""

import numpy as np

from likewise._typing import Array

# told apart by people who see few colours too (Okabe and Ito), then round the wheel
_FIRST = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#8a6d00", "#666699")


def palette(k: int) -> list[str]:
    """k colours."""
    more = [f"#{_wheel(place / max(k - len(_FIRST), 1))}" for place in range(k - len(_FIRST))]
    return [*_FIRST[:k], *more]


def _wheel(turn: float) -> str:
    angle = 2 * np.pi * (turn + np.array([0.0, 1 / 3, 2 / 3]))
    return "".join(f"{round(255 * (0.5 + 0.35 * np.cos(a))):02x}" for a in angle)


def mixtures(distributions: Array, colors: list[str]) -> list[str]:
    """Each person's colour: the centres' in the proportion of their probabilities."""
    table = np.array([[int(color[at : at + 2], 16) for at in (1, 3, 5)] for color in colors])
    mixed = np.sqrt(distributions @ (table.astype(float) ** 2))  # light adds up, not its codes
    return ["#" + "".join(f"{round(channel):02x}" for channel in row) for row in mixed.tolist()]
