"""From a few centres too many opened to no more than the limit.

A centre is open as far as anybody uses it: max over j of x_jc. Where all of these together may be
at most ``n_open``, mixing with a centre common to all brings them down, and keeps pairs and groups
within their bounds.
"""

from likewise._typing import Array

ROUNDING = 1e-12  # mixed a little further, so that the limit is not missed by rounding


def within_limit(x: Array, cost: Array, n_open: int | None) -> Array:
    """x, mixed with the cheapest centre for all until no more than the limit is opened."""
    if n_open is None:
        return x
    opened = float(x.max(axis=0).sum())
    if opened <= n_open:
        return x
    weight = min((opened - n_open) / (opened - 1.0) * (1 + ROUNDING), 1.0)
    mixed = (1.0 - weight) * x
    mixed[:, cost.sum(axis=0).argmin()] += weight
    return mixed
