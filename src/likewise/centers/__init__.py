"""The k centres: the vanilla clustering, and better ones for the people they really serve."""
