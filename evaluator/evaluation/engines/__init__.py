"""Ways to fill a partial with more than one process."""
