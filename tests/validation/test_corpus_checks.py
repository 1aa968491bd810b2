"""What the CP rules say of a record."""

from typing import Any

import numpy as np
import pytest

from groupwise import validate
from groupwise.evaluator.reading.content import content_hash
from groupwise.evaluator.validation.corpus.survey import CorpusSurvey, survey
from groupwise.evaluator.validation.facts.case import Case, CaseReader
from groupwise.evaluator.validation.facts.draft import Draft, Place
from groupwise.evaluator.validation.rules.corpus import (
    check_judged_on,
    locate_documents,
    locate_other_corpus,
)
from groupwise.evaluator.validation.rules.truth import locate_large_groups

CORPUS = {"a": "the first text", "b": "another one", "c": "the  first text", "d": "a fourth"}


def read_case(record: dict[str, Any]) -> Case:
    return CaseReader().read(record)


def surveyed(record: dict[str, Any], corpus: Any = None, ids: Any = None) -> CorpusSurvey:
    gold = [document.id for document in read_case(record).listed]
    texts = [str(document) if ids == "text" else document for document in gold]
    hashes = np.unique(np.array([hash(document) for document in texts], np.int64))
    return survey(CORPUS if corpus is None else corpus, hashes, type(texts[0]), ids=ids)


def found_beside(record: dict[str, Any], corpus: Any = None, ids: Any = None) -> list[Draft]:
    survey = surveyed(record, corpus, ids)
    return list(locate_documents(survey, read_case(record), Place("")))


def codes(record: dict[str, Any], corpus: Any = None, ids: Any = None) -> list[tuple[str, Any]]:
    return [(draft.code, draft.id) for draft in found_beside(record, corpus, ids)]


def test_a_gold_id_that_is_not_in_the_corpus() -> None:
    record = {"id": "q", "ground_truth": [["b"], ["d", "x"]]}
    (draft,) = found_beside(record)
    assert (draft.code, draft.pointer, draft.group, draft.id) == (
        "CP001", ("ground_truth", 1, 1), 1, "x",
    )  # fmt: skip
    assert draft.message == '"x" is not in the corpus'
    assert draft.value == "x"


def test_a_text_that_has_changed() -> None:
    hashes = {"b": content_hash("another one"), "d": content_hash("a fifth")}
    record = {"id": "q", "ground_truth": [["b", "d"]], "hashes": hashes}
    (draft,) = found_beside(record)
    assert (draft.code, draft.id, draft.pointer) == ("CP002", "d", ("ground_truth", 0, 1))
    assert content_hash("a fourth") in draft.message


@pytest.mark.parametrize("hashes", [{}, {"z": "0"}, {"d": None}, [], None, "d"])
def test_hashes_that_say_nothing(hashes: Any) -> None:
    assert codes({"id": "q", "ground_truth": [["d"]], "hashes": hashes}) == []


def test_a_text_cannot_change_where_there_is_none() -> None:
    assert codes({"id": "q", "ground_truth": [["d"]], "hashes": {"d": "0"}}, ["d"]) == []


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ([["a"]], [("CP005", "a")]),
        ([["a", "c"]], []),
        ([["a"], ["c"]], [("CP005", "a"), ("CP005", "c")]),
        ([["b"], ["d"]], []),
        ([{"alternatives": ["a", {"id": "c", "grade": 0}]}], [("CP005", "a")]),
    ],
)
def test_a_twin_that_is_not_listed_beside(groups: Any, expected: Any) -> None:
    assert codes({"id": "q", "ground_truth": groups}) == expected


def test_the_message_names_the_twins() -> None:
    words = [f"w{n}" for n in range(24)]
    corpus = {"a": " ".join(words), "n": " ".join([*words, "x"]), "e": "  ".join(words)}
    record = {"id": "q", "ground_truth": [["a"]]}
    (draft,) = found_beside(record, corpus)
    assert draft.message == (
        '"a" has twins in the corpus, not listed beside it: "e" (the same text), "n" (95% alike)'
    )
    assert draft.value == ["a", "e", "n"]


def test_ids_as_text() -> None:
    record = {"id": "q", "ground_truth": [[1], [3]]}
    corpus = [{"id": "1", "text": "x"}, {"id": "2", "text": "x"}]
    assert codes(record, corpus, "text") == [("CP005", 1), ("CP001", 3)]


def test_another_corpus() -> None:
    found = survey(CORPUS, np.zeros(0, np.int64), None, versions=["gw2", "gw1"])
    for fingerprint in found.fingerprints:
        assert not list(check_judged_on(found, {"corpus": fingerprint}))
    assert not list(check_judged_on(found, {"corpus": None}))
    reported: set[str] = set()
    case = read_case({"id": "q", "corpus": "gw1:3:00"})
    (draft,) = locate_other_corpus(found, reported, case, Place(""))
    assert (draft.code, draft.pointer, draft.value) == ("CP003", ("corpus",), "gw1:3:00")
    assert "gw1:3:00" in draft.message
    assert found.fingerprints[1] in draft.message
    assert list(locate_other_corpus(found, reported, case, Place(""))) == []


def test_a_corpus_of_one_document_is_counted_as_one() -> None:
    found = survey({"a": "one"}, np.zeros(0, np.int64), None)
    (draft,) = check_judged_on(found, {"corpus": "gw2:2:00"})
    assert draft.message.endswith("(1 document)")


def test_the_share_of_the_corpus_that_a_group_lists() -> None:
    case = read_case({"id": "q", "ground_truth": [["1", "2", "2"], ["1", "2", "3", "4", "5", "6"]]})
    (draft,) = locate_large_groups(100, case, Place(""))
    assert (draft.code, draft.group, draft.pointer) == ("GT014", 1, ("ground_truth", 1))
    assert draft.message == "group 1 lists 6% of the corpus"


@pytest.mark.parametrize(
    ("size", "documents", "is_large"),
    [(6, 100, True), (6, 99, False), (5, 100, False), (20, 100, True), (21, 100, False)],
)
def test_how_large_a_share_is_reported(size: int, documents: int, is_large: bool) -> None:
    groups = {"q": [[str(n) for n in range(size)]]}
    report = validate(groups, corpus=[str(n) for n in range(documents)], select=["GT014"])
    shares = [finding for finding in report.findings if finding.message.endswith("of the corpus")]
    assert bool(shares) is is_large
