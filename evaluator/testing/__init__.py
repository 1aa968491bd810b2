"""Fixtures as pytest items, and assertions for tests."""
