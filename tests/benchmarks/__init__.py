"""Tests of the benchmarks themselves; how fast anything is, no test says."""
