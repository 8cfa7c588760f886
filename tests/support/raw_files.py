"""Small raw files, as the paper's data sets come."""

import numpy as np

BANK = """"age";"marital";"default";"balance";"duration";"y"
30;"married";"no";1787;79;"no"
33;"single";"no";4789;220;"no"
30;"divorced";"yes";1787;79;"no"
59;"married";"no";0;226;"yes"

"""


def raw_bank():
    return np.array([[30, 1787, 79], [33, 4789, 220], [30, 1787, 79], [59, 0, 226]], dtype=float)
