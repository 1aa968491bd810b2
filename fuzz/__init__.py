"""Fuzzers: `python -m fuzz NAME`.

=========  ===================================================================================
`walk`     calls of the compiled walk, with arguments that may be anything
`files`    mutated files through everything that groupwise does with a file
`inputs`   mutated bytes through every target in turn: readers, spellings, settings, the walk
`guided`   one of these targets, with inputs that follow its branches (needs atheris)
`large`    inputs of a megabyte that are hard on some reader, through all of them
`soak`     the same work for minutes: nothing may grow, and the bytes stay the same
=========  ===================================================================================

What is drawn comes from a seed, so a run can be repeated. Read in this order: `sanitised` and
`instrumented` (how the walk is built and loaded with sanitisers), `walk` (its calls); `mutations`
(what becomes of a file), `operations` (what is done with it), `limits`, `worker` and `files` (how
that is run); `targets` (what takes bytes), `slice`, `journal` and `inputs`; `guided`; `shapes` and
`large`; `soak`.
"""
