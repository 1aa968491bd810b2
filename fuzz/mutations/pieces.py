"""Values and bytes that are likely to be mishandled."""

from typing import Any

INF, NAN = float("inf"), float("nan")
FAR = 2**63

NUMBERS: tuple[Any, ...] = (
    *(0, 1, -1, 2, 3, 10, 0.5, -0.0, 1.5, 1e-320, 1e308, -1e308, 1e-25, 1e20, INF, -INF, NAN),
    *(2**31, -(2**31) - 1, 2**53, 2**53 + 1, FAR - 1, FAR, -FAR, -FAR - 1, 2**64, 2**70, 10**400),
    *(0.1 + 0.2, 1 / 3, True, False),
)
TEXTS = (
    *("", " ", "\t", "a", "A", "0", "1", "-1", "007", "1e5", "nan", "null", "true", "q1", "d1"),
    *("\0", "a\0b", "\x1b[31m", "\x7f", "\x85", "\u2028", "\u200b", "\u202e", "\ufeff", "\ufffe"),
    *(
        "é",
        "e\u0301",
        "ß",
        "\u017f",
        "İ",
        "文献",
        "\U0001f600",
        "\ud800",
        "\udfff\ud800",
        "a\ud800b",
    ),
    *("x" * 300, "x" * 70_000, "a,b", 'a"b', "a'b", "a\nb", "a\r\nb", "=1+1", "@x", "::x::", "%0A"),
    *("../x", "/etc/passwd", "C:\\x", "[]", "{}", '["a"]', '{"a": 1}', '":', '\\"', "{{", "${x}"),
)
KEYS = (
    *("id", "qid", "query_id", "query", "ground_truth", "retrieval_gt", "results", "retrieved_ids"),
    *(
        "scores",
        "queries",
        "expected",
        "metrics",
        "profile",
        "policies",
        "matching",
        "not_relevant",
    ),
    *("answerable", "metadata", "groups", "weight", "label", "text", "contents", "start", "end"),
    *("tokens", "vector", "corpus", "hashes", "document", "name", "tolerance", "relevant_docs"),
    *("supporting_facts", "context", "positive_ctxs", "output", "provenance", "doc_path", "_id"),
    *("", "ID", "id ", "__proto__", "\ud800", "grade", "span", "file_name", "evidence"),
)
WORDS = (
    *(
        "recall",
        "ndcg@10",
        "map",
        "coverage:ndcg",
        "rbp(p=7)",
        "recall@0",
        "nope",
        "trec",
        "autorag",
    ),
    *("coverage", "any", "all", "zero", "skip", "error", "recall@10t", "ild@3", "bpref", "exact"),
    *("normalised", "span", "text", "err_ia@1000000000000", "recall@99999999999999999999"),
)
BYTES = (
    *(b"[", b"]", b"{", b"}", b",", b":", b'"', b"\\", b" ", b"\n", b"\r", b"\t", b"\0", b"\xff"),
    *(b"null", b"NaN", b"-Infinity", b"1e999", b"01", b"'", b"//", b"/*", b"\xc3", b"\xed\xa0\x80"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b\x08", b"PAR1", b"PK\x03\x04", b"\x28\xb5\x2f\xfd"),
    *(
        b"9" * 400,
        b"[" * 1100,
        b'{"a":' * 600,
        b"\\u",
        b"\\ud800",
        b'"id": 1',
        b"\x1e",
        b"\v",
        b"\f",
    ),
    *(
        b'""',
        b'"\\""',
        b"\n\n",
        b" " * 5000,
        b"\\" * 999,
        b'\\"' * 500,
        b"-",
        b".",
        b"e9",
        b"\x93NUMPY",
    ),
)
SUFFIXES = (
    *("", ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", ".trec", ".run", ".qrels", ".res"),
    *(".parquet", ".json.gz", ".jsonl.gz", ".csv.gz", ".gz", ".npy", ".zst", ".bz2"),
)
