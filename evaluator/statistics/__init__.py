"""Honest numbers about numbers."""
