"""Metrics: pure functions from hits to one number per query."""
