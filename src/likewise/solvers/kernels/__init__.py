"""Compiled loops and small values that several of the sub-rooms share."""
