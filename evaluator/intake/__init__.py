"""Records to checked rows: in bulk where plain, with care where not, joined by query."""
