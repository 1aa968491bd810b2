"""Spans and texts together with comparisons, power, gates, baselines, slices and provenance."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groupwise import (
    Evaluator,
    InputError,
    OptionError,
    check_fixture,
    compare,
    evaluate,
    power,
)
from groupwise.evaluator.cli import run

QUERIES = 12
COVERED = 8
SPAN = {"type": "span", "threshold": 0.5, "together": False}
SCORES = {"good": 11 / 12, "half": 8 / 12}
CHARACTERS = {"good": 11 / 12, "half": 4 / 12}
"""Of one group per query: all but the first in full; the first 8 by half."""


def piece(name: str, start: int, end: int) -> dict[str, Any]:
    text = " ".join(f"w{word}" for word in range(start, end))
    return {"id": name, "document": "d", "start": start, "end": end, "text": text}


def gold(number: int) -> dict[str, Any]:
    return piece(f"gold-{number}", 100 * number, 100 * number + 50)


TRUTHS: list[dict[str, Any]] = [
    {
        "id": f"q{number:02}",
        "ground_truth": [[gold(number)]],
        "metadata": {"type": "late" if number >= COVERED else "early"},
    }
    for number in range(QUERIES)
]


def run_of(name: str, width: int, found: Callable[[int], bool]) -> list[dict[str, Any]]:
    starts = [100 * number if found(number) else 9000 for number in range(QUERIES)]
    return [
        {"id": truth["id"], "results": [piece(f"{name}-{number}", start, start + width)]}
        for number, (truth, start) in enumerate(zip(TRUTHS, starts, strict=True))
    ]


RUNS = {
    "good": run_of("good", 50, lambda number: number > 0),
    "half": run_of("half", 25, lambda number: number < COVERED),
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, records in {"qa": TRUTHS, **RUNS}.items():
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")
    return tmp_path


def test_runs_are_compared_by_span() -> None:
    found = compare(TRUTHS, RUNS, metrics=["recall", "span_recall"], matching="span", by="type")
    for metric, means in (("recall", SCORES), ("span_recall", CHARACTERS)):
        assert {run: scores[metric].mean for run, scores in found.runs.items()} == pytest.approx(
            means
        )
    recall, characters = found.pairs
    assert (recall.wins, recall.ties, recall.losses) == (1, 7, 4)
    assert (characters.wins, characters.ties, characters.losses) == (1, 0, 11)
    late = found.slices["type"]["late"].runs
    assert [late[run]["recall"].mean for run in ("good", "half")] == [1.0, 0.0]
    assert found.provenance is not None
    assert found.provenance.matching == SPAN


@pytest.mark.parametrize(
    ("matching", "expected"),
    [
        ("text", [11 / 12, 0.0]),
        ({"type": "text", "threshold": 0.4}, [11 / 12, 8 / 12]),
        ({"type": "normalised", "pattern": "^[a-z]+-"}, [1.0, 1.0]),
    ],
)
def test_runs_are_compared_by_text_and_by_normalised_id(matching: Any, expected: Any) -> None:
    found = compare(TRUTHS, RUNS, metrics="recall", matching=matching)
    assert [found.runs[run]["recall"].mean for run in ("good", "half")] == pytest.approx(expected)


def test_power_looks_at_spans() -> None:
    found = power(TRUTHS, RUNS, metrics=["recall", "span_recall"], matching="span")
    observed = {name: metric.observed for name, metric in found.metrics.items()}
    assert observed == pytest.approx({"recall": -3 / 12, "span_recall": -7 / 12})
    assert found.provenance is not None
    assert found.provenance.matching == SPAN


def test_gates_judge_metrics_of_spans_and_their_slices() -> None:
    gates = ["span_recall >= 0.3", "type=late: recall >= 0.1", "lower(span_recall) >= 0.3"]
    report = evaluate(TRUTHS, RUNS["half"], metrics="recall", matching="span", gates=gates)
    assert [gate.passed for gate in report.gates] == [True, False, False]
    assert [gate.value for gate in report.gates[:2]] == pytest.approx([4 / 12, 0.0])
    assert [gate.ceiling for gate in report.gates] == [None] * 3


def test_ceilings_are_known_for_exact_ids_only() -> None:
    for matching in ("normalised", "span", "text"):
        with pytest.raises(OptionError, match="ceilings: with the matcher"):
            evaluate(TRUTHS, RUNS["good"], matching=matching, ceilings=True)
    report = evaluate(TRUTHS, RUNS["good"], metrics=["recall@1", "span_recall"], ceilings=True)
    assert report.ceilings == {"recall@1": 1.0}


@pytest.mark.parametrize(
    "kind", [evaluate, lambda truth, run, **o: Evaluator(truth, **o).evaluate(run)]
)
def test_a_baseline_knows_how_results_were_matched(tmp_path: Path, kind: Any) -> None:
    path = tmp_path / "baseline.json"
    metrics = ["recall", "span_recall"]
    evaluate(TRUTHS, RUNS["good"], metrics=metrics, matching="span", save_baseline=path)
    given = {"metrics": metrics, "baseline": path, "gates": ["span_recall >= baseline - 0.1"]}
    report = kind(TRUTHS, RUNS["half"], matching="span", **given)
    assert not report.passed
    assert report.gates[0].bound == pytest.approx(11 / 12 - 0.1)
    with pytest.raises(InputError) as refused:
        kind(TRUTHS, RUNS["half"], matching={"type": "span", "threshold": 0.9}, **given)
    assert "the matching is" in str(refused.value)
    with pytest.raises(InputError, match="the ground truth is not that of the baseline"):
        kind(moved(TRUTHS), RUNS["half"], matching="span", **given)


def test_another_matcher_does_not_make_the_ground_truth_another_one(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    evaluate(TRUTHS, RUNS["good"], metrics="recall", matching="span", save_baseline=path)
    with pytest.raises(InputError) as refused:
        evaluate(TRUTHS, RUNS["good"], metrics="recall", baseline=path)
    assert "the matching is {'type': 'exact'}" in str(refused.value)
    assert "ground truth" not in str(refused.value)
    with pytest.raises(InputError, match="11 queries, and there 12 queries"):
        evaluate(TRUTHS[1:], RUNS["good"], metrics="recall", baseline=path)


def test_an_explanation_goes_with_gates_and_a_baseline(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    evaluate(TRUTHS, RUNS["good"], metrics="recall", matching="span", save_baseline=path)
    report = evaluate(
        TRUTHS, RUNS["half"], metrics="recall", matching="span", by="type", confidence=0.9,
        baseline=path, gates=["recall >= baseline"], explain=2,
    )  # fmt: skip
    assert not report.passed
    assert [*report.explanation.queries] == ["q08", "q09"]
    assert report.explain("q11").queries["q11"].groups[0].reason == "not_retrieved"
    assert report.explain("q00").queries["q00"].groups[0].by == "half-0"


@pytest.mark.parametrize("matching", ["span", "text"])
def test_a_fresh_run_is_checked_with_the_matching_of_the_fixture(
    files: Path, matching: str
) -> None:
    queries = [
        {**truth, "results": found["results"]}
        for truth, found in zip(TRUTHS, RUNS["good"], strict=True)
    ]
    expected = {"recall": {"value": 11 / 12, "tolerance": 1e-9}, "span_recall": ">= 0.9"}
    fixture = {
        "matching": {"type": matching}, "metrics": ["recall", "span_recall"],
        "expected": expected, "queries": queries,
    }  # fmt: skip
    (files / "fixture.json").write_text(json.dumps(fixture), "utf-8")
    assert not check_fixture("fixture.json").differences
    assert not check_fixture("fixture.json", run="good.jsonl").differences
    found = check_fixture("fixture.json", run="half.jsonl").differences
    assert {each.metric: each.found for each in found} == pytest.approx(
        {"recall": 8 / 12 if matching == "span" else 0.0, "span_recall": 4 / 12}
    )


def moved(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the records with other spans, and nothing else changed."""
    found = copy.deepcopy(records)
    for record in found:
        for each in record.get("results") or record["ground_truth"][0]:
            each["end"] -= 1
    return found


