"""Protected groups: who belongs to which, and the bounds on their shares of every cluster."""
