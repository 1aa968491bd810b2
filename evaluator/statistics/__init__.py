"""Aggregates of per-query scores, all of which merge; intervals, tests, power, gates."""
