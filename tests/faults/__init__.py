"""Faults in everything that writes a file: `writers` lists it, `driver` makes it fail."""
