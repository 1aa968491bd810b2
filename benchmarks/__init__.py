"""Compares groupwise with its peers: `python -m benchmarks`, from the project's root.

Read in this order: `workloads` (the data), `engines` (who computes what), `worker` and `rounds`
(how a time is taken), `files`, `starts`, `memory` and `duplicates` (the other measurements),
`page` (what is written about them).
"""
