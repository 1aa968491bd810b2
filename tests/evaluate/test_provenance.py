"""Where a report comes from: names, and fingerprints that depend on the content alone."""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import Dataset, Evaluator, Fixture, Report, Run, convert, evaluate
from groupwise.evaluator.matching import QueryMatcher, add_matcher
from groupwise.schemas import Input

TRUTHS: list[dict[str, Any]] = [
    {
        "id": f"q{number}",
        "query": f"which one, {number}?",
        "ground_truth": [[f"a{number}", "b"], ["c"]],
        "metadata": {"type": "bridge", "hops": number % 3},
    }
    for number in range(30)
]
RUN = [{"id": one["id"], "results": ["b", "x", "c"], "scores": [3.0, 2.5, 1.0]} for one in TRUTHS]


def inputs_of(report: Report) -> tuple[Input, ...]:
    assert report.provenance is not None
    return report.provenance.inputs


def print_of(truths: Any, run: Any = RUN, role: str = "ground_truth", **options: Any) -> str:
    report = evaluate(truths, run, metrics="recall", provenance=True, **options)
    assert report.provenance is not None
    found = report.provenance.fingerprint(role)
    assert found is not None
    return found


def print_of_record(**fields: Any) -> str:
    record = {"id": "q0", "ground_truth": [["a", "b"], ["c"]], **fields}
    return print_of([record], {"q0": ["a"]})


