"""How much of a comparison tables show unless asked for more."""

PAIRS_WITH_QUERIES = 3
"""With more pairs, no queries are listed."""
SHOWN_CHANGES = 3
"""How many queries are listed as the largest gains, and as many as the largest losses."""
