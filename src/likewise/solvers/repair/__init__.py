"""From nearly fair to exactly fair."""
