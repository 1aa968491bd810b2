"""Evaluation of Spark DataFrames: joined by query id in Spark, scored where the rows are.

``frames`` checks the columns on the driver and joins ground truth and run, ``records`` reads what
arrives in an executor, ``pairing`` pairs and scores it, ``tasks`` is what Spark calls, and
``evaluator`` merges the parts.
"""
