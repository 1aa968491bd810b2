"""One pass over a source, and what it collects."""
