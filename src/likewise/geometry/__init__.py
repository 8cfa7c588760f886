"""Distances between points: by block, by pair, to neighbours, and the largest of them."""
