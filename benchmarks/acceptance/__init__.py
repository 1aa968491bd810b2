"""What the project promises, measured: `python -m benchmarks.acceptance`, from the root.

Read in this order: `promise` (a bound beside a measured value), `topics` (what is promised, by
topic), then the module of a topic.
"""
