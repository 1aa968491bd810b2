"""Compares groupwise with its peers: `python -m benchmarks`, from the project's root.

Read in this order: `workloads`, `measures` and `axes` (the data, what is computed, what grows),
`engines` (who computes), `worker` and `rounds` (how a time is taken), `sections` (what is
measured), `store` (where results are kept), `pages` and `plots` (what is written about them); then
`acceptance` (what is promised) and `guard` (instructions of the hot path).
"""
