"""Records to checked rows: in bulk where plain, one by one where not, joined by query."""
