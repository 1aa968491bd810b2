"""The end of the page: how to measure again, and what was not measured."""

RERUN = """\
## Measure it yourself

```text
make bench         all but growth and the million queries, in 10 minutes on two processors
make bench-full    everything; the million queries take 5 GB of disk
make guard         fails if the hot path takes many more instructions than recorded
```

The first two install the peers into an environment of their own (ranx brings numba and takes
534 MB), write what they measure to `benchmarks/results`, point by point, and this page from there.
An interrupted run goes on with `FLAGS=--resume`; `FLAGS="--only growth"` measures one section anew;
`FLAGS=--render` only writes the page. `python -m benchmarks.acceptance` prints what the project
promises beside what it measures.

## What is not shown

- Other machines, other systems, other versions of Python: ratios of compiled code differ there.
- Retrieval itself, which takes longer than its evaluation almost everywhere.
- Data from services or databases, compressed files, parquet (`python -m benchmarks.parquet`), TREC
  files (`python -m benchmarks.trec`).
- Intervals, comparisons ([beside ranx](performance-of-comparisons.md)), explanations, HTML reports.
- [Bad and hostile data](growth.md).
"""
