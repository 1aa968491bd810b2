"""The compiled walk over ids, its pure-Python fallback, and the loader."""
