"""Fuzzers: `python -m fuzz walk` calls the compiled walk, `python -m fuzz files` mutates files.

Both draw from a seed, so that a run can be repeated. Read in this order: `sanitised` and
`instrumented` (how the walk is built and loaded with sanitisers), `walk` (its calls); `mutations`
(what becomes of a file), `operations` (what is done with it), `limits`, `worker` and `files` (how
that is run).
"""
