"""Random use of the whole public surface, judged by a referee that shares nothing with the product.

    make fuzz MINUTES=30 SEED=1          # or: python -m tests.fuzz --minutes 30 --seed 1
    python -m tests.fuzz --replay 1:4711 # one case again, as a failure prints it

``generate`` makes a case from two numbers, ``surfaces`` plays it through one of the surfaces:
``fits`` (the estimator, with interrupts and lost processes of ``clocks``; ``afterwards`` labels are
drawn and later people asked about), ``others`` (solve and certify, lower bounds, the frontier,
audits, bad input), ``terminal`` (the command line). ``referee`` judges what came out with numpy,
scipy and CVXPY alone. Only public names of likewise are used.
"""
