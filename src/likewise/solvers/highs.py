"""HiGHS, as the programs of several rooms want it."""

import highspy


def quiet_highs(tolerance: float) -> highspy.Highs:
    """A solver that prints nothing and calls an answer optimal within this tolerance."""
    highs = highspy.Highs()  # type: ignore[no-untyped-call, unused-ignore]
    for option, value in [
        ("output_flag", False),
        ("primal_feasibility_tolerance", tolerance),
        ("dual_feasibility_tolerance", tolerance),
    ]:
        highs.setOptionValue(option, value)
    return highs
