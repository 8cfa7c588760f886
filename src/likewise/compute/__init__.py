"""How work is done: compiled loops (``jit``), on all cores (``threads``), here or on a cluster
(``executor``), within the memory there is (``memory``).
"""
