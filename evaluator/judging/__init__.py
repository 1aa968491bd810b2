"""Judging: candidates that a ground truth may lack, and verdicts that are merged into it."""
