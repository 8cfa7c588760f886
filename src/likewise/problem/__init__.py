"""The problem apart from any solver: what a fit is told, and the program that follows."""
