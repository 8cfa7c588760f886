"""People who come later."""
