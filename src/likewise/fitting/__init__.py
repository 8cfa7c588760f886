"""From a task to a certified answer: the pipeline of a fit, k-center, lower bounds, checkpoints."""
