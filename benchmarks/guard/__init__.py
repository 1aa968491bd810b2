"""Guards the hot path by instruction counts: `python -m benchmarks.guard`, from the root.

Read in this order: `work` (what is counted), `counting` (how, under valgrind), `verdict` (the
recorded ratios and their bounds).
"""
