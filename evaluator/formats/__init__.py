"""One declaration per format, and the way from a path to its records."""
