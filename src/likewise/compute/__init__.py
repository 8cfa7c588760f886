"""How work is done: compiled loops (``jit``), on all cores (``threads``, ``processes``), here or on
a cluster (``executor``), within the memory and the time there are (``memory``, ``budget``).
"""
