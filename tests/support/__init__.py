"""What tests share: the oracle, the problems, the reference results."""
