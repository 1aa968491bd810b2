"""In every format, a document that lacks a part of its id is refused, never taken for another."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from groupwise import File, InputError
from groupwise import read as read_file
from groupwise.evaluator.formats.registry import list_formats
from groupwise.evaluator.reading.options import Role
from tests.formats.shapes import SAMPLES

DELETED = object()
Way = tuple[str | int, ...]


def without(record: Any, way: Way, value: Any = DELETED) -> Any:
    """The record without what a way leads to, or with another value there."""
    changed = deepcopy(record)
    at = changed
    for step in way[:-1]:
        at = at[step]
    if value is DELETED:
        del at[way[-1]]
    else:
        at[way[-1]] = value
    return changed


PASSAGE = {"title": "T", "paragraph_text": "t", "is_supporting": True}
RECORDS: dict[str, tuple[Role, Any, list[Way]]] = {
    "chunking-evaluation": (
        "ground_truth",
        {
            "question": "?", "corpus_id": "c",
            "references": [{"content": "t", "start_index": 0, "end_index": 1}],
        },
        [("references", 0, "content"), ("corpus_id",)],
    ),
    "deepeval": (
        "ground_truth",
        {"input": "?", "expected_output": None, "context": ["text"]},
        [("context", 0), ("context",)],
    ),
    "double-bench": (
        "ground_truth",
        {"uid": "q", "question": "?", "doc_path": "docs/English/0786", "reference_page": [13]},
        [("doc_path",), ("reference_page",), ("reference_page", 0)],
    ),
    "dpr": (
        "ground_truth",
        {"question": "?", "positive_ctxs": [{"title": "T", "text": "t"}]},
        [("positive_ctxs", 0, "text")],
    ),
    "fever": (
        "ground_truth",
        {"id": 1, "claim": "c", "label": "SUPPORTS", "evidence": [[[1, 2, "Page", 0]]]},
        [("evidence", 0, 0, 2)],
    ),
    "financebench": (
        "ground_truth",
        {
            "financebench_id": "q", "question": "?", "doc_name": "D",
            "evidence": [{"doc_name": "D", "evidence_page_num": 59}],
        },
        [("evidence", 0, "doc_name"), ("evidence", 0, "evidence_page_num")],
    ),
    "hotpotqa": (
        "ground_truth",
        {"_id": "q", "question": "?", "supporting_facts": [["Page", 0]], "context": []},
        [("supporting_facts", 0, 0)],
    ),
    "kilt": (
        "ground_truth",
        {"id": "q", "output": [{"provenance": [{"wikipedia_id": "7", "title": "Page"}]}]},
        [("output", 0, "provenance", 0, "wikipedia_id")],
    ),
    "legalbench-rag": (
        "ground_truth",
        {"tests": [{
            "query": "?", "snippets": [{"file_path": "f", "span": [0, 1], "answer": "t"}]
        }]},
        [("tests", 0, "snippets", 0, "file_path")],
    ),
    "llama-index-embedding": (
        "ground_truth",
        {"queries": {"q": "?"}, "corpus": {}, "relevant_docs": {"q": ["n"]}},
        [("relevant_docs", "q", 0)],
    ),
    "llama-index-rag": (
        "ground_truth",
        {"examples": [{"query": "?", "reference_contexts": ["text"]}]},
        [("examples", 0, "reference_contexts", 0)],
    ),
    "multihop-rag": (
        "ground_truth",
        {"query": "?", "question_type": "comparison_query", "evidence_list": [{"fact": "f"}]},
        [("evidence_list", 0, "fact")],
    ),
    "musique": (
        "ground_truth",
        {"id": "q", "question": "?", "paragraphs": [PASSAGE]},
        [("paragraphs", 0, "title"), ("paragraphs", 0, "paragraph_text")],
    ),
    "promptfoo": (
        "run",
        {
            "prompt": {}, "vars": {"query": "?"},
            "gradingResult": {"componentResults": [
                {"assertion": {"type": "context-recall"}, "metadata": {"context": ["text"]}},
            ]},
        },
        [
            ("gradingResult", "componentResults", 0, "metadata", "context"),
            ("gradingResult", "componentResults", 0, "metadata", "context", 0),
        ],
    ),
    "qampari": (
        "ground_truth",
        {"qid": "q", "question_text": "?", "answer_list": [{"proof": [{"found_in_url": "u"}]}]},
        [("answer_list", 0, "proof", 0, "found_in_url")],
    ),
    "ragas": (
        "ground_truth",
        {"user_input": "?", "reference_context_ids": ["c"]},
        [("reference_context_ids", 0)],
    ),
    "json": (
        "ground_truth",
        {"id": "q", "ground_truth": [[{"id": "a", "grade": 2}]]},
        [("ground_truth", 0, 0, "id"), ("id",)],
    ),
    "jsonl": (
        "run",
        {"id": "q", "results": [{"id": "a", "document": "d", "start": 0, "end": 4}]},
        [("results", 0, "id"), ("id",)],
    ),
}  # fmt: skip
"""The role, a record, and the ways to what makes up the ids in it."""

TEXTS: dict[str, tuple[Role, str, list[tuple[str, str]]]] = {
    "beir-qrels": ("ground_truth", "query-id\tcorpus-id\tscore\nq\ta\t1\n", [("\ta\t", "\t\t")]),
    "csv": (
        "ground_truth",
        "query_id,group,id,grade\nq,1,a,1\n",
        [(",a,", ",,"), (",id,", ",other,"), ("group,id,grade", "group,doc_id,page")],
    ),
    "csv-run": (
        "run",
        "query_id,rank,id,score\nq,1,a,0.5\n",
        [(",a,", ",,"), ("rank,id,score", "rank,document,Chunk ID")],
    ),
    "ranx": (
        "ground_truth",
        "q_id,doc_id,score\nq,a,1\n",
        [
            (",a,", ",,"),
            (",doc_id,", ",other,"),
            ("doc_id,score\nq,a,1", "doc_id,score,page\nq,a,1,2"),
        ],
    ),
    "trec-qrels": ("ground_truth", "q 0 a 1\n", [(" a ", " ")]),
    "trec-diversity": ("ground_truth", "q 1 a 1\n", [(" a ", " ")]),
    "trec-run": ("run", "q Q0 a 1 0.5 t\n", [(" a ", " ")]),
    "csv-corpus": ("corpus", "id,text\na,t\n", [("\na,", "\n,"), ("id,", "other,")]),
}
"""The role, a text, and what to replace in it so that a part of an id is missing."""

ELSEWHERE = {
    "beir": "a folder of the others",
    "parquet": "columns, in test_a_column_of_ids_with_a_gap_is_refused",
    "autorag": "columns, in test_a_column_of_ids_with_a_gap_is_refused",
    "parquet-long": "columns, in test_a_column_of_ids_with_a_gap_is_refused",
    "id-list": "a line is an id, and a blank line is none",
}


def test_every_format_says_what_makes_up_an_id() -> None:
    assert {name for name, known in list_formats().items() if not known.ids} == set()
    assert {*RECORDS, *TEXTS, *ELSEWHERE} == {*list_formats()}


def read_as(path: Path, name: str, role: Role) -> None:
    options: Any = {"role": role, **({} if role == "run" else {"flat": "any"})}
    read_file(File(path, format=name), **options)


MISSING = {"deleted": DELETED, "null": None, "empty": "", "blank": " "}
CASES = [
    pytest.param(name, way, value, id=f"{name}-{'.'.join(map(str, way))}-{word}")
    for name, (_, _, ways) in RECORDS.items()
    for way in ways
    for word, value in MISSING.items()
    if not (value is DELETED and isinstance(way[-1], int))
]
"""A list without one of its items is whole; an item that says nothing is not."""


def write(tmp_path: Path, name: str, record: Any) -> Path:
    path = tmp_path / ("data.json" if name == "json" else "data.jsonl")
    path.write_text(json.dumps([record] if name == "json" else record))
    return path


@pytest.mark.parametrize("name", RECORDS)
def test_a_whole_record_is_read(name: str, tmp_path: Path) -> None:
    role, record, _ = RECORDS[name]
    read_as(write(tmp_path, name, record), name, role)


@pytest.mark.parametrize(("name", "way", "value"), CASES)
def test_a_record_without_a_part_of_an_id_is_refused(
    name: str, way: Way, value: Any, tmp_path: Path
) -> None:
    role, record, _ = RECORDS[name]
    with pytest.raises(InputError):
        read_as(write(tmp_path, name, without(record, way, value)), name, role)


@pytest.mark.parametrize("name", TEXTS)
def test_a_whole_text_is_read(name: str, tmp_path: Path) -> None:
    role, text, _ = TEXTS[name]
    (tmp_path / "data.csv").write_text(text)
    read_as(tmp_path / "data.csv", name, role)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [(name, *change) for name, (_, _, changes) in TEXTS.items() for change in changes],
)
def test_a_text_without_a_part_of_an_id_is_refused(
    name: str, old: str, new: str, tmp_path: Path
) -> None:
    role, text, _ = TEXTS[name]
    assert old in text
    (tmp_path / "data.csv").write_text(text.replace(old, new))
    with pytest.raises(InputError):
        read_as(tmp_path / "data.csv", name, role)


@pytest.mark.parametrize(
    ("name", "role", "columns"),
    [
        ("parquet", "ground_truth", {"id": ["q"], "ground_truth": [[["a"], [None]]]}),
        ("parquet", "run", {"id": ["q"], "results": [["a", ""]]}),
        ("parquet", "corpus", {"id": ["a", None], "text": ["t", "u"]}),
        ("parquet-long", "ground_truth", {"qid": ["q", "q"], "id": ["a", None], "rel": [1, 1]}),
        ("parquet-long", "run", {"qid": ["q"] * 2, "doc_id": ["a", " "], "rank": [1, 2]}),
        ("parquet-long", "run", {"qid": ["q"], "doc_id": ["a"], "page": [3], "rank": [1]}),
        ("ranx", "run", {"q_id": ["q"] * 2, "doc_id": ["a", None], "score": [0.5, 0.1]}),
        ("autorag", "ground_truth", {"qid": ["q"], "retrieval_gt": [[[None]]]}),
        ("autorag", "run", {"qid": ["q"], "retrieved_ids": [[None]]}),
        ("autorag", "corpus", {"doc_id": [""], "contents": ["t"]}),
    ],
)  # fmt: skip
def test_a_column_of_ids_with_a_gap_is_refused(
    name: str, role: Role, columns: dict[str, Any], tmp_path: Path
) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table(columns), tmp_path / "data.parquet")
    with pytest.raises(InputError):
        read_file(File(tmp_path / "data.parquet", format=name), role=role)


def test_a_page_is_one_of_its_document() -> None:
    """Page 5 of two documents: the number alone would let either of them meet both queries."""
    found = read_file(SAMPLES / "double-bench/single.json", role="ground_truth")
    ids = [[a.id for g in query.ground_truth.groups for a in g.alternatives] for query in found]
    assert ids == [["docs/English/0786#5", "docs/English/0786#6"], ["docs/English/1527#5"]]


def test_pages_without_their_document_say_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "single_bench.json"
    path.write_text('[{"uid": "0", "question": "?", "reference_page": [13]}]')
    with pytest.raises(
        InputError, match=r":1:2: /0: no doc_path or file_name; a page number alone"
    ):
        read_file(path)


@pytest.mark.parametrize("part", ["page", "Page Number", "chunk-id", "sentence_id", "start"])
def test_a_table_with_an_id_in_two_columns_names_both(part: str, tmp_path: Path) -> None:
    path = tmp_path / "qrels.csv"
    path.write_text(f"query_id,document,{part},grade\nq1,a.pdf,13,1\nq2,b.pdf,13,1\n")
    with pytest.raises(InputError, match=f"'document' and '{part}' may be one id in two parts"):
        read_file(path, flat="any")
    path.write_text(f"query_id,id,document,{part},grade\nq1,a.pdf#13,a.pdf,13,1\n")
    assert [query.id for query in read_file(path, role="ground_truth", flat="any")] == ["q1"]
