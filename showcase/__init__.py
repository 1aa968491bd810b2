"""Real documents, real questions, real retrievers: the whole of groupwise in two minutes.

``python -m showcase`` cuts the five corpora of fixtures/conformance/spans into chunks of two sizes,
retrieves from them with three retrievers, and runs the commands of docs/showcase.md on the results.
"""
