"""Aggregates of per-query scores, all of which merge, and gates on them."""
