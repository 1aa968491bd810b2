"""The words that name fields in people's own golden sets: the one table of what they mean.

The names were collected from golden sets in public repositories (``eval/golden_set.json``,
``eval/golden.jsonl``, ``data/golden_dataset.json`` and their kind). A name is split into words in
the singular: ``goldChunkIds`` is ``gold``, ``chunk``, ``id``.
"""

import re
from collections.abc import Iterable, Mapping

BORDER = re.compile(r"[^0-9A-Za-z\u0080-\uffff]+|(?<=[a-z0-9])(?=[A-Z])")
IRREGULAR = {"indices": "index", "ids": "id", "urls": "url", "bodies": "body", "queries": "query"}
LONGEST_NAME = 200

ID = "id"
QUERY = "query"
GROUND_TRUTH = "ground_truth"
RESULTS = "results"
SCORES = "scores"
NOT_RELEVANT = "not_relevant"
ANSWERABLE = "answerable"
METADATA = "metadata"
ANSWER = "answer text"
KEYWORDS = "answer keywords"
PASSAGE = "passage text"
DOCUMENT = "document text"

NAMES: Mapping[str, tuple[str, ...]] = {
    ID: (
        "id", "qid", "uid", "uuid", "query id", "question id", "q id", "case id", "test id",
        "test case id", "example id", "sample id", "item id", "record id", "row id", "entry id",
        "utterance id", "task id", "name", "key",
    ),
    QUERY: (
        "question", "query", "q", "user input", "input", "prompt", "user query", "query text",
        "question text", "search query", "user question", "utterance", "instruction",
        "user message", "pregunta", "consulta", "frage", "domanda", "pergunta", "ask",
    ),
    GROUND_TRUTH: (
        "ground truth", "gold", "golden", "golds", "relevant", "positive", "expected", "expect",
        "evidence", "citation", "must cite", "qrel", "qrels", "relevance", "judgement",
        "judgment", "context", "supporting fact", "retrieval gt", "gt", "truth", "target", "label",
    ),
    RESULTS: (
        "result", "retrieved", "retrieval", "prediction", "predicted", "hit", "ranking", "ranked",
        "search result", "candidate", "top", "returned", "run",
    ),
    SCORES: (
        "score", "similarity", "distance", "retrieve score", "retrieved score",
        "retrieval score", "relevance score", "rerank score",
    ),
    ANSWERABLE: ("answerable", "is answerable", "expected answerable", "has answer"),
    DOCUMENT: ("text", "content", "body", "document", "passage", "page content", "chunk text"),
}  # fmt: skip
"""Whole names of a field, in words."""

TRUTH = frozenset({
    "relevant", "gold", "golden", "expected", "expect", "correct", "reference", "ref",
    "supporting", "support", "target", "true", "positive", "required", "truth", "gt", "evidence",
    "cite", "cited", "citation", "ideal", "oracle", "judged", "answering", "should", "wanted",
})  # fmt: skip
"""Words that say: this is what should be found."""

RETRIEVED = frozenset({
    "retrieved", "retrieval", "predicted", "prediction", "returned", "actual", "ranked", "ranking",
    "result", "found", "hit", "top", "candidate", "fetched",
})  # fmt: skip
"""Words that say: this is what was found."""

WRONG = frozenset({
    "irrelevant", "negative", "neg", "distractor", "forbidden", "wrong", "never", "not", "non",
    "without", "avoid", "incorrect", "excluded", "exclude",
})  # fmt: skip
"""Words that say: this should not be found."""

SOURCES = frozenset({
    "doc", "document", "source", "file", "filename", "url", "uri", "link", "title", "article",
    "work", "paper", "book", "report", "product", "collection", "path", "pdf",
})  # fmt: skip
"""What a document is called."""

PARTS = frozenset({
    "chunk", "passage", "page", "section", "paragraph", "node", "snippet", "segment", "sentence",
    "clause", "span", "block", "context", "ctx", "citation", "evidence", "part",
})  # fmt: skip
"""What a part of a document is called."""

IDENTIFIERS = frozenset({"id", "uuid", "index", "idx", "number", "num", "no", "key", "hash", "pk"})

ANSWERS = frozenset({
    "answer", "response", "output", "completion", "reply", "summary", "solution", "rationale",
    "explanation", "reasoning", "outcome", "respuesta",
})  # fmt: skip
"""Words for prose: not retrievable."""

FRAGMENTS = frozenset({
    "keyword", "fact", "term", "phrase", "substring", "substr", "contain", "point", "include",
    "say", "rubric", "claim", "marker", "pattern", "regex", "prefix", "mention", "theme", "word",
})  # fmt: skip
"""Words for what an answer must contain: matched as text, not as an id."""

AMOUNTS = frozenset({"num", "number", "n", "count", "total", "min", "max"})
"""First words of names for how many there are."""

OTHER = frozenset({
    "count", "type", "kind", "location", "category", "version", "date", "tool", "route", "metric",
    "language", "lang", "difficulty", "note", "comment", "description", "weight", "threshold",
    "latency", "token", "cost", "model", "continuity", "table", "column", "sql",
})  # fmt: skip
"""Words for properties of a query or of its run."""

WRAPPERS = (
    "test_cases", "testCases", "tests", "cases", "questions", "queries", "examples", "items",
    "data", "results", "entries", "records", "samples", "rows", "golden_set", "goldens", "dataset",
)  # fmt: skip
"""Keys under which people keep the list of records; among others, these come first."""


def split_name(name: str) -> tuple[str, ...]:
    """Return the words of a name, in lower case and in the singular.

    >>> split_name("goldChunkIds"), split_name("expected_source_indices")
    (('gold', 'chunk', 'id'), ('expected', 'source', 'index'))
    """
    pieces = BORDER.split(name[:LONGEST_NAME])
    return tuple(_singular(piece.lower()) for piece in pieces if piece)


def _singular(word: str) -> str:
    if word in IRREGULAR:
        return IRREGULAR[word]
    is_plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if is_plural else word


def split_path(steps: Iterable[str]) -> tuple[str, ...]:
    """Return the words of all names on a path.

    >>> split_path(["expected", "*", "doc_ids"])
    ('expected', 'doc', 'id')
    """
    return tuple(word for step in steps for word in split_name(step))


def is_named(words: tuple[str, ...], meaning: str) -> bool:
    """Whether these words are a whole name of a meaning.

    >>> is_named(("question",), QUERY), is_named(("question", "type"), QUERY)
    (True, False)
    """
    return " ".join(words) in NAMES[meaning]