def reworded(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the records with other texts, and nothing else changed."""
    found = copy.deepcopy(records)
    for record in found:
        for each in record.get("results") or record["ground_truth"][0]:
            each["text"] += " more"
    return found


def prints(truths: Any, run: Any, **options: Any) -> tuple[str | None, str | None]:
    report = evaluate(truths, run, provenance=True, **{"metrics": "recall", **options})
    assert report.provenance is not None
    return report.provenance.fingerprint("ground_truth"), report.provenance.fingerprint("run")


@pytest.mark.parametrize("change", [moved, reworded])
@pytest.mark.parametrize("matching", ["exact", "normalised", "span", "text"])
def test_spans_are_content_and_texts_are_where_the_matcher_looks_at_them(
    change: Any, matching: str
) -> None:
    truth, run = prints(TRUTHS, RUNS["good"], matching=matching)
    other_truth, other_run = prints(change(TRUTHS), change(RUNS["good"]), matching=matching)
    counts = change is moved or matching in ("span", "text")
    assert [truth != other_truth, run != other_run] == [counts, counts]


@pytest.mark.parametrize("matching", ["exact", "span"])
def test_fingerprints_do_not_depend_on_the_metrics(matching: str) -> None:
    asked = [["recall"], ["span_iou"], ["recall", "span_recall@1"]]
    found = [prints(TRUTHS, RUNS["good"], matching=matching, metrics=names) for names in asked]
    assert found[0] == found[1] == found[2]


def test_files_and_objects_have_the_same_fingerprints(files: Path) -> None:
    for matching in ("span", "text"):
        read = prints(files / "qa.jsonl", files / "good.jsonl", matching=matching)
        assert read == prints(TRUTHS[::-1], RUNS["good"][::-1], matching=matching)


@pytest.mark.usefixtures("files")
def test_commands_take_spans(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--match", "span", "-m", "recall,span_recall", "--match-option", "threshold=0.4"]
    data = ["qa.jsonl", "good.jsonl", "half.jsonl"]
    for command in ("compare", "power"):
        assert run([command, *data, *asked, "--format", "json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["provenance"]["matching"] == {**SPAN, "threshold": 0.4}
        assert run([command, *data, *asked]) == 0
        assert "profile autorag, matching span" in capsys.readouterr().out
    assert run(["evaluate", *data[:2], *asked, "--gate", "span_recall >= 0.95"]) == 1
    out = capsys.readouterr()
    assert "gate span_recall >= 0.95 failed: span_recall is 0.9166" in out.out + out.err


@pytest.mark.parametrize("form", ["markdown", "latex", "github", "junit"])
@pytest.mark.usefixtures("files")
def test_forms_name_the_matcher(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "qa.jsonl", "good.jsonl", "--match", "span", "--format", form]) == 0
    shown = capsys.readouterr().out.replace("`", "").lower()
    assert "profile autorag, matching span; 12 queries" in shown
    if form in ("markdown", "latex"):
        data = ["qa.jsonl", "good.jsonl", "half.jsonl"]
        assert run(["compare", *data, "--match", "span", "--format", form]) == 0
        shown = capsys.readouterr().out.replace("`", "").lower()
        assert "profile autorag, matching span; 12 queries" in shown
