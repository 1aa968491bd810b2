"""RN: rules of results, and of results beside ground truth."""

from groupwise.evaluator.validation.rules.registry import Rule

UNEQUAL_DEPTH = 10
"""Rankings this many times shorter or longer than the median are named."""

RULES = (
    Rule(
        "RN001", "repeated-result", "warning",
        what="An id is repeated in a ranking.",
        why="Repeats push AutoRAG's nDCG above 1, and take ranks from other documents.",
        example='{"id": "q1", "results": ["a", "b", "a"]}',
        instead='{"id": "q1", "results": ["a", "b"]}',
        fix="Removes the later ones, with their scores.", fixable="unsafe",
    ),
    Rule(
        "RN002", "missing-query", "warning",
        what="A query of the ground truth is not in the run.",
        why="It scores 0, unless missing='skip' leaves it out.",
        example="q2 in the ground truth only",
        instead='{"id": "q2", "results": []}',
    ),
    Rule(
        "RN003", "query-without-ground-truth", "warning",
        what="A query of the run has no ground truth.",
        why="It is ignored. Often the query ids of the two files come from two exports.",
        example="q9 in the run only",
        instead="remove it from the run, or add its ground truth",
    ),
    Rule(
        "RN004", "no-id-in-common", "error",
        what="Ground truth and run share no document id at all.",
        why="Two id spaces: chunk ids on one side and document ids on the other, say. Every score "
            "is 0 and says nothing of the retriever.",
        example='"doc-1" in the ground truth, "1" in the run',
        instead="the ids of one index on both sides",
    ),
    Rule(
        "RN005", "score-order", "warning",
        what="Scores rise while ranks fall, are not finite, or are equal in many rankings (told "
             "once a file).",
        why="The ranking says one order and its scores another: results were listed worst first, "
            "or by distance. Equal scores leave the order to chance.",
        example='{"id": "q1", "results": ["a", "b"], "scores": [0.2, 0.9]}',
        instead='{"id": "q1", "results": ["b", "a"], "scores": [0.9, 0.2]}',
    ),
    Rule(
        "RN006", "unequal-depth", "warning",
        what=f"A ranking is {UNEQUAL_DEPTH} times shorter or longer than the median one.",
        why="Precision without a cutoff, and every metric at a deep one, then compares unlike "
            "with unlike.",
        example="one ranking of 3 results among rankings of 100",
        instead="the same depth for all queries",
    ),
)  # fmt: skip
