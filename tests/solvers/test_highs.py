"""HiGHS as the programs want it."""

from likewise.solvers.highs import quiet_highs


def test_it_says_nothing_and_is_as_exact_as_asked(capfd):
    highs = quiet_highs(1e-9)
    for option in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        assert highs.getOptionValue(option)[1] == 1e-9
    highs.addVar(0.0, 1.0)
    highs.run()
    assert capfd.readouterr().out == ""
