"""Candidates from runs: who is one, and how much a verdict could change, beside a naive oracle."""

import json
import random
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from groupwise import InputError, OptionError, UnknownMetric, suggest
from groupwise.schemas.judging import Sheet
from tests import oracle

DOCUMENTS = [f"d{number}" for number in range(7)]
RANKINGS = st.lists(st.sampled_from(DOCUMENTS), max_size=6)
GROUPS = st.lists(
    st.lists(st.sampled_from(DOCUMENTS[:4]), min_size=1, max_size=2, unique=True),
    min_size=1,
    max_size=3,
)


def change_of(row: Any) -> float:
    """The change that the words of a row say."""
    if "would not change" in row.why:
        return 0.0
    return float(row.why.rpartition(" by ")[2])


def worth(metric: str, groups: list[list[str]], ranking: list[str], k: int) -> float:
    truth = [oracle.Group([(one, 1.0) for one in group]) for group in groups]
    return oracle.value(f"autorag:{metric}", truth, ranking, k) or 0.0


def largest_change(
    metric: str, groups: list[list[str]], candidate: str, rankings: list[list[str]], k: int
) -> float:
    """Try every group and every pair of runs."""
    sizes = []
    for number in range(len(groups)):
        more = [
            [*group, candidate] if place == number else group for place, group in enumerate(groups)
        ]
        changes = [
            worth(metric, more, ranking, k) - worth(metric, groups, ranking, k)
            for ranking in rankings
        ]
        if len(rankings) == 1:
            sizes.append(abs(changes[0]))
        sizes += [abs(one - other) for one, other in permutations(changes, 2)]
    return max(sizes)


@settings(max_examples=60)
@given(
    st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), GROUPS, min_size=1),
    st.lists(st.dictionaries(st.sampled_from(["q1", "q2", "q3", "q4"]), RANKINGS), min_size=1,
             max_size=3),
    st.sampled_from(["ndcg", "recall", "mrr", "precision", "map"]),
    st.integers(1, 5),
    st.randoms(),
)  # fmt: skip
def test_the_order_and_the_changes_are_those_of_the_oracle(
    truth: dict[str, Any], runs: list[Any], metric: str, depth: int, chance: random.Random
) -> None:
    assume(all(run.keys() & truth.keys() for run in runs))
    named = {f"run{number}": run for number, run in enumerate(runs)}
    sheet = suggest(truth, run=named, metric=f"{metric}@{depth}", depth=depth)
    expected = {}
    for query, groups in truth.items():
        rankings = [run.get(query, []) for run in runs]
        listed = {one for group in groups for one in group}
        for candidate in {one for ranking in rankings for one in ranking[:depth]} - listed:
            size = largest_change(metric, groups, candidate, rankings, depth)
            expected[query, candidate] = size
    found = {(row.query, row.candidate): abs(change_of(row)) for row in sheet}
    assert found.keys() == expected.keys()
    for key, size in expected.items():
        assert found[key] == pytest.approx(size, rel=1e-3, abs=1e-9)
    sizes = [round(expected[row.query, str(row.candidate)], 9) for row in sheet]
    assert sizes == sorted(sizes, reverse=True)
    shuffled = dict(chance.sample(sorted(truth.items()), len(truth)))
    turned = dict(reversed(named.items()))
    assert suggest(shuffled, run=turned, metric=f"{metric}@{depth}", depth=depth) == sheet


TRUTH = {"q1": [["a"], ["b"]], "q2": [["c"]]}
OLD = {"q1": ["a", "x", "b"], "q2": ["c", "y"]}
NEW = {"q1": ["z", "a", "x"], "q2": ["y", "c"]}


def ids(sheet: Sheet) -> list[tuple[str, Any, int | None]]:
    return [(row.query, row.candidate, row.group) for row in sheet]


