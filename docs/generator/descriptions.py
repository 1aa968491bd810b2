"""What each field of a file is for, in a line; shown by editors and on the page of file shapes."""

from collections.abc import Mapping

FIELDS: Mapping[str, Mapping[str, str]] = {
    "Fixture": {
        "name": "A name for people.",
        "description": "What the fixture shows, for people.",
        "profile": "The meaning of the metric names.",
        "metrics": "Metrics to compute, such as ndcg@10; without it the six of the profile.",
        "policies": "Answers to the questions that the data raises.",
        "queries": "One record per query.",
        "expected": "The mean of each metric; a fixture that has it is a test.",
        "tolerance": "How far a score may be from the expected one.",
        "$schema": "Path or address of the JSON Schema, for editors.",
    },
    "FixtureQuery": {
        "id": "Names the query; no two queries have the same.",
        "query": "The text of the query; not used in scoring.",
        "ground_truth": "Groups of alternatives: every group must be met, any alternative will do.",
        "not_relevant": "Ids that were judged not relevant.",
        "answerable": "false for a query that nothing in the corpus answers.",
        "metadata": "Anything else about the query.",
        "generation_gt": "AutoRAG's reference answers; accepted and not used.",
        "results": "What was retrieved, best first.",
        "scores": "One score per result, in the same order.",
        "expected": "The score of each metric for this query; null where it is not scored.",
    },
    "Group": {
        "alternatives": "Documents of which any one meets the group.",
        "weight": "How much the group counts beside the others.",
        "label": "A name for the group, such as vital or hop-1.",
    },
    "Alternative": {
        "id": "The id of the document.",
        "grade": "How good the document is; 0 means judged and not relevant.",
        "text": "The text of the passage.",
        "document": "The document that the passage is a part of.",
        "start": "Where the passage begins in the document.",
        "end": "Where the passage ends in the document.",
    },
    "Result": {
        "id": "The id of the document.",
        "score": "The score that the retriever gave.",
        "text": "The text of the passage.",
        "document": "The document that the passage is a part of.",
        "start": "Where the passage begins in the document.",
        "end": "Where the passage ends in the document.",
        "tokens": "The number of tokens of the passage.",
        "vector": "The embedding of the passage, for diversity.",
    },
    "Report": {
        "schema": "The shape and its version.",
        "profile": "The meaning of the metric names.",
        "counts": "How many queries there were, and what became of them.",
        "scores": "The mean of each metric over the scored queries; null where none was scored.",
        "ranks": "Summaries of the metrics that are ranks; left out where there are none.",
        "ties": "How much tied scores can change; only where that was asked for.",
        "curve": "Means at every cutoff from 1 on; only where that was asked for.",
        "per_query": "The scores of each query, in order of query id; null where it is not scored.",
        "warnings": "What a reader of the scores should know.",
    },
}
