"""Distances between points: by block and by pair (``distances``), of neighbours (``neighbors``),
and the largest of them (``diameter``).
"""
