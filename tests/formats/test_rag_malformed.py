"""A record that is not of its format's shape gives a problem with its place, and nothing else."""

import copy
import json
import os
from functools import lru_cache
from typing import Any
from unittest import mock

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from groupwise import InputError
from groupwise.evaluator.errors import Problems
from groupwise.evaluator.formats.registry import list_formats
from groupwise.evaluator.intake.check import Intake
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.source import Source
from groupwise.schemas import FixtureQuery, Policies, Query, RunQuery
from tests.formats.reading import file_of, pointers
from tests.formats.shapes import (
    JSON_SAMPLES,
    SAMPLES,
    SHAPES,
    problems_of,
    problems_of_document,
    read,
)
from tests.strategies import FEWER

WHOLE = ("legalbench-rag", "llama-index-embedding", "llama-index-rag")
ROLES: list[Role | None] = [None, "ground_truth", "run"]
HOTPOT = {"_id": "h", "question": "q?", "supporting_facts": [["T", 0]], "context": []}
MUSIQUE = {
    "id": "m", "question": "q?",
    "paragraphs": [{"idx": 0, "title": "T", "paragraph_text": "p", "is_supporting": True}],
    "question_decomposition": [{"paragraph_support_idx": 0}],
}  # fmt: skip
RAGAS = {"user_input": "q?", "reference_contexts": ["a"], "retrieved_contexts": ["b"]}
NEWS = {"query": "q?", "question_type": "x_query", "gold_list": [{"fact": "f"}]}
DPR = {"question": "q?", "positive_ctxs": [{"passage_id": "1"}]}
OUTPUT = {"question": "q?", "ctxs": [{"id": "1", "score": 1.0}]}
KILT = {"id": "k", "input": "q?", "output": [{"provenance": [{"wikipedia_id": "1"}]}]}
FEVER = {"id": 1, "claim": "c", "label": "SUPPORTS", "evidence": [[[1, 2, "P", 0]]]}
BENCH = {"uid": "d", "question": "q?", "file_name": "f", "steps": [{"reference_page": [1]}]}
QAMPARI = {"qid": "a", "question_text": "q?", "answer_list": [{"proof": [{"found_in_url": "u"}]}]}
FILING = {
    "financebench_id": "f", "question": "q?",
    "evidence": [{"doc_name": "D", "evidence_page_num": 7}],
}  # fmt: skip
EXCERPT = {"content": "t", "start_index": 3, "end_index": 9}
EXCERPTS = {"question": "q?", "corpus_id": "c", "references": [EXCERPT]}
SNIPPET = {"file_path": "f", "span": [3, 9], "answer": "t"}
GOLDEN = {"input": "q?", "expected_output": "a", "context": ["c"], "retrieval_context": ["r"]}
TESTED = {
    "prompt": {}, "promptIdx": 0, "vars": {"query": "q?", "ids": ["a"]},
    "gradingResult": {"componentResults": [
        {"assertion": {"type": "context-recall"}, "metadata": {"context": ["c"]}},
        {"assertion": {"type": "contains"}},
    ]},
}  # fmt: skip
OTHER = {
    "componentResults": [
        *TESTED["gradingResult"]["componentResults"],  # type: ignore[index]
        {"assertion": {"type": "context-relevance"}, "metadata": {"context": ["other"]}},
    ]
}

