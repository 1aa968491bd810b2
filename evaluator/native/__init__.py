"""What runs close to the machine: the compiled walk, its pure-Python fallback, the loader."""
