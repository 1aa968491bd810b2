"""How times grow on bad and on hostile data: `python -m benchmarks.growth`, from the root.

Read in this order: `rows` (what is measured), `once` (one measurement, in a process of its own),
`growth` (both sizes, repeated), `page` (what is written about them).
"""