CASES: list[tuple[str, dict[str, Any], dict[str, Any], str | None, str]] = [
    ("hotpotqa", HOTPOT, {"_id": None}, "/_id", "null is not an id"),
    ("hotpotqa", HOTPOT, {"_id": ...}, None, "no _id"),
    ("hotpotqa", HOTPOT, {"question": " "}, "/question", "a non-blank text, got the string ' '"),
    ("hotpotqa", HOTPOT, {"supporting_facts": []}, "/supporting_facts", "an empty list"),
    ("hotpotqa", HOTPOT, {"supporting_facts": {}}, "/supporting_facts", "a list, got an object"),
    ("hotpotqa", HOTPOT, {"supporting_facts": {"sent_id": [0]}}, "/supporting_facts", "no title"),
    ("hotpotqa", HOTPOT, {"supporting_facts": {"title": ["T", 7], "sent_id": [0, 1]}},
     "/supporting_facts/title/1", "text, got the number 7"),
    ("hotpotqa", HOTPOT, {"supporting_facts": {"title": ["T", "U"], "sent_id": [0]}},
     "/supporting_facts", "a list, got an object"),
    ("hotpotqa", HOTPOT, {"supporting_facts": {"title": [], "sent_id": []}},
     "/supporting_facts", "an empty list"),
    ("hotpotqa", HOTPOT, {"supporting_facts": ["TT"]}, "/supporting_facts/0", "expected a pair"),
    ("hotpotqa", HOTPOT, {"supporting_facts": [[1, 0]]}, "/supporting_facts/0/0", "the number 1"),
    ("musique", MUSIQUE, {"paragraphs": None}, "/paragraphs", "expected a list, got null"),
    ("musique", MUSIQUE, {"answerable": "no"}, "/answerable", "expected true or false"),
    ("musique", MUSIQUE, {"question_decomposition": [{"paragraph_support_idx": 7}]},
     "/question_decomposition/0/paragraph_support_idx", "the idx of a paragraph, got the number 7"),
    ("musique", MUSIQUE, {"question_decomposition": [{"paragraph_support_idx": None}]},
     "/question_decomposition/0/paragraph_support_idx", "the idx of a paragraph, got null"),
    ("musique", MUSIQUE, {"question_decomposition": None, "paragraphs": [{"is_supporting": False}]},
     "/paragraphs", "no paragraph is marked"),
    ("ragas", RAGAS, {"user_input": []}, "/user_input", "text, got a list"),
    ("ragas", RAGAS, {"reference_contexts": []}, "/reference_contexts", "an empty list"),
    ("ragas", RAGAS, {"reference_contexts": ["<1-hop>\n"]}, "/reference_contexts/0", "after the"),
    ("ragas", RAGAS, {"retrieved_contexts": None, "retrieved_context_ids": ["c"]}, None,
     "ids on one side"),
    ("multihop-rag", NEWS, {"question_type": ...}, None, "no question_type"),
    ("multihop-rag", NEWS, {"gold_list": []}, "/gold_list", "an empty list"),
    ("multihop-rag", NEWS, {"gold_list": [{"fact": ""}]}, "/gold_list/0/fact", "the string ''"),
    ("multihop-rag", NEWS, {"retrieval_list": [{"score": 1}]}, "/retrieval_list/0", "no text"),
    ("dpr", DPR, {"positive_ctxs": [{"passage_id": True}]}, "/positive_ctxs/0/passage_id",
     "a boolean is not an id"),
    ("dpr", DPR, {"positive_ctxs": [{}]}, "/positive_ctxs/0", "no text"),
    ("dpr", DPR, {"positive_ctxs": "all"}, "/positive_ctxs", "a list, got the string 'all'"),
    ("dpr", OUTPUT, {"ctxs": [{"id": "1", "score": "high"}]}, "/ctxs/0/score", "a finite number"),
    ("kilt", KILT, {"output": [{"answer": "x"}]}, "/output", "no output has a provenance"),
    ("kilt", KILT, {"output": []}, "/output", "an empty list"),
    ("kilt", KILT, {"output": [{"provenance": [{"title": "T"}]}]}, "/output/0/provenance/0",
     "no wikipedia_id"),
    ("fever", FEVER, {"label": ...}, None, "no label"),
    ("fever", FEVER, {"evidence": [[[1, 2, None, None]]]}, "/evidence/0/0/2", "text, got null"),
    ("fever", FEVER, {"evidence": [[[1]]]}, "/evidence/0/0", "expected evidence as"),
    ("fever", FEVER, {"evidence": [[]]}, "/evidence/0", "an empty list"),
    ("double-bench", BENCH, {"steps": [{}]}, "/steps/0", "no reference_page"),
    ("double-bench", BENCH, {"steps": [{"reference_page": []}]}, "/steps/0/reference_page",
     "an empty list"),
    ("double-bench", BENCH, {"steps": [{"reference_page": [1.5]}]}, "/steps/0/reference_page/0",
     "the number 1.5 is not an id"),
    ("financebench", FILING, {"evidence": []}, "/evidence", "an empty list"),
    ("financebench", FILING, {"evidence": [{"evidence_page_num": 7}]}, "/evidence/0",
     "no evidence_doc_name or doc_name; a page number alone identifies no page"),
    ("financebench", FILING, {"evidence": [{"doc_name": "D"}]}, "/evidence/0",
     "no evidence_page_num"),
    ("financebench", FILING, {"evidence": [{"doc_name": "D", "evidence_page_num": 7.5}]},
     "/evidence/0/evidence_page_num", "the number 7.5 is not an id"),
    ("chunking-evaluation", EXCERPTS, {"references": []}, "/references", "an empty list"),
    ("chunking-evaluation", EXCERPTS, {"corpus_id": ...}, None, "no corpus_id"),
    ("chunking-evaluation", EXCERPTS, {"references": [{**EXCERPT, "end_index": 3}]},
     "/references/0/end_index", "expected an end after 3, got 3"),
    ("chunking-evaluation", EXCERPTS, {"references": [{**EXCERPT, "start_index": -1}]},
     "/references/0/start_index", "a whole number from 0 on, got the number -1"),
    ("chunking-evaluation", EXCERPTS, {"references": [{**EXCERPT, "start_index": "3"}]},
     "/references/0/start_index", "a whole number from 0 on, got the string '3'"),
    ("chunking-evaluation", EXCERPTS, {"references": [{"start_index": 1, "end_index": 2}]},
     "/references/0", "no content"),
    ("deepeval", GOLDEN, {"context": None, "retrieval_context": None}, None,
     "no context, the texts that should be retrieved"),
    ("deepeval", GOLDEN, {"context": []}, "/context", "expected at least one context"),
    ("deepeval", GOLDEN, {"context": ""}, "/context", "expected at least one context"),
    ("deepeval", GOLDEN, {"context": "a||b"}, "/context", "a non-blank text, got the string ''"),
    ("deepeval", GOLDEN, {"context": [7]}, "/context/0", "text, got the number 7"),
    ("deepeval", GOLDEN, {"retrieval_context": ["deepeval_source=s,deepeval_context= "]},
     "/retrieval_context/0", "a non-blank text"),
    ("deepeval", GOLDEN, {"input": ..., "scenario": "s", "turns": []}, None, "of a conversation"),
    ("promptfoo", TESTED, {"promptIdx": 1}, None, "outputs of several prompts or providers"),
    ("promptfoo", TESTED, {"gradingResult": OTHER},
     "/gradingResult/componentResults/0/metadata/context", "have different contexts"),
    ("promptfoo", TESTED, {"vars": {"ids": ["a"]}}, None, "no variable query or question"),
    ("promptfoo", TESTED, {"gradingResult": None}, None,
     "--map id=vars.query,query=vars.query,ground_truth=vars.ids and --flat any"),
    ("qampari", QAMPARI, {"answer_list": [{"proof": []}]}, "/answer_list/0/proof", "an empty list"),
    ("qampari", QAMPARI, {"answer_list": [{"proof": [{"found_in_url": None}]}]},
     "/answer_list/0/proof/0/found_in_url", "text, got null"),
]  # fmt: skip