def test_the_words_say_ranks_and_what_could_change() -> None:
    """With x or z in the second group, new meets both groups: 1/2 more; old meets them anyway."""
    sheet = suggest(TRUTH, run={"old": OLD, "new": NEW}, metric="recall", depth=3)
    assert [row.candidate for row in sheet] == ["x", "z", "y"]
    assert sheet.rows[1].why == (
        "unjudged at rank 1 in new, not in the first 3 of old; "
        "a yes in group 2 would change recall of new - old by +0.5"
    )
    assert sheet.rows[-1].why == (
        "unjudged at rank 1 in new, 2 in old; a yes would not change the comparison"
    )


def test_only_the_group_of_a_query_with_one_is_filled_in() -> None:
    found = ids(suggest(TRUTH, run={"old": OLD, "new": NEW}))
    assert {*found} == {("q1", "x", None), ("q1", "z", None), ("q2", "y", 0)}


def test_results_that_are_judged_are_no_candidates() -> None:
    judged = [{"id": "q1", "ground_truth": [["a", {"id": "x", "grade": 0}]], "not_relevant": ["z"]}]
    assert ids(suggest(judged, run={"old": OLD, "new": NEW})) == [("q1", "b", 0)]


def test_limits_and_the_number_of_runs() -> None:
    runs = {"old": OLD, "new": NEW}
    assert {row.candidate for row in suggest(TRUTH, run=runs, min_runs=2)} == {"x", "y"}
    assert len(suggest(TRUTH, run=runs, limit=1)) == 1
    one_each = suggest(TRUTH, run=runs, limit_per_query=1)
    assert sorted(row.query for row in one_each) == ["q1", "q2"]
    assert one_each.counts == {"corpus": 0, "runs": 3, "left_out": 1}
    assert {row.candidate for row in suggest(TRUTH, run=runs, depth=1)} == {"z", "y"}


def test_missing_empty_repeated_and_unanswerable_queries() -> None:
    truth = [
        {"id": "q1", "ground_truth": [["a"]]},
        {"id": "q2", "ground_truth": [["b"]]},
        {"id": "q3", "answerable": False},
    ]
    runs = {"one": {"q1": ["x", "x", "a"], "q9": ["k"]}, "two": {"q2": [], "q3": ["m"]}}
    sheet = suggest(truth, run=runs)
    assert ids(sheet) == [("q1", "x", 0)]
    assert "rank 1 in one" in sheet.rows[0].why
    assert sheet.warnings == (
        "skipped 1 query without groups to add to",
        "run 'one': no results for 1 query",
        "run 'two': no results for 1 query",
    )


def test_the_trec_profile_ranks_by_score() -> None:
    run = {"q1": {"results": ["a", "x", "y"], "scores": [1, 2, 3]}}
    found = suggest({"q1": [["a"]]}, run={"r": run}, profile="trec", depth=1)
    assert [(row.candidate, row.why[:27]) for row in found] == [
        ("y", "unjudged at rank 1 in r; a ")
    ]


def test_results_that_meet_a_group_by_another_matcher_are_no_candidates() -> None:
    run = {"q1": ["A", "x"]}
    plain = suggest({"q1": [["a"]]}, run={"r": run})
    folded = suggest(
        {"q1": [["a"]]}, run={"r": run}, matching={"type": "normalised", "case": "fold"}
    )
    assert {row.candidate for row in plain} == {"A", "x"}
    assert {row.candidate for row in folded} == {"x"}


def test_matching_by_span_looks_at_spans() -> None:
    place = {"document": "d", "start": 0, "end": 10}
    truth = [{"id": "q1", "ground_truth": [[{"id": "a", **place}], [{"id": "b", **place}]]}]
    results = [
        {"id": "n1", "document": "d", "start": 0, "end": 8},
        {"id": "n2", "document": "d", "start": 50, "end": 60, "text": "other"},
    ]
    run = [{"id": "q1", "results": results}]
    sheet = suggest(truth, run={"r": run}, matching="span", metric="recall@5")
    assert [(row.candidate, row.text) for row in sheet] == [("n2", "other")]
    with pytest.raises(InputError, match="has no span"):
        suggest(truth, run={"r": {"q1": ["n1"]}}, matching="span")


