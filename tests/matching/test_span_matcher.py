"""Matching by span: thresholds, several results together, and the same truth for every chunking."""

import hashlib
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, check_fixture, evaluate, hit_vector
from groupwise.evaluator.evaluation.single import read_row
from groupwise.evaluator.matching import Matching
from tests.chunking import CHUNKINGS, SPANS, covering, gunzip, questions

QUESTIONS = SPANS / "questions_df.csv"


def piece(start: int, end: int, document: Any = "d", **others: Any) -> dict[str, Any]:
    return {"id": f"{start}-{end}", "document": document, "start": start, "end": end, **others}


def test_the_files_are_as_their_authors_made_them() -> None:
    for line in (SPANS / "SHA256SUMS").read_text("utf-8").splitlines():
        digest, name = line.split()
        plain, packed = SPANS / name, SPANS / f"{name}.gz"
        data = plain.read_bytes() if plain.exists() else gunzip(packed).encode()
        assert hashlib.sha256(data).hexdigest() == digest, name


@pytest.mark.parametrize(("size", "overlap"), CHUNKINGS)
def test_chunks_that_cover_the_references_are_all_of_the_evidence(size: int, overlap: int) -> None:
    run = covering(size, overlap)
    together = {"type": "span", "threshold": 1, "together": True}
    report = evaluate(QUESTIONS, run, metrics=["recall", "complete"], matching=together)
    assert report.counts.scored == 472
    assert {values["recall"] for values in report.per_query.values()} == {1.0}
    each = evaluate(QUESTIONS, run, metrics="recall", matching={"type": "span", "threshold": 0.01})
    assert each.scores["recall"] == 1.0


def test_each_reference_is_met_by_the_chunk_that_has_most_of_it_or_by_two() -> None:
    assert sum(map(len, questions().values())) == 790
    for size, overlap in CHUNKINGS[:2]:
        run = covering(size, overlap)
        for together in (False, True):
            matching = {"type": "span", "together": together}
            report = evaluate(QUESTIONS, run, metrics="recall", matching=matching)
            expected = naive_recalls(run, together=together)
            assert {q: v["recall"] for q, v in report.per_query.items()} == pytest.approx(expected)


def naive_recalls(run: dict[str, Any], *, together: bool) -> dict[str, float]:
    """Recall by sets of characters."""
    found = {}
    for question, references in questions().items():
        read = [{*range(chunk["start"], chunk["end"])} for chunk in run[question]]
        whole = [set().union(*read)] if together else read
        met = [
            any(2 * len(part.intersection(range(start, end))) >= end - start for part in whole)
            for _, start, end in references
        ]
        found[question] = sum(met) / len(met)
    return found


def test_ids_of_another_chunking_hardly_ever_match() -> None:
    truth = {
        question: [[chunk["id"] for chunk in found]]
        for question, found in covering(512, 64).items()
    }
    run = {
        question: [chunk["id"] for chunk in found] for question, found in covering(800, 100).items()
    }
    recall = evaluate(truth, run, metrics="recall").scores["recall"]
    assert recall is not None
    assert recall < 0.05


@pytest.mark.parametrize(
    ("result", "threshold", "met"),
    [
        (piece(0, 10), 0.5, 0),  # touches the start
        (piece(20, 30), 0.0, 0),  # touches the end, and nothing is not enough
        (piece(0, 15), 0.5, 1),
        (piece(0, 14), 0.5, 0),
        (piece(0, 14), 0.4, 1),
        (piece(0, 11), 0.0, 1),
        (piece(10, 20), 1.0, 1),
        (piece(11, 20), 1.0, 0),
        (piece(0, 100), 1.0, 1),
        (piece(12, 12), 0.0, 0),
        (piece(10, 20, "e"), 0.0, 0),
    ],
)
def test_a_result_meets_what_it_covers_enough_of(
    result: dict[str, Any], threshold: float, met: int
) -> None:
    matching = {"type": "span", "threshold": threshold}
    assert hit_vector([[piece(10, 20)]], [result], matching=matching) == [met]


def test_a_decimal_threshold_that_is_reached_exactly_is_reached() -> None:
    for size in (3, 7, 10, 49, 300):
        for part in range(1, min(size, 20) + 1):
            matching = {"type": "span", "threshold": part / size}
            assert hit_vector([[piece(0, size)]], [piece(0, part)], matching=matching) == [1]


def test_results_cover_an_alternative_together() -> None:
    truth = [[piece(0, 100)]]
    parts = [piece(0, 30), piece(10, 40), piece(200, 300), piece(30, 50), piece(0, 100)]
    matching = {"type": "span", "together": "true"}
    assert hit_vector(truth, parts, matching=matching) == [0, 0, 0, 1, 0]
    assert hit_vector(truth, parts, matching="span") == [0, 0, 0, 0, 1]
    assert hit_vector(truth, [piece(0, 30)] * 5, matching=matching) == [0] * 5


