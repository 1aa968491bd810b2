"""IO: rules of the text and of its shape. Breaking one of them makes a record unreadable."""

from groupwise.evaluator.validation.rules.registry import Rule

RULES = (
    Rule(
        "IO001", "invalid-json", "error",
        what="The text is not JSON.",
        why="A parser that guesses reads something else than you wrote. The message says what it "
            "stumbled over: a trailing comma, a comment, single quotes, a second document.",
        example='{"id": "q1", "ground_truth": [["a"],]}',
        instead='{"id": "q1", "ground_truth": [["a"]]}',
    ),
    Rule(
        "IO002", "not-utf-8", "error",
        what="The bytes are not UTF-8; the offset of the first wrong one is given, and UTF-16 and "
             "UTF-32 are named.",
        why="Ids read in another encoding match nothing, and nobody sees why.",
        example="a file saved as UTF-16",
        instead="the same file saved as UTF-8",
    ),
    Rule(
        "IO003", "byte-order-mark", "warning",
        what="The file begins with a byte order mark.",
        why="groupwise ignores it; most other parsers of JSON refuse the file.",
        example="EF BB BF before the first record",
        instead="the same file without the three bytes",
        fix="Removes the mark.", fixable="safe",
    ),
    Rule(
        "IO004", "duplicate-key", "error",
        what="An object has the same key twice; both places are given.",
        why="Parsers keep the last one without a word: the first ground truth is lost.",
        example='{"id": "q1", "ground_truth": [["a"]], "ground_truth": [["b"]]}',
        instead='{"id": "q1", "ground_truth": [["a"], ["b"]]}',
    ),
    Rule(
        "IO005", "number-out-of-range", "error",
        what="NaN, Infinity, or a number that no double can hold.",
        why="JSON has finite numbers only; a NaN makes every mean NaN.",
        example='{"id": "q1", "results": ["a"], "scores": [NaN]}',
        instead='{"id": "q1", "results": ["a"], "scores": [0.0]}',
    ),
    Rule(
        "IO006", "id-kind", "error",
        what="An id is neither a string nor a whole number below 2^63, or both kinds are mixed.",
        why='1 and "1" are two ids: what is written in two ways never meets.',
        example='{"id": "q1", "ground_truth": [["7"], [8]]}',
        instead='{"id": "q1", "ground_truth": [["7"], ["8"]]}',
        fix="Writes the whole numbers of the record as strings, where strings came first.",
        fixable="unsafe",
    ),
    Rule(
        "IO007", "too-deep", "error",
        what="Values are nested deeper than 64 levels.",
        why="Nothing real is; other programs crash on it.",
        example='{"id": "q1", "metadata": {"a": {"a": {"a": …}}}}',
        instead='{"id": "q1", "metadata": {"a": 1}}',
    ),
    Rule(
        "IO008", "unexpected-shape", "error",
        what="A field is unknown (the nearest known one is named), missing, given twice, or holds "
             "what does not belong there.",
        why="A misspelt field is not read, and what was meant is lost.",
        example='{"id": "q1", "ground_thruth": [["a"]]}',
        instead='{"id": "q1", "ground_truth": [["a"]]}',
        fix="Renames an unknown field to the known one that it resembles.", fixable="unsafe",
    ),
    Rule(
        "IO009", "no-records", "error",
        what="The file holds no record.",
        why="An evaluation over nothing succeeds in many tools, and says nothing.",
        example="[]",
        instead='[{"id": "q1", "ground_truth": [["a"]]}]',
    ),
    Rule(
        "IO010", "limit-exceeded", "error",
        what="A line, a record or decompressed data is larger than the limit, or compressed data "
             "is damaged.",
        why="A gigabyte fits into a megabyte of gzip; reading stops before memory is gone.",
        example="a line of more than 256 MiB",
        instead="one record per line",
    ),
)  # fmt: skip
