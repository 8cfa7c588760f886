"""Speed, side by side with generic solvers in one run. `make bench` prints it."""
