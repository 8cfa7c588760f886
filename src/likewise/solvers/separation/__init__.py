"""Finding the pairs that are treated too differently, over all constrained pairs."""
