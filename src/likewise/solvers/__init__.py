"""From an assignment problem to exactly fair distributions and the evidence of how good they are.

``solve.solve`` is the one function in front of the engines.
"""
