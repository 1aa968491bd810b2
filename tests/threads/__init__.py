"""Everything from several threads at once."""
