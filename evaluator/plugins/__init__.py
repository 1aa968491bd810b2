"""Metrics, formats, matchers, rules and report forms of users: how they are loaded and found."""
