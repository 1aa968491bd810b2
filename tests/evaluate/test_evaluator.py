"""One ground truth, many runs: every report is that of ``evaluate``, to the last byte."""

import inspect
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import Dataset, Evaluator, Fixture, InputError, Run, UnknownMetric, evaluate
from tests.comparing import without_names
from tests.strategies import CASES, FEWER, Case

TRUTH = [["a", "b"], ["c"]]
TRUTHS = {"q1": TRUTH, "q2": [["d"]], "q3": [["e"]], "q4": []}
RUNS: list[dict[str, list[str]]] = [
    {"q1": ["a", "x", "c"], "q2": ["d"], "q3": ["y", "e"], "q4": ["a"]},
    {"q3": ["e"], "q1": ["c", "b"], "q2": []},
    {"q2": ["d"], "extra": ["d"], "q1": ["x"]},
]
Queries = dict[str, Any]


def queries(cases: list[Case], source: random.Random) -> tuple[Queries, list[Queries]]:
    """Ground truths, and runs in their order and in others, with queries missing and extra."""
    truths = {f"q{number}": case.truth for number, case in enumerate(cases)} | {"none": []}
    ranked = {f"q{number}": case.ranking for number, case in enumerate(cases)}
    shuffled = dict(source.sample(list(ranked.items()), len(ranked)))
    partly = {query: ranking for query, ranking in ranked.items() if source.random() < 0.6}
    return truths, [ranked, shuffled, partly | {"none": [], "extra": ["a"]}]


@FEWER
@given(
    cases=st.lists(CASES, min_size=1, max_size=8),
    source=st.randoms(use_true_random=False),
    missing=st.sampled_from(["zero", "skip"]),
    per_query=st.booleans(),
)
def test_every_report_is_that_of_evaluate(
    cases: list[Case],
    source: random.Random,
    missing: Any,
    per_query: bool,
) -> None:
    truths, runs = queries(cases, source)
    options: Any = {
        "metrics": ["recall@2", "trec:map", "coverage:ndcg", "first_hit"],
        "missing": missing,
        "per_query": per_query,
    }
    evaluator = Evaluator(truths, **options)
    for run in (*runs, runs[0]):
        assert evaluator.evaluate(run).to_json() == evaluate(truths, run, **options).to_json()


def test_it_takes_what_evaluate_takes() -> None:
    of_evaluator = dict(inspect.signature(Evaluator).parameters)
    of_evaluate = dict(inspect.signature(evaluate).parameters)
    for name in ("results", "retriever", "workers", "timeout", "save_baseline"):
        del of_evaluate[name]
    assert list(of_evaluator.values()) == list(of_evaluate.values())


def write_lines(path: Path, queries: Queries, field: str) -> Path:
    lines = [json.dumps({"id": query, field: value}) for query, value in queries.items()]
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize("shape", ["objects", "lines", "document", "model", "records", "frame"])
def test_ground_truth_in_any_shape(shape: str, tmp_path: Path) -> None:
    records = [{"id": query, "ground_truth": truth} for query, truth in TRUTHS.items()]
    document = tmp_path / "truth.json"
    document.write_text(json.dumps(TRUTHS))
    shapes: dict[str, Any] = {
        "objects": TRUTHS,
        "lines": write_lines(tmp_path / "truth.jsonl", TRUTHS, "ground_truth"),
        "document": document,
        "model": Dataset.model_validate(TRUTHS),
        "records": records,
        "frame": None,
    }
    if shape == "frame":
        pa = pytest.importorskip("pyarrow")
        shapes["frame"] = pa.Table.from_pylist(records)
    evaluator = Evaluator(shapes[shape], provenance=True)
    for run in RUNS:
        report = evaluate(shapes[shape], run, provenance=True)
        assert evaluator.evaluate(run).to_json() == report.to_json()
        assert evaluator.evaluate(Run.model_validate(run)).to_json() == report.to_json()
        lines = write_lines(tmp_path / "run.jsonl", run, "results")
        if run:
            assert without_names(evaluator.evaluate(lines)) == without_names(report)