def lines(records: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def test_fingerprints_are_null_unless_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "qa.jsonl"
    path.write_text(lines(TRUTHS), "utf-8")
    expected = [
        Input(role="ground_truth", name="qa.jsonl"),
        Input(role="run", name=None),
    ]
    assert list(inputs_of(evaluate(path, RUN))) == expected
    assert list(inputs_of(Evaluator(path).evaluate(RUN))) == expected


def test_the_order_of_records_does_not_matter() -> None:
    shuffled = random.Random(0)  # noqa: S311
    expected = print_of(TRUTHS), print_of(TRUTHS, role="run")
    for _ in range(5):
        truths, run = shuffled.sample(TRUTHS, len(TRUTHS)), shuffled.sample(RUN, len(RUN))
        assert (print_of(truths, run), print_of(truths, run, role="run")) == expected


def test_the_format_does_not_matter(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    paths = [tmp_path / name for name in ("qa.jsonl", "qa.json", "qa.parquet", "qa.jsonl.gz")]
    paths[0].write_text(lines(TRUTHS), "utf-8")
    for path in paths[1:]:
        convert(paths[0], path)
    frame = pa.Table.from_pylist(TRUTHS)
    shapes = [*paths, TRUTHS, Dataset.model_validate(TRUTHS), frame, frame.to_pandas()]
    assert {print_of(shape) for shape in shapes} == {print_of(TRUTHS)}


def test_the_format_of_a_run_does_not_matter(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    source = tmp_path / "run.jsonl"
    source.write_text(lines(RUN), "utf-8")
    paths = [source, *(tmp_path / name for name in ("run.json", "run.parquet", "run.trec"))]
    for path in paths[1:]:
        convert(source, path, role="run", lossy=True)
    frame = pa.Table.from_pylist(RUN)
    shapes = [*paths, RUN, Run.model_validate(RUN), frame, frame.to_pandas()]
    found = {str(shape)[:60]: print_of(TRUTHS, shape, "run") for shape in shapes}
    assert set(found.values()) == {print_of(TRUTHS, role="run")}


def test_a_fixture_has_both_roles_and_the_fingerprints_of_two_files(tmp_path: Path) -> None:
    both = [truth | run for truth, run in zip(TRUTHS, RUN, strict=True)]
    path = tmp_path / "fixture.json"
    path.write_text(json.dumps({"name": "f", "corpus": "gw2:3:00", "queries": both}), "utf-8")
    expected = (print_of(TRUTHS), print_of(TRUTHS, role="run"))
    for shape, name in (
        (path, "fixture.json"),
        (both, None),
        (Fixture.model_validate({"queries": both}), None),
    ):
        found = inputs_of(evaluate(shape, provenance=True))
        assert tuple(given.fingerprint for given in found[:2]) == expected
        assert [given.name for given in found[:2]] == [name] * 2
    corpus = inputs_of(evaluate(path, provenance=True))[2]
    assert corpus == Input(role="corpus", fingerprint="gw2:3:00")


@pytest.mark.parametrize("late", [False, True])
def test_the_corpus_of_a_fixture_is_found_before_and_after_its_queries(
    tmp_path: Path, late: bool
) -> None:
    queries = [{"id": "q", "ground_truth": [["a"]], "results": ["a"], "corpus": "gw2:1:aa"}]
    head = {"corpus": "gw2:2:bb", "profile": "coverage"}
    fields = {"queries": queries, **head} if late else {**head, "queries": queries}
    path = tmp_path / "fixture.json"
    path.write_text(json.dumps(fields), "utf-8")
    found = [given.fingerprint for given in inputs_of(evaluate(path, provenance=True))[2:]]
    assert found == ["gw2:1:aa", "gw2:2:bb"]
    assert inputs_of(evaluate(path))[2:] == ()


@pytest.mark.parametrize(
    "same",
    [
        {"ground_truth": [["c"], ["b", "a"]]},
        {"ground_truth": [{"alternatives": ["a", {"id": "b", "grade": 1.0}]}, {"c": 1}]},
        {"ground_truth": [{"alternatives": ["a", "b"], "weight": 1.0, "label": None}, ["c"]]},
        {"ground_truth": [["a", {"id": "b", "text": "a text, which ids stand for"}], ["c"]]},
        {"hashes": {"a": "0" * 20}, "corpus": "gw2:3:00", "generation_gt": ["an answer"]},
        {"metadata": {}},
        {"metadata": {"type": None}},
        {"not_relevant": []},
        {"query": None},
    ],
)
def test_the_way_of_writing_does_not_matter(same: dict[str, Any]) -> None:
    assert print_of_record(**same) == print_of_record()


CHANGES: list[dict[str, Any]] = [
    {},
    {"ground_truth": [["a", "b"], ["d"]]},
    {"ground_truth": [["a", "b", "c"]]},
    {"ground_truth": [["a"], ["b", "c"]]},
    {"ground_truth": [["a", "b"], ["c"], ["c"]]},
    {"ground_truth": [["a", {"id": "b", "grade": 2}], ["c"]]},
    {"ground_truth": [["a", "b"], {"alternatives": ["c"], "weight": 2.0}]},
    {"ground_truth": [["a", "b"], {"alternatives": ["c"], "label": "hop-1"}]},
    {"ground_truth": [["a", "b"], {"alternatives": ["c"], "label": "2.0"}]},
    {"not_relevant": ["x"]},
    {"not_relevant": ["x", "y"]},
    {"query": "a text"},
    {"query": "a Text"},
    {"metadata": {"type": "bridge"}},
    {"metadata": {"type": "Bridge"}},
    {"metadata": {"hops": 2}},
    {"metadata": {"hops": "2"}},
    {"metadata": {"hops": [2]}},
    {"metadata": {"hops": True}},
]


def test_every_change_of_the_content_changes_it() -> None:
    prints = [print_of_record(**change) for change in CHANGES]
    assert len(set(prints)) == len(CHANGES)
    assert print_of([{"id": "other", "ground_truth": [["a"]]}], {"other": ["a"]}) not in prints


def test_every_change_of_a_run_changes_its_fingerprint() -> None:
    runs: list[dict[str, Any]] = [
        {"results": ["a", "b"]},
        {"results": ["b", "a"]},
        {"results": ["a"]},
        {"results": []},
        {"results": ["a", "b"], "scores": [2.0, 1.0]},
        {"results": ["a", "b"], "scores": [2.0, 1.5]},
        {"results": [{"id": "a", "tokens": 3}, {"id": "b", "tokens": 4}]},
    ]
    truths = {"q": [["a"]]}
    prints = [print_of(truths, [{"id": "q", **run}], "run") for run in runs]
    assert len(set(prints)) == len(runs)
    results = [{"id": "a", "score": 2}, {"id": "b", "score": 1}]
    assert print_of(truths, [{"id": "q", "results": results}], "run") == prints[4]


def test_a_grade_of_zero_is_a_document_that_is_not_relevant() -> None:
    graded = print_of_record(ground_truth=[["a", "b", {"id": "x", "grade": 0}], ["c"]])
    assert graded == print_of_record(not_relevant=["x"])


def test_texts_have_one_identity() -> None:
    composed, decomposed = "caf\u00e9  au\nlait", "cafe\u0301 au lait "
    assert print_of_record(query=composed) == print_of_record(query=decomposed)


def test_numbers_as_ids_have_the_fingerprint_of_their_text() -> None:
    numbers, texts = {"q": [[1, 2]]}, {"q": [["1", "2"]]}
    assert print_of(numbers, {"q": [1]}) == print_of(texts, {"q": ["1"]})
    assert print_of(numbers, {"q": [1]}) == print_of(numbers, {"q": ["1"]}, ids="text")


@pytest.mark.usefixtures("nothing_added")
def test_texts_of_documents_count_where_they_are_matched() -> None:
    class SameText(QueryMatcher):
        needs_references = True

        def match(self, groups: Any, results: Any) -> Any:
            return ()

    add_matcher("provenance_text", SameText)
    texts = [
        [{"id": "q", "ground_truth": [[{"id": "a", "text": text}]]}] for text in ("one", "two")
    ]
    by_id = {print_of(truth, {"q": ["a"]}) for truth in texts}
    by_text = {print_of(truth, {"q": ["a"]}, matching="provenance_text") for truth in texts}
    assert (len(by_id), len(by_text)) == (1, 2)


@pytest.mark.parametrize("odd", ["\ud800", "\0", "a\u202eb", "\u2028", '"', "é" * 300])
def test_hostile_text_has_a_fingerprint(odd: str) -> None:
    prints = {
        print_of([{"id": f"q{odd}", "ground_truth": [[f"d{odd}"]]}], {f"q{odd}": ["a"]}),
        print_of_record(ground_truth=[[f"d{odd}", "b"]]),
        print_of_record(metadata={f"k{odd}": [odd, {odd: odd}]}),
        print_of_record(metadata={f"k{odd}": 2**63}),
    }
    assert len(prints) == 4


def test_a_report_names_no_path_and_no_time(tmp_path: Path) -> None:
    folder = tmp_path / "secret folder"
    folder.mkdir()
    path = folder / "qa\x1b[31m.jsonl"
    path.write_text(lines(TRUTHS), "utf-8")
    report = evaluate(path, RUN, provenance=True)
    assert inputs_of(report)[0].name == "qa\x1b[31m.jsonl"
    assert "secret" not in report.to_json()
    assert "\x1b" not in report.to_json()
    assert report.to_json() == evaluate(os.fspath(path), RUN, provenance=True).to_json()


def test_the_policies_and_the_matching_are_those_that_were_used() -> None:
    report = evaluate({"q": ["a", "b"]}, {"q": ["a"]}, profile="trec", missing="skip")
    assert report.provenance is not None
    assert (report.provenance.policies.flat, report.provenance.policies.missing) == ("any", "skip")
    assert report.provenance.matching == {"type": "exact"}


def test_the_output_of_a_retriever_has_the_fingerprint_of_the_same_run() -> None:
    report = evaluate(TRUTHS, retriever=lambda _text: ["b", "x"], provenance=True)
    same = print_of(TRUTHS, {one["id"]: ["b", "x"] for one in TRUTHS}, "run")
    assert [given.fingerprint for given in inputs_of(report)] == [print_of(TRUTHS), same]


def test_lists_are_fingerprinted_with_their_positions() -> None:
    truths, results = [[["a"]], [["b"]]], [["a"], ["b"]]
    found = inputs_of(evaluate(truths, results, provenance=True))
    assert found[0].fingerprint == print_of({"0": [["a"]], "1": [["b"]]}, {"0": [], "1": []})


SCRIPT = """
import sys
from tests.evaluate.test_provenance import print_of
hard = [{"id": "q", "ground_truth": [["a", "b"], {"z": 2, "y": 1}, {"x", "w"}],
         "metadata": {"b": 1, "a": {"d": 2, "c": 3}}}]
print(print_of(hard, {"q": ["a"]}))
"""


IDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=3).filter(str.strip)
GROUPS = st.lists(st.lists(IDS, min_size=1, max_size=3), min_size=1, max_size=3)


@given(st.dictionaries(IDS, GROUPS, min_size=1, max_size=6), st.randoms())
def test_any_order_of_anything_unordered(truths: Any, source: random.Random) -> None:
    run = {query: ["x"] for query in truths}
    pairs = source.sample(list(truths.items()), len(truths))
    shuffled = {
        query: [source.sample(group, len(group)) for group in source.sample(groups, len(groups))]
        for query, groups in pairs
    }
    assert print_of(truths, run) == print_of(shuffled, run)
