"""Helpers that turn records of other shapes into ours."""
