"""Quick looks at pairs, which let most of them go: what a divergence does not exceed, or what it is
but for rounding.
"""
