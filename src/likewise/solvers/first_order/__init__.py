"""The first-order engine: a primal-dual method on a small working set of pairs."""