def test_bounds_of_ties_are_not_known_for_results_together() -> None:
    matching = {"type": "span", "together": True}
    with pytest.raises(InputError, match="bounds are not known"):
        evaluate({"q": [[piece(0, 9)]]}, {"q": [piece(0, 9)]}, matching=matching, ties="report")


def test_documents_are_compared_as_text() -> None:
    assert hit_vector([[piece(0, 9, 7)]], [piece(0, 9, "7")], matching="span") == [1]


def test_results_that_are_different_chunks_count_each_in_precision() -> None:
    truth = {"q": [[piece(0, 10)]]}
    run = {"q": [piece(0, 20), piece(0, 30), piece(0, 20), piece(50, 60)]}
    report = evaluate(truth, run, metrics=["precision", "coverage:precision"], matching="span")
    assert dict(report.scores) == {"precision": 0.5, "coverage:precision": 0.25}
    assert report.warnings == ("1 query repeats a relevant result",)


def test_documents_judged_not_relevant_are_found_by_their_ids() -> None:
    truth = {"q": {"ground_truth": [[piece(0, 10)]], "not_relevant": ["50-60"]}}
    run = {"q": [piece(50, 60), piece(0, 10), piece(70, 80)]}
    report = evaluate(truth, run, metrics=["trec:judged@3", "trec:bpref"], matching="span")
    assert report.scores["trec:judged@3"] == pytest.approx(2 / 3)
    assert report.scores["trec:bpref"] == 0.0


