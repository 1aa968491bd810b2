"""A look at the beginning of a file: what it is, its fields, and how to read it."""
