"""What a field could be, for names and values as golden sets in public repositories have them."""

from typing import Any

import pytest

from groupwise.evaluator.inspection.candidates import know_fields, list_candidates
from groupwise.evaluator.inspection.meanings import find_separator, is_code, looks_like_id
from groupwise.evaluator.inspection.shapes import (
    FieldFacts,
    Shape,
    describe_types,
    find_shapes,
    list_fields,
)

IDS = ["intro.md", "setup.md"]
PROSE = ["The service keeps the last hundred versions of a file.", "It was opened in May 2019."]


def meanings(record: dict[str, Any], other: dict[str, Any] | None = None) -> dict[str, list[str]]:
    """What each field of two records could be."""
    records: list[Any] = [(record,), (other or record,)]
    known = know_fields(list_fields(Shape(("",), records)))
    return {field.facts.path: [m.name for m in field.meanings] for field in known}


@pytest.mark.parametrize(
    "name",
    [
        "relevant_doc_ids", "gold_chunk_ids", "expected_doc_ids", "expected_sources",
        "expected_metric_source",
        "relevant_sources", "correct_chunks", "contexts", "relevant_chunks", "source_ids",
        "expected_documents", "supporting_docs", "must_cite", "citations", "expected_source_ids",
        "gold_doc_ids", "goldChunkIds", "expected-citations", "reference_doc_ids", "expected_ids",
        "gt_evidence", "relevant_passage_ids", "ground_truth", "expected", "source_docs",
        "expected_source_files", "evidence", "positive_ctxs", "target_pages", "relevant",
    ],
)  # fmt: skip
def test_names_of_ground_truth(name: str) -> None:
    assert meanings({name: IDS})[name] == ["ground_truth"]


@pytest.mark.parametrize(
    "name",
    [
        "retrieved_ids", "retrieved_docs", "retrieved_context", "results", "predictions", "hits",
        "search_results", "predicted_doc_ids", "top_k_docs", "ranked_ids", "actual_sources",
    ],
)  # fmt: skip
def test_names_of_results(name: str) -> None:
    assert meanings({name: IDS})[name] == ["results"]


@pytest.mark.parametrize(
    ("name", "value", "meaning"),
    [
        ("ground_truth", PROSE[0], "answer text"), ("ground_truth", "Lima", "answer text"),
        ("ground_truth", "13 August 1937", "answer text"), ("expected", ["Lima"], "answer text"),
        ("source", "general", "metadata"), ("expected_table", "a_b", "metadata"),
        ("answer", "Lima", "answer text"),
        ("expected_answer", PROSE[0], "answer text"), ("expected_output", "42", "answer text"),
        ("reference_answer", PROSE[1], "answer text"), ("gt_answer", "x", "answer text"),
        ("contexts", PROSE, "passage text"), ("ground_truth_context", PROSE[0], "passage text"),
        ("evidence_any", PROSE, "passage text"), ("expected_keywords", ["a"], "answer keywords"),
        ("answer_contains", ["15"], "answer keywords"), ("facts", ["a"], "answer keywords"),
        ("gold_chunk_substring", "a", "answer keywords"), ("difficulty", "easy", "metadata"),
        ("expected_category", "POLITICS", "metadata"), ("expected_routes", ["a"], "metadata"),
        ("num_relevant_passages", 2, "metadata"), ("data_source_idx", 10, "metadata"),
        ("source_type", "web", "metadata"), ("question_type", "why", "metadata"),
        ("multi_hop", True, "metadata"), ("answerable", True, "answerable"),
        ("irrelevant_doc_ids", IDS, "not_relevant"), ("scores", [0.5, 0.1], "scores"),
        ("question", "Who is it?", "query"), ("user_input", "opening hours", "query"),
        ("utterance", "opening hours", "query"), ("pregunta", "¿Quién es?", "query"),
        ("wording", "Who is it?", "query"),
    ],
)  # fmt: skip
def test_what_else_a_field_could_be(name: str, value: Any, meaning: str) -> None:
    assert meanings({name: value})[name] == [meaning]


def test_codes_are_ids_whatever_the_name_says() -> None:
    assert meanings({"expected_techniques": ["T1059.001"]})["expected_techniques"] == [
        "ground_truth"
    ]
    assert meanings({"expected_intent": "find_flight"})["expected_intent"] == ["metadata"]
    assert meanings({"chunk_id": 71}, {"chunk_id": 72})["chunk_id"] == ["ground_truth"]


def test_an_id_has_no_value_twice() -> None:
    assert meanings({"case_id": "a"}, {"case_id": "b"})["case_id"] == ["id"]
    assert "id" not in meanings({"case_id": "a"}, {"case_id": "a"})["case_id"]