def changed(record: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    merged = record | changes
    return {name: value for name, value in merged.items() if value is not ...}


@pytest.mark.parametrize(("form", "record", "changes", "pointer", "message"), CASES)
def test_a_malformed_record_is_named_with_its_place(
    form: str, record: dict[str, Any], changes: dict[str, Any], pointer: str | None, message: str
) -> None:
    broken = changed(record, changes)
    (problem,) = problems_of([record, broken], form)
    assert (problem.line, problem.pointer) == (2, pointer)
    assert message in problem.message
    assert problem.column is not None


@pytest.mark.parametrize("form", [form for form in SHAPES if form not in WHOLE])
@pytest.mark.parametrize("value", [3, None, "text", [], {}, [[]]])
def test_what_is_no_record_at_all(form: str, value: Any) -> None:
    (problem,) = problems_of([value], form)
    assert problem.line == 1


def test_a_run_of_kilt_has_one_output() -> None:
    (problem,) = problems_of([KILT | {"output": [{"provenance": []}] * 2}], "kilt", "run")
    assert (problem.pointer, problem.message[:9]) == ("/output", "2 outputs")


EMBEDDING = {
    "queries": {"a/b": "q?"},
    "corpus": {},
    "relevant_docs": {"a/b": ["n"]},
    "mode": "text",
}
RAG = {"examples": [{"query": "q?", "reference_contexts": ["c"]}]}
LEGAL = {"tests": [{"query": "q?", "snippets": [SNIPPET]}]}
DOCUMENTS = [
    ("legalbench-rag", LEGAL, {"tests": {}}, "/tests", "a list, got an object"),
    ("legalbench-rag", LEGAL, {"tests": [{"query": "q?", "snippets": []}]}, "/tests/0/snippets",
     "an empty list"),
    ("legalbench-rag", LEGAL, {"tests": [{"query": "q?", "snippets": [SNIPPET | {"span": [1]}]}]},
     "/tests/0/snippets/0", "expected a start and an end, got 1 number"),
    ("legalbench-rag", LEGAL,
     {"tests": [{"query": "q?", "snippets": [SNIPPET | {"span": [1, 1.5]}]}]},
     "/tests/0/snippets/0/span/1", "a whole number from 0 on, got the number 1.5"),
    ("legalbench-rag", LEGAL, {"tests": [{"query": "q?", "snippets": [SNIPPET | {"answer": 1}]}]},
     "/tests/0/snippets/0/answer", "a non-blank text, got the number 1"),
    ("llama-index-embedding", EMBEDDING, {"relevant_docs": {}}, "/queries/a~1b",
     "no relevant_docs"),
    ("llama-index-embedding", EMBEDDING, {"queries": {}}, "/relevant_docs/a~1b", "not in queries"),
    ("llama-index-embedding", EMBEDDING, {"queries": {"a/b": 1}}, "/queries/a~1b", "the number 1"),
    ("llama-index-embedding", EMBEDDING, {"relevant_docs": {"a/b": []}}, "/relevant_docs/a~1b",
     "an empty list"),
    ("llama-index-embedding", EMBEDDING, {"queries": []}, "/queries", "an object, got a list"),
    ("llama-index-rag", RAG, {"examples": [{"query": "q?"}]}, "/examples/0",
     "no reference_contexts"),
    ("llama-index-rag", RAG, {"examples": [{"query": "q?", "reference_contexts": None}]},
     "/examples/0/reference_contexts", "a list, got null"),
    ("llama-index-rag", RAG, {"examples": None}, "/examples", "a list, got null"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "whole", "changes", "pointer", "message"), DOCUMENTS)
def test_a_malformed_document_is_named_with_its_place(
    form: str, whole: dict[str, Any], changes: dict[str, Any], pointer: str, message: str
) -> None:
    (problem,) = problems_of_document(changed(whole, changes), form)
    assert (problem.line, problem.pointer) == (1, pointer)
    assert message in problem.message


def test_a_broken_document_that_is_read_whole_says_where() -> None:
    with file_of('{"examples": [,]}', ".json") as path, pytest.raises(InputError, match="invalid"):
        read(path, "llama-index-rag")


def test_a_document_too_large_to_be_read_whole_says_so() -> None:
    limited = mock.patch.dict(os.environ, GROUPWISE_MAX_RECORD_BYTES="16")
    refused = pytest.raises(InputError, match="a record of more than 16 bytes")
    with file_of(json.dumps(RAG), ".json") as path, limited, refused:
        read(path, "llama-index-rag")


# --- anything JSON can hold -----------------------------------------------------------------------

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=4),
    st.sampled_from(["NOT ENOUGH INFO", "null_query", "a", "1e999", "<1-hop>"]),
)  # fmt: skip
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)  # fmt: skip