@pytest.mark.parametrize(
    ("truth", "result", "message"),
    [
        (["a"], piece(0, 1), 'the alternative "a" has no span'),
        ([piece(0, 1)], "x", 'the result "x" has no span'),
        ([{"id": "a", "document": "d", "start": 0}], piece(0, 1), 'the alternative "a" has no'),
        ([{"id": "a", "document": " ", "start": 0, "end": 2}], piece(0, 1), "has no span"),
        ([{"id": "a", "start": 0, "end": 2}], piece(0, 1), 'the alternative "a" has no span'),
        ([piece(5, 5)], piece(0, 1), "expected an end after the start, got from 5 to 5"),
        ([piece(0, 1)], piece(6, 5), "expected a start before the end, got from 6 to 5"),
    ],
)
def test_what_has_no_span_is_an_error(truth: Any, result: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        evaluate({"q": [truth]}, {"q": [result]}, matching="span")
    assert message in str(error.value)
    assert error.value.problems[0].query == "q"
    with pytest.raises(InputError, match="span"):
        hit_vector([truth], [result], matching="span")


def test_a_report_says_how_results_were_matched() -> None:
    report = evaluate({"q": [[piece(0, 9)]]}, {"q": [piece(0, 9, "e")]}, matching="span")
    assert report.matching == {"type": "span", "threshold": 0.5, "together": False}
    assert str(report.to_markdown()).count("Profile `autorag`, matching `span`; 1 query") == 1
    assert report.render("table").startswith("profile autorag, matching span\n")
    assert "The ground truth has 'd', the results have 'e'" in report.warnings[0]
    assert "matching" not in evaluate({"q": [["a"]]}, {"q": ["a"]}).to_dict()


def test_evidence_says_how_much_is_covered_and_where() -> None:
    rows = read_row([[piece(10, 20)], [piece(0, 100)]], [piece(0, 14), piece(10, 60)])
    (found,) = Matching.parse("span").find_evidence(rows)
    assert [tuple(one) for one in found] == [
        (1, 0, 0, False, "span", 0.4, 10, 14),
        (2, 0, 0, True, "span", 1.0, 10, 20),
        (1, 1, 0, False, "span", 0.14, 0, 14),
        (2, 1, 0, True, "span", 0.5, 10, 60),
    ]
    (found,) = Matching.parse({"type": "span", "together": True}).find_evidence(rows)
    assert [tuple(one) for one in found] == [
        (1, 0, 0, False, "together", 0.4, 10, 14),
        (2, 0, 0, True, "together", 1.0, 10, 20),
        (1, 1, 0, False, "together", 0.14, 0, 14),
        (2, 1, 0, True, "together", 0.6, 10, 60),
    ]


CUTS = st.lists(st.integers(0, 60), min_size=2, max_size=8, unique=True).map(sorted)
RANGES = st.tuples(st.integers(0, 30), st.integers(1, 30)).map(lambda pair: (pair[0], sum(pair)))
THRESHOLDS = st.floats(0.001, 1)


@given(CUTS, st.data(), THRESHOLDS)
def test_chunks_that_do_not_overlap_match_as_their_ids_do(
    cuts: list[int], data: st.DataObject, threshold: float
) -> None:
    parts = [piece(start, end) for start, end in pairwise(cuts)]
    groups = st.lists(st.lists(st.sampled_from(parts), min_size=1, max_size=3), max_size=3)
    truth = data.draw(groups)
    ranking = data.draw(st.lists(st.sampled_from(parts), max_size=6))
    by_span = hit_vector(truth, ranking, matching={"type": "span", "threshold": threshold})
    assert by_span == hit_vector(truth, ranking)


@given(
    st.lists(st.lists(RANGES, min_size=1, max_size=3), min_size=1, max_size=3),
    st.lists(RANGES, max_size=6),
    THRESHOLDS,
    st.booleans(),
)
def test_more_results_never_lose_a_group(
    truth: Any, ranking: Any, threshold: float, together: bool
) -> None:
    groups = [[piece(*span) for span in group] for group in truth]
    matching = {"type": "span", "threshold": threshold, "together": together}
    recalls = [
        evaluate(
            {"q": groups},
            {"q": [piece(*span) for span in ranking[:length]]},
            metrics="recall",
            matching=matching,
        ).scores["recall"]
        or 0.0
        for length in range(len(ranking) + 1)
    ]
    expected = [
        naive_met(truth, ranking[:length], threshold, together=together)
        for length in range(len(ranking) + 1)
    ]
    assert recalls == sorted(recalls) == pytest.approx(expected)


def naive_met(truth: Any, ranking: Any, threshold: float, *, together: bool) -> float:
    read = [{*range(*span)} for span in ranking]
    whole = [set().union(*read)] if together else read
    return sum(
        any(
            (common := len(part.intersection(range(*span))))
            and common / (span[1] - span[0]) >= threshold
            for span in group
            for part in whole
        )
        for group in truth
    ) / len(truth)


@given(
    st.lists(st.lists(RANGES, min_size=1, max_size=3), min_size=1, max_size=3),
    st.lists(RANGES, min_size=1, max_size=6),
    st.integers(1, 6),
)
def test_precision_counts_distinct_results_that_meet_a_group(
    truth: Any, ranking: Any, k: int
) -> None:
    groups = [
        {"alternatives": [piece(*span) for span in group], "label": str(number)}
        for number, group in enumerate(truth)
    ]
    report = evaluate(
        {"q": groups},
        {"q": [piece(*span) for span in ranking]},
        metrics=[f"precision@{k}", f"precision(label=0)@{k}"],
        matching="span",
    )
    chosen = (truth, truth[:1])
    assert [*report.scores.values()] == pytest.approx(
        [
            len({span for span in ranking[:k] if naive_met_any(some, span)}) / len(ranking[:k])
            for some in chosen
        ]
    )


def naive_met_any(truth: Any, span: Any) -> bool:
    return any(naive_met([group], [span], 0.5, together=False) for group in truth)


def test_a_fixture_names_its_matching(tmp_path: Path) -> None:
    fixture = {
        "matching": {"type": "span", "together": True},
        "metrics": ["recall", "span_recall"],
        "queries": [
            {
                "id": "q",
                "ground_truth": [[piece(0, 10)], [piece(90, 100)]],
                "results": [piece(0, 4), piece(4, 6)],
                "expected": {"recall": 0.5, "span_recall": 0.3},
            }
        ],
    }
    path = tmp_path / "fixture.json"
    path.write_text(json.dumps(fixture), "utf-8")
    assert check_fixture(path).ok


@pytest.mark.parametrize("end", [2**53 + 1, 2**63, 2**70])
@pytest.mark.parametrize("side", ["truth", "results"])
def test_offsets_that_no_document_has_are_refused(end: int, side: str) -> None:
    large, small = piece(0, end, id="a"), piece(0, 5, id="b")
    truth, result = (large, small) if side == "truth" else (small, large)
    with pytest.raises(InputError, match="less than or equal to 9007199254740992"):
        evaluate({"q": [[truth]]}, {"q": [result]}, metrics="span_recall", matching="span")


def test_characters_of_an_empty_alternative_are_not_known() -> None:
    truth = {"q": [[piece(5, 5, id="a")]], "p": [[piece(0, 4, id="a")]]}
    run = {query: [piece(0, 9, id="a")] for query in truth}
    report = evaluate(truth, run, metrics=["recall", "span_recall"])
    assert report.per_query["q"] == {"recall": 1.0, "span_recall": None}
    assert "span_recall has no value for 1 query" in report.warnings[0]


def test_overlapping_chunks_of_one_span_gain_once() -> None:
    """Otherwise every chunking with overlap would have an nDCG above 1."""
    truth = {"q": [[piece(0, 10, id="a")]]}
    run = {"q": [piece(0, 8, id="c1"), piece(2, 12, id="c2"), piece(4, 12, id="c3")]}
    scores = evaluate(
        truth, run, metrics=["ndcg", "trec:ndcg", "precision"], matching="span"
    ).scores
    assert scores == {"ndcg": 1.0, "trec:ndcg": 1.0, "precision": 1.0}
