"""Random evaluations, computed twice: by groupwise, and naively from the written definitions."""
