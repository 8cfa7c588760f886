"""A divergence of one's own: what is refused, and what is found out about it."""

import math

import numpy as np
import pytest

from likewise import FDivergence, InvalidArgument
from likewise.divergences import REGISTRY


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda t: t - 2, r"f\(1\) = -1"),
        (lambda t: -((t - 1) ** 2), "not convex"),
        (lambda t: np.sin(t - 1), "not convex"),
        (lambda t: np.log(t - 0.5) - np.log(0.5), "not finite"),
        (lambda t: 1 / 0, "failed"),
        (7, "not a function"),
    ],
)
def test_bad_generators(f, message):
    with pytest.raises(InvalidArgument, match=message), np.errstate(all="ignore"):
        FDivergence(f)


def test_wrong_derivative():
    with pytest.raises(InvalidArgument, match="f_prime is not its derivative"):
        FDivergence(lambda t: (t - 1) ** 2, lambda t: 5 * (t - 1) ** 3)


def test_a_function_of_single_numbers_will_do():
    D = FDivergence(lambda t: t * math.log(t), name="plain KL")
    P, Q = np.array([[0.2, 0.8]]), np.array([[0.5, 0.5]])
    np.testing.assert_allclose(D.values(P, Q), REGISTRY["kl"].values(P, Q))
    assert D.at_infinity == np.inf
    assert not D.symmetric
