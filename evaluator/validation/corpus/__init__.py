"""The corpus beside the ground truth."""
