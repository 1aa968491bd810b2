"""CP: rules that compare the ground truth with the corpus; they need ``corpus=``."""

from groupwise.evaluator.validation.rules.registry import Rule

RULES = (
    Rule(
        "CP001", "not-in-corpus", "error",
        what="An id of the ground truth is not in the corpus; the nearest ids that are, are shown.",
        why="No retriever can ever return it: the group cannot be met by it, for ever.",
        example='"doc-1O" in the ground truth, "doc-10" in the corpus',
        instead='"doc-10" in both',
    ),
    Rule(
        "CP002", "text-changed", "error",
        what="The corpus has the id with another text than the one that was judged: its content "
             "hash differs from the one that `groupwise fingerprint` wrote.",
        why="After chunking anew, old ids point to other passages, and all scores are noise.",
        example='"hashes": {"chunk-7": "0f1c…"} and a corpus whose chunk-7 reads otherwise',
        instead="judge again, then run groupwise fingerprint",
    ),
    Rule(
        "CP003", "other-corpus", "warning",
        what="The fingerprint of the corpus is not the one that is written in the data set.",
        why="The data set was judged on another state of the corpus; scores of then and now are "
            "not comparable.",
        example='"corpus": "gw1:1200:9be3…" and a corpus of 1,300 documents',
        instead="check the new documents, then run groupwise fingerprint",
    ),
    Rule(
        "CP004", "duplicate-corpus-id", "error",
        what="Two documents of the corpus have the same id.",
        why="Which of the two is meant by the ground truth cannot be told.",
        example='{"id": "a", "text": "one"}\n{"id": "a", "text": "two"}',
        instead='{"id": "a", "text": "one"}\n{"id": "b", "text": "two"}',
    ),
    Rule(
        "CP005", "unlisted-duplicate", "warning",
        what="The corpus holds a document with the same, or nearly the same, text as one of the "
             "ground truth, which is not listed as an alternative beside it.",
        why="A retriever that returns the twin is right and scored wrong.",
        example='[["a"]], while documents a and b have the same text',
        instead='[["a", "b"]]',
    ),
)  # fmt: skip
