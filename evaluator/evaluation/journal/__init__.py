"""Journals: what a long evaluation has done, so that it can be resumed after an interruption."""
