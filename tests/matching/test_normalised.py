"""Ids after normalisation, and what becomes equal by it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, check_fixture, evaluate, hit_vector
from groupwise.evaluator.evaluation.single import read_row
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching import EXACT, Matching
from tests.matching.test_matchers import IDS, columns, matched, rich_truths


@pytest.mark.parametrize(
    ("options", "truth", "results", "expected"),
    [
        ({}, "Doc", ["doc", "Doc", " Doc"], [0, 1, 0]),
        ({"case": "fold"}, "Straße", ["STRASSE", "strasse", "strase"], [1, 1, 0]),
        ({"trim": True}, "a", [" a", "a\t", "a a"], [1, 1, 0]),
        ({"unicode": "NFC"}, "é", ["e\u0301", "e", "\ufb01"], [1, 0, 0]),
        ({"unicode": "NFKC"}, "fi", ["\ufb01", "\uff46\uff49", "Fi"], [1, 1, 0]),
        ({"pattern": "#.*"}, "doc-12", ["doc-12#3", "doc-1#2", "doc-12"], [1, 0, 1]),
        (
            {"pattern": r"^(.*)/chunk-(\d+)$", "replacement": r"\2@\1"},
            "7@a", ["a/chunk-7", "a/chunk-8", "7@a"], [1, 0, 1],
        ),
        ({"pattern": "#.*", "case": "fold", "trim": "true"}, "DOC ", ["doc #1", "doc#2"], [1, 1]),
        ({"pattern": "0$"}, 10, [1, 10, 100, 2], [1, 1, 0, 0]),
        ({"until": "#"}, "doc-12", ["doc-12#3#4", "doc-1#2", "doc-12"], [1, 0, 1]),
        ({"pattern": "#.*", "replacement": "", "until": ""}, "a", ["a#1", "b"], [1, 0]),
    ],
)  # fmt: skip
def test_ids_are_compared_after_the_rules(
    options: dict[str, Any], truth: Any, results: list[Any], expected: list[int]
) -> None:
    assert hit_vector([[truth]], results, matching={"type": "normalised", **options}) == expected


QUERIES = st.tuples(
    st.lists(st.lists(IDS, min_size=1, max_size=3), max_size=3) | rich_truths(),
    st.lists(IDS, max_size=8),
    st.lists(IDS, max_size=3),
)


@given(st.lists(QUERIES, min_size=1, max_size=5), st.none() | st.integers(1, 9))
def test_without_rules_it_is_exact(queries: list[Any], depth: int | None) -> None:
    truths, rankings, unwanted = (list(column) for column in zip(*queries, strict=True))
    rows = Rows([*map(str, range(len(truths)))], truths, rankings, not_relevant=unwanted)
    found = columns(matched(Matching.parse("normalised"), rows, depth))
    assert found == columns(matched(EXACT, rows, depth))


def test_collisions_are_counted_and_named() -> None:
    truth = {"q2": [["B#1", "B#2"]], "q1": [["A"], ["a", "c"]]}
    run = {"q1": ["a", "A", "x", "x"], "q2": ["b#1", "b#2", "b#3", "b#3"]}
    matching = {"type": "normalised", "case": "fold", "pattern": "#.*"}
    report = evaluate(truth, run, metrics=["recall", "precision"], matching=matching)
    assert report.matching["counts"] == {
        "collisions in ground truth": 2,
        "collisions in results": 3,
    }
    assert 'collisions in ground truth: 2, such as "A" and "a" (query \'q1\')' in report.warnings
    assert 'collisions in results: 3, such as "a" and "A" (query \'q1\')' in report.warnings
    assert report.per_query["q2"] == {"recall": 1.0, "precision": 0.25}
    assert evaluate(truth, run, matching=matching).matching == report.matching
    cut = evaluate(truth, run, metrics="recall@1", matching=matching)
    assert cut.matching["counts"] == {"collisions in ground truth": 2}


def test_data_without_collisions_has_no_counts() -> None:
    report = evaluate({"q": [["A"]]}, {"q": ["a"]}, matching={"type": "normalised", "case": "fold"})
    assert "counts" not in report.matching
    assert not report.warnings
    assert report.matching["case"] == "fold"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pattern": "("}, "missing )"),
        ({"pattern": "a", "replacement": r"\1"}, "invalid group reference 1"),
        ({"pattern": "a", "replacement": r"\g<x>"}, "unknown group name 'x'"),
        ({"replacement": "x"}, "replacement goes with pattern"),
        ({"case": "lower"}, "expected keep or fold, got 'lower'"),
        ({"unicode": "NFD"}, "expected keep or NFC or NFKC, got 'NFD'"),
    ],
)
def test_rules_that_cannot_be_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        Matching.parse({"type": "normalised", **options})
    assert message in str(error.value)


@pytest.mark.parametrize("option", ["pattern", "replacement"])
def test_a_file_sets_no_pattern(option: str, tmp_path: Path) -> None:
    """Matching a hostile regular expression takes time without end."""
    query = {"id": "q1", "ground_truth": [["a" * 40 + "!"]], "results": ["b"]}
    matching = {"type": "normalised", "until": "#", option: "(a+)+$"}
    path = tmp_path / "fixture.json"
    path.write_text(json.dumps({"matching": matching, "queries": [query]}), "utf-8")
    with pytest.raises(InputError, match=f":1:2: /matching/{option}: a file cannot set {option}"):
        evaluate(path)
    with pytest.raises(InputError, match=f"a file cannot set {option}"):
        check_fixture(path)


def test_an_id_of_which_nothing_is_left_is_refused() -> None:
    with pytest.raises(InputError) as error:
        evaluate(
            {"q": [["a"]], "r": [["b"]]},
            {"q": ["x"], "r": ["#3", "a"]},
            matching={"type": "normalised", "pattern": "#.*"},
        )
    assert str(error.value) == "query 'r': the matcher normalised leaves nothing of the id \"#3\""


def test_evidence_names_ids_that_differ_a_little() -> None:
    rows = read_row([["Doc", "e\u0301", "b"]], ["doc", " Doc", "é", "b", "B ", "x"])
    (found,) = EXACT.find_evidence(rows)
    assert [(one.hit, one.met, one.how) for one in found] == [
        ((1, 0, 0), False, "case"),
        ((2, 0, 0), False, "space"),
        ((3, 0, 1), False, "unicode"),
        ((4, 0, 2), True, "id"),
        ((5, 0, 2), False, "case"),
    ]
    (found,) = Matching.parse({"type": "normalised", "case": "fold"}).find_evidence(rows)
    assert [one.hit for one in found if one.met] == [(1, 0, 0), (4, 0, 2)]
