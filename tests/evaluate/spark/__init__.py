"""Evaluation of Spark DataFrames."""