def test_lists_are_paired_by_their_order() -> None:
    evaluator = Evaluator([TRUTH, [["d"]]], metrics="recall")
    assert evaluator.evaluate([["a"], ["d"]]).scores == {"recall": 0.75}
    assert evaluator.evaluate([["a", "c"], ["d"]]).scores == {"recall": 1.0}
    with pytest.raises(InputError, match="2 ground truths and 1 result;"):
        evaluator.evaluate([["a"]])


def test_a_run_without_ids_is_in_the_order_of_the_ground_truth(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import parquet, table  # noqa: PLC0415

    parquet.write_table(table({"retrieved_ids": [["a"], ["d"]]}), tmp_path / "run.parquet")
    parquet.write_table(table({"retrieved_ids": [["a"]]}), tmp_path / "short.parquet")
    truths = {"q1": TRUTH, "q2": [["d"]]}
    evaluator = Evaluator(truths, metrics="recall")
    for _ in range(2):
        report = evaluator.evaluate(tmp_path / "run.parquet")
        expected = evaluate(truths, tmp_path / "run.parquet", metrics="recall")
        assert report.to_json() == expected.to_json()
        assert report.scores == {"recall": 0.75}
    with pytest.raises(InputError, match="1 row without query ids for 2 queries"):
        evaluator.evaluate(tmp_path / "short.parquet")


def test_a_fixture_is_ground_truth_for_other_results() -> None:
    query = {"id": "q1", "ground_truth": TRUTH, "results": ["a", "c"]}
    fixture = Fixture.model_validate({"queries": [query], "profile": "coverage"})
    run = {"q1": ["c"]}
    report = Evaluator(fixture).evaluate(run)
    assert report.scores["recall"] == 0.5
    assert report.to_json() == evaluate(fixture, run).to_json()


def test_the_ground_truth_is_read_once(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "truth.jsonl", TRUTHS, "ground_truth")
    evaluator = Evaluator(path)
    expected = evaluate(path, RUNS[0]).to_json()
    path.unlink()
    assert evaluator.evaluate(RUNS[0]).to_json() == expected


def test_unsound_ground_truth_is_refused_at_once(tmp_path: Path) -> None:
    records = [{"id": "q1", "ground_truth": TRUTH}, {"id": "q1", "ground_truth": [[""]]}]
    with pytest.raises(InputError) as error:
        Evaluator(records)
    assert error.value.count == 1
    with pytest.raises(InputError, match="the query id is repeated"):
        Evaluator(records[:1] * 2)
    with pytest.raises(InputError, match="no such file"):
        Evaluator(tmp_path / "none.jsonl")
    with pytest.raises(UnknownMetric, match="did you mean"):
        Evaluator(TRUTHS, metrics="recal")


def test_an_unsound_run_is_refused_and_the_next_one_is_scored() -> None:
    evaluator = Evaluator(TRUTHS)
    for run in ({"q1": [""]}, {"q1": [1, 2]}, [{"id": "q1", "results": ["a"]}] * 2):
        with pytest.raises(InputError) as found:
            evaluator.evaluate(run)
        with pytest.raises(InputError) as expected:
            evaluate(TRUTHS, run)
        assert str(found.value) == str(expected.value)
    assert evaluator.evaluate(RUNS[0]).to_json() == evaluate(TRUTHS, RUNS[0]).to_json()


@pytest.mark.parametrize("policy", ["missing", "extra", "unanswerable"])
def test_policies_hold_for_every_run(policy: str) -> None:
    evaluator = Evaluator(TRUTHS, **{policy: "error"})  # type: ignore[arg-type]
    with pytest.raises(InputError) as found:
        evaluator.evaluate(RUNS[2])
    with pytest.raises(InputError) as expected:
        evaluate(TRUTHS, RUNS[2], **{policy: "error"})  # type: ignore[arg-type]
    assert str(found.value) == str(expected.value)


def test_warnings_of_reading_are_those_of_evaluate(tmp_path: Path) -> None:
    for name, queries, field in (("t", TRUTHS, "ground_truth"), ("r", RUNS[0], "results")):
        path = write_lines(tmp_path / f"{name}.jsonl", queries, field)
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    truth, run = tmp_path / "t.jsonl", tmp_path / "r.jsonl"
    report = Evaluator(truth).evaluate(run)
    assert len([warning for warning in report.warnings if "byte order mark" in warning]) == 2
    assert report.warnings == evaluate(truth, run).warnings