def test_words_of_the_enclosing_object_count() -> None:
    found = meanings({"expected": {"doc_ids": IDS, "verdict": "answer"}, "meta": {"docs": 3}})
    assert found == {
        "expected.doc_ids": ["ground_truth"], "expected.verdict": ["metadata"],
        "meta.docs": ["metadata"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "is_id"),
    [
        ("Kit Fisto/Legends", True), ("114-1 IR Final Project Requirements.pdf", True),
        ("T1003.001", True), ("docs/concepts/serialization.md :: Python mode", True),
        ("It was opened in May 2019.", False), ("reasoning traces and actions of a model", False),
        ("", False), ("a\nb", False), ("x" * 400, False),
        ("无法从问题判断公司的名称和行业" * 2, False),
    ],
)  # fmt: skip
def test_ids_and_prose(text: str, is_id: bool) -> None:
    assert looks_like_id(text) is is_id


def paths(record: dict[str, Any], other: dict[str, Any] | None = None) -> list[str]:
    known = know_fields(list_fields(Shape(("",), [(record,), (other or record,)])))
    return [candidate.path for candidate in list_candidates(known, "ground_truth")]


def test_only_the_clearest_names_are_candidates() -> None:
    assert paths({"source": "wiki", "gold_ids": IDS}, {"source": "web", "gold_ids": IDS}) == [
        "gold_ids"
    ]
    assert paths({"source_file": "a.pdf"}, {"source_file": "b.pdf"}) == ["source_file"]


def test_a_document_and_its_page_are_one_id_or_the_document_alone() -> None:
    page = {"relevant": [{"source": "a.pdf", "page_num": 2}]}
    assert paths(page) == ["relevant.*.source+page_num", "relevant.*.source"]
    chunk = {"citations": [{"chunk_id": "a-1", "doc": "a", "score": 0.5}]}
    assert paths(chunk) == ["citations.*.chunk_id"]


def test_numbers_of_chunks_are_joined_with_the_document_beside_them() -> None:
    first = {"source_file": "a.pdf", "relevant_chunk_ids": [0, 1]}
    second = {"source_file": "b.pdf", "relevant_chunk_ids": [0]}
    assert paths(first, second) == ["relevant_chunk_ids", "source_file+relevant_chunk_ids.*"]


@pytest.mark.parametrize(
    ("text", "sign"),
    [("a|b", "|"), ("a;b;c", ";"), ("a,b", ","), ("Smith, 2013", None), ("a", None), ("a/b", None)],
)
def test_several_ids_in_one_text(text: str, sign: str | None) -> None:
    assert find_separator(FieldFacts("x", ("x",), [text, "z"])) == sign


@pytest.mark.parametrize(
    ("values", "described"),
    [
        (["a", "b"], "text"), ([1, 2.5], "number"), ([1], "whole number"), ([True], "yes or no"),
        ([["a"], []], "list of text"), ([[1, 2]], "list of whole numbers"),
        ([[["a"], ["b"]]], "list of lists"), ([["a", 0]], "pair"), ([[["a", 0]]], "list of pairs"),
        ([{"a": "b"}], "object"), ([["a"], "a"], "list of text or text"), ([[]], "empty list"),
        ([], "empty"),
    ],
)  # fmt: skip
def test_types_in_words(values: list[Any], described: str) -> None:
    assert describe_types(values) == described


@pytest.mark.parametrize(
    ("document", "prefixes"),
    [
        ([{"q": 1}], [("",)]),
        ({"tests": [{"q": 1}]}, [("tests[].",)]),
        ({"a": {"b": [{"q": 1}]}}, [("a.b[].",)]),
        ({"data": [{"items": [{"q": 1}]}]}, [("data[].",), ("data[].", "data[].items[].")]),
        ([{"items": [{"q": 1}]}], [("",), ("[].", "[].items[].")]),
        ({"q1": {"q": 1}, "q2": {"q": 2}}, [("",)]),
        ({"q": 1}, []),
        ([1, 2], []),
    ],
)
def test_where_the_records_are(document: Any, prefixes: list[tuple[str, ...]]) -> None:
    assert [shape.prefixes for shape in find_shapes(document)] == prefixes


@pytest.mark.parametrize("piece", ["1", "a", "a_", "a.", "a1", "_", "."])
def test_a_long_text_is_looked_at_once(piece: str) -> None:
    """It would take minutes if each character were looked at once per character."""
    assert not is_code(f"a{piece * 200_000} ")
