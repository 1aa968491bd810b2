"""Baselines: what is written, and what is read and refused."""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from groupwise import Baseline, InputError, evaluate, read_baseline, validate
from groupwise.evaluator.evaluation.baseline import is_baseline

TRUTHS: dict[str, Any] = {"q1": [["a", "b"], ["c"]], "q0": [["d"]], "q2": [["é\u202e"]], "q3": []}
RUN: dict[str, Any] = {"q1": ["a", "x"], "q0": [], "q2": ["é\u202e"]}
METRICS = ["recall", "first_hit", "ndcg@5"]


def save(path: Path, truths: Any = TRUTHS, run: Any = RUN, **options: Any) -> Path:
    evaluate(truths, run, metrics=METRICS, provenance=True, **options).save_baseline(path)
    return path


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return save(tmp_path / "baseline.json")


def test_what_is_written_is_read(saved: Path) -> None:
    report = evaluate(TRUTHS, RUN, metrics=METRICS, provenance=True)
    baseline = read_baseline(saved)
    assert isinstance(baseline, Baseline)
    assert baseline.name == "baseline.json"
    assert (baseline.profile, baseline.counts) == (report.profile, report.counts)
    assert (baseline.scores, baseline.per_query) == (report.scores, report.per_query)
    assert baseline.provenance == report.provenance
    assert is_baseline(saved)


def test_the_file_has_a_line_per_query_and_per_score(saved: Path) -> None:
    lines = saved.read_text("utf-8").splitlines()
    assert '  "q0": {"recall":0.0,"first_hit":null,"ndcg@5":0.0},' in lines
    assert sum(line.startswith('  "q') for line in lines) == 4
    fields = json.loads(saved.read_text("utf-8"))
    assert list(fields) == ["schema", "profile", "counts", "scores", "provenance", "per_query"]
    assert fields["schema"] == "groupwise.scores/1"
    assert list(fields["per_query"]) == ["q0", "q1", "q2", "q3"]
    assert fields["scores"]["recall"] == 0.5


def test_order_and_names_of_the_input_change_no_byte(tmp_path: Path, saved: Path) -> None:
    source = random.Random(3)  # noqa: S311
    records = [{"id": query, "ground_truth": truth} for query, truth in TRUTHS.items()]
    results = [{"id": query, "results": found} for query, found in RUN.items()]
    for number in range(5):
        truths, run = tmp_path / f"qa{number}.jsonl", tmp_path / f"{number}-run.jsonl"
        for path, one in ((truths, records), (run, results)):
            shuffled = source.sample(one, len(one))
            path.write_text("".join(f"{json.dumps(record)}\n" for record in shuffled), "utf-8")
        again = save(tmp_path / f"baseline{number}.json", truths, run)
        assert again.read_bytes() == saved.read_bytes()


SCRIPT = """
import sys
from pathlib import Path
from tests.evaluate.test_baseline import save
save(Path(sys.argv[1]))
"""


def test_a_baseline_holds_no_invisible_characters_and_no_path(saved: Path) -> None:
    text = saved.read_text("utf-8")
    assert "\u202e" not in text
    assert os.fspath(saved.parent) not in text


def test_a_report_without_fingerprints_or_queries_is_no_baseline(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    with pytest.raises(InputError, match=r"fingerprints of the data: evaluate\(…, provenance=True"):
        evaluate(TRUTHS, RUN).save_baseline(path)
    with pytest.raises(InputError, match="needs the scores of each query"):
        evaluate(TRUTHS, RUN, provenance=True, per_query=False).save_baseline(path)
    assert not path.exists()


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_baseline(path)
    return str(caught.value)


def test_other_kinds_of_files_are_refused_by_their_name(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    validate(TRUTHS, write_baseline=path)
    assert "a baseline of findings, for 'groupwise validate --baseline'" in refusal(path)
    path.write_text(evaluate(TRUTHS, RUN).to_json(), "utf-8")
    assert "this is a report; 'groupwise evaluate --save-baseline' writes" in refusal(path)
    for text, words in (
        ("[]", "this is other JSON; expected a baseline of scores"),
        ('{"q": []}', "this is other JSON; expected a baseline of scores"),
        ('{"schema": 7}', "this is other JSON"),
        ('{"schema": "groupwise.scores/2"}', "of the schema 'groupwise.scores/2'"),
        ("", "not JSON"),
        ("{", "not JSON"),
        ("\x00", "not JSON"),
        ('{"schema": "groupwise.scores/1"}', "Field required"),
    ):
        path.write_text(text, "utf-8")
        assert words in refusal(path)
        assert "expected a baseline of scores" in refusal(path)
    assert "cannot read the baseline: no such file" in refusal(tmp_path / "nowhere.json")
    assert "cannot read the baseline: this is a folder" in refusal(tmp_path)
    assert not is_baseline(tmp_path)
    assert not is_baseline(path.with_name("nowhere"))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"recall": 0.5', '"recall": 0.6', "recall is 0.6, but the mean over its queries is 0.5"),
        ('"recall": 0.5', '"recal": 0.5', "no query has a value of recal"),
        ('"recall":0.0,', "", "the query 'q1' has other metrics than the first one"),
        ('"recall":0.0,', '"recall":"0",', "valid number"),
        ('"recall":0.0,', '"recall":1e999,', "not JSON"),
        ('"scored":3', '"scores":3', "scores"),
        ('"type":"exact"', '"type":', "not JSON"),
    ],
)
def test_an_edited_file_is_refused(saved: Path, old: str, new: str, words: str) -> None:
    text = saved.read_text("utf-8")
    assert old in text
    saved.write_text(text.replace(old, new, 1), "utf-8")
    assert words in refusal(saved)


def test_no_write_is_half_done(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()

    def fail(*_arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(Exception, match="No space left"):
        save(saved, run={"q1": []})
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]
