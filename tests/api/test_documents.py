"""Runs from the documents of other libraries, which are detected by their attributes."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from groupwise import InputError, Run, evaluate


@dataclass
class LangChainDocument:
    page_content: str
    id: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass
class TextNode:
    node_id: str
    text: str
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass
class NodeWithScore:
    node: TextNode
    score: float | None = None


@dataclass
class HaystackDocument:
    id: str
    content: str
    meta: dict[str, Any] = field(default_factory=dict)
    score: float | None = None


def results(run: Run) -> dict[str, Any]:
    return {
        one.id: [r if isinstance(r, str | int) else r.model_dump() for r in one.results]
        for one in run
    }


def test_langchain_documents_have_their_id_or_a_key_of_their_metadata() -> None:
    documents = {"q1": [LangChainDocument("one", "a", {"source": "s-1"})], "q2": []}
    assert results(Run.from_langchain(documents)) == {"q1": [{"id": "a", "text": "one"}], "q2": []}
    by_source = Run.from_langchain(documents, key="source")
    assert by_source.queries[0].ids() == ["s-1"]


def test_langchain_pairs_of_document_and_score() -> None:
    pairs = {
        "q1": [
            (LangChainDocument("one", "a"), np.float32(0.5)),
            (LangChainDocument("two", "b"), 0.25),
        ]
    }
    run = Run.from_langchain(pairs)
    assert run.queries[0].ids() == ["a", "b"]
    assert run.queries[0].given_scores() == [0.5, 0.25]


def test_llama_index_nodes_have_an_id_a_score_and_metadata() -> None:
    nodes = {"q1": [NodeWithScore(TextNode("n-1", "one", {"doc": 7}), 0.5)]}
    expected = {"q1": [{"id": "n-1", "score": 0.5, "text": "one"}]}
    assert results(Run.from_llama_index(nodes)) == expected
    assert Run.from_llama_index(nodes, key="doc").queries[0].ids() == [7]


def test_haystack_documents_have_an_id_a_score_and_meta() -> None:
    first, second = HaystackDocument("a", "one", {"doc": "d"}, 0.5), HaystackDocument("b", "two")
    documents = {1: [first], 2: [second]}
    assert results(Run.from_haystack(documents)) == {
        "1": [{"id": "a", "score": 0.5, "text": "one"}],
        "2": [{"id": "b", "text": "two"}],
    }
    with pytest.raises(InputError, match="a score for each result or for none"):
        Run.from_haystack({1: [first, second]})
    with pytest.raises(InputError, match="no 'doc' in the metadata of a HaystackDocument"):
        Run.from_haystack(documents, key="doc")


def test_a_document_without_an_id_is_named_with_the_keys_there_are() -> None:
    documents = {"q1": [LangChainDocument("one", None, {"source": "s", "page": 1})]}
    with pytest.raises(InputError, match=r"has no id; name a key .* 'source', 'page'") as error:
        Run.from_langchain(documents)
    assert error.value.problems[0].query == "q1"
    with pytest.raises(InputError, match="has no id"):
        Run.from_langchain({"q1": [object()]})


def test_every_query_with_a_problem_is_named() -> None:
    odd: Any = {"q1": None, "q2": "text", "q3": {"a", "b"}, "q4": ["a", " "], "q5": ["a"]}
    with pytest.raises(InputError) as error:
        Run.from_langchain(odd)
    problems = {one.query: one.message for one in error.value.problems}
    assert set(problems) == {"q1", "q2", "q3", "q4"}
    assert "a set, which has no order" in problems["q3"]
    assert problems["q4"].startswith("result 2: a blank id")
    with pytest.raises(InputError, match="documents by query id"):
        Run.from_langchain([["a"]])  # type: ignore[arg-type]


def test_a_run_of_documents_is_evaluated() -> None:
    run = Run.from_haystack({"q1": [HaystackDocument("a", "one")]})
    assert evaluate({"q1": [["a"], ["b"]]}, run, metrics="recall").scores == {"recall": 0.5}