@lru_cache
def samples(form: str) -> list[Any]:
    """The records of all samples of a format; for what is read whole the documents."""
    found: list[Any] = []
    for name, owner in JSON_SAMPLES.items():
        if owner == form:
            text = (SAMPLES / name).read_text()
            values = (
                [*map(json.loads, text.splitlines())] if name.endswith("l") else json.loads(text)
            )
            found += values if isinstance(values, list) else [values]
    return found


@st.composite
def mutated(draw: st.DrawFn, records: list[Any]) -> Any:
    """One of these sound records, in which a few values are something else, or gone."""
    record = copy.deepcopy(draw(st.sampled_from(records)))
    for _ in range(draw(st.integers(1, 3))):
        way = draw(st.sampled_from(list(pointers(record))))
        if not way:
            return draw(JSON)
        holder = record
        for step in way[:-1]:
            holder = holder[step]
        if draw(st.booleans()):
            holder[way[-1]] = draw(JSON)
        else:
            del holder[way[-1]]
    return record


@pytest.mark.parametrize("form", SHAPES)
@FEWER
@given(data=st.data())
def test_a_record_or_a_problem_and_nothing_else(form: str, data: st.DataObject) -> None:
    record, role = data.draw(mutated(samples(form))), data.draw(st.sampled_from(ROLES))
    suffix = ".json" if form in WHOLE else ".jsonl"
    with file_of(json.dumps(record), suffix) as path:
        assume(role is None or role in list_formats()[form].holds)
        options = Options(role=role, cnf=data.draw(st.booleans()))
        rows, problems = taken(list_formats()[form].read(Source(path), options), role)
    assert rows or problems.count or form in WHOLE
    assert all(str(one) for one in problems.kept)


def taken(records: Records, role: Role | None) -> tuple[int, Problems]:
    """How many records go through the intake of their role, and what is wrong with the others."""
    model = FixtureQuery if role is None else RunQuery if role == "run" else Query
    problems = Problems()
    intake = Intake(records, model, Policies(), problems)
    return sum(len(rows) for rows in intake.rows()), problems