def test_ids_alone_are_looked_up_in_the_corpus() -> None:
    """n1 covers what a covers; n2 is elsewhere; nobody knows where n3 is."""
    corpus = [
        {"id": "a", "document": "d", "start": 0, "end": 10, "text": "0123456789"},
        {"id": "n1", "document": "d", "start": 0, "end": 8, "text": "01234567"},
        {"id": "n2", "document": "d", "start": 50, "end": 60, "text": "abcdefghij"},
    ]
    run = {"q1": ["n3", "n1", "n2"]}
    sheet = suggest({"q1": [["a"]]}, corpus=corpus, run={"r": run}, matching="span", threshold=1)
    assert [row.candidate for row in sheet] == ["n2"]
    with pytest.raises(InputError, match="is not in the corpus"):
        suggest({"q1": [["b"]]}, corpus=corpus, run={"r": run}, matching="span")


def test_texts_come_from_the_corpus_or_the_run() -> None:
    run = [{"id": "q2", "results": [{"id": "x", "text": "of the run"}, "y"]}]
    sheet = suggest({"q2": [["c"]]}, run={"r": run}, corpus={"y": "of the corpus", "k": "other"})
    assert {row.candidate: row.text for row in sheet} == {"x": "of the run", "y": "of the corpus"}


def test_weights_grades_and_labels_are_kept_in_hypotheses() -> None:
    """recall by weight: 3 of 4 for the first group; the second would add 1/4."""
    groups = [{"alternatives": [{"id": "a", "grade": 2}], "weight": 3, "label": "x"}, ["b"]]
    run = {"q1": ["a", "z"]}
    sheet = suggest([{"id": "q1", "ground_truth": groups}], run={"r": run}, metric="recall@2")
    assert sheet.rows[0].why.endswith("a yes in group 2 would change recall@2 of r by +0.25")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({}, OptionError, "expected a corpus, a run, or both"),
        ({"run": {}}, OptionError, "expected a corpus, a run, or both"),
        ({"run": 3}, OptionError, "run: expected a path, a Run, or runs by name"),
        ({"run": {"": OLD}}, OptionError, "expected a name for each run"),
        ({"run": {"a": OLD}, "metric": "ndgc"}, UnknownMetric, "did you mean 'ndcg'"),
        ({"run": {"a": OLD}, "metric": "first_hit"}, OptionError, "is a rank"),
        ({"run": {"a": OLD}, "metric": "recall@200t"}, OptionError, "needs tokens or vectors"),
        ({"run": {"a": OLD}, "metric": "ild@5"}, OptionError, "needs tokens or vectors"),
        ({"run": {"a": OLD}, "depth": 0}, OptionError, "depth: expected a whole number from 1"),
        ({"run": {"a": OLD}, "limit": -1}, OptionError, "limit: expected a whole number from 1"),
        ({"run": {"a": OLD}, "threshold": 0}, OptionError, "threshold: expected a number above 0"),
        ({"run": {"a": {"q1": [1]}}}, InputError, "run 'a'"),
        ({"run": {"a": {"q1": "x"}}}, InputError, "run 'a'"),
        ({"run": {"a": {"Q1": ["x"]}}}, InputError, "they differ by case: 'q1' and 'Q1'"),
        ({"run": OLD}, InputError, "run 'q1'"),
        ({"corpus": {"a": None}}, InputError, "the corpus has no texts"),
        ({"corpus": [{"id": 1, "text": "x"}]}, InputError, "ids='text'"),
    ],
)
def test_what_is_not_accepted(options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message.replace("(", r"\(")):
        suggest(TRUTH, **options)


def test_a_path_is_a_run_under_its_own_name(tmp_path: Path) -> None:
    path = tmp_path / "dense.v2.jsonl"
    path.write_text(json.dumps({"id": "q2", "results": ["y"]}) + "\n")
    assert "rank 1 in dense" in suggest({"q2": [["c"]]}, run=path).rows[0].why
