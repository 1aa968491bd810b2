"""Comparisons of many runs, beside those of ranx."""
