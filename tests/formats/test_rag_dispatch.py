"""Samples of published shapes, as people give them: by name alone, to evaluate and to convert."""

import json
from pathlib import Path

import pytest

from groupwise import evaluate
from groupwise.evaluator.formats.opening import detect_records, records_in
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.records import Reading
from tests.cli.shell import spawn
from tests.formats.shapes import OF_FOLDER, REFUSED, SAMPLES, of_sample

KEPT = "full coverage (complete) is kept"


@pytest.mark.parametrize("name", OF_FOLDER)
def test_a_sample_is_known_by_its_content(name: str) -> None:
    _, found = detect_records(SAMPLES / name)
    assert found is not None
    assert found.name == OF_FOLDER[name]


@pytest.mark.parametrize("name", [name for name in OF_FOLDER if name not in REFUSED])
def test_it_is_read_as_when_its_format_is_named(name: str) -> None:
    batches = records_in(SAMPLES / name, Options(format=OF_FOLDER[name])).batches(Reading())
    assert [value for batch in batches for value in batch.values] == of_sample(name)


def test_ground_truth_and_results_of_two_files() -> None:
    """Of two positives the second is at rank 2; the other question has none."""
    report = evaluate(SAMPLES / "dpr/nq-dev.json", SAMPLES / "dpr/output.json", metrics="mrr")
    assert report.scores == {"mrr": 0.5}
    assert report.counts.unanswerable == 1


def test_predictions_belong_to_examples_by_their_place() -> None:
    """The first has its context at rank 2, the second one of its two at rank 1."""
    folder = SAMPLES / "llama-index"
    report = evaluate(folder / "rag.json", folder / "predictions.json", metrics=["recall", "mrr"])
    assert report.scores == {"recall": 0.75, "mrr": 0.5}


def test_a_file_with_both_sides_is_evaluated_alone() -> None:
    report = evaluate(SAMPLES / "ragas/by-id.jsonl", metrics="recall")
    assert report.per_query["Which mills are in Norland?"] == {"recall": 0.5}


def test_evidence_sets_are_refused_at_the_command_line() -> None:
    done = spawn("evaluate", *kilt("two-readings"))
    assert done.code == 3
    (line,) = done.err.splitlines()
    for words in ("two-readings.jsonl:1:", "/output", "OR of ANDs", "AND of ORs", "--cnf"):
        assert words in line


def test_they_are_expanded_on_request_with_a_warning(tmp_path: Path) -> None:
    truth, _ = kilt("two-readings")
    run = tmp_path / "run.json"
    run.write_text(json.dumps({json.loads(Path(truth).read_text())["id"]: ["101"]}))
    words = ["--cnf", "-m", "complete", "--format", "json"]
    done = spawn("evaluate", truth, str(run), *words)
    assert done.code == 0
    assert any(KEPT in warning for warning in json.loads(done.out)["warnings"])
    assert KEPT in done.err


def kilt(name: str) -> list[str]:
    return [str(SAMPLES / "kilt" / f"{name}.jsonl"), str(SAMPLES / "kilt/guess.jsonl")]


def test_a_conversion_says_that_fractions_are_not_kept(tmp_path: Path) -> None:
    target = tmp_path / "groups.jsonl"
    done = spawn("convert", str(SAMPLES / "kilt/two-readings.jsonl"), str(target), "--cnf")
    assert done.code == 0
    assert KEPT in done.err
    assert json.loads(target.read_text())["ground_truth"] == [["101", "104"], ["103", "104"]]


@pytest.mark.parametrize("name", ["hotpotqa/dev.json", "musique/full.jsonl", "qampari/dev.jsonl"])
def test_a_converted_data_set_has_the_same_groups(name: str, tmp_path: Path) -> None:
    target = tmp_path / "groups.jsonl"
    assert spawn("convert", str(SAMPLES / name), str(target)).code == 0
    written = [json.loads(line) for line in target.read_text().splitlines()]
    truths = [(one["id"], one.get("ground_truth", [])) for one in of_sample(name)]
    assert [(one["id"], one.get("ground_truth", [])) for one in written] == truths


def test_bad_records_are_named_all_at_once(tmp_path: Path) -> None:
    broken = tmp_path / "dev.jsonl"
    record = json.loads((SAMPLES / "qampari/dev.jsonl").read_text())
    records = [record, record | {"qid": 1}, record | {"qid": "b", "answer_list": []}]
    broken.write_text("\n".join(map(json.dumps, records)))
    done = spawn("evaluate", str(broken), *kilt("dev")[1:])
    assert done.code == 3
    first, second = done.err.splitlines()
    assert ":2:" in first
    assert "/qid" in first
    assert ":3:" in second
    assert "/answer_list" in second
