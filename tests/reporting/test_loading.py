"""Results that were saved are loaded again; what is something else is refused with its place."""

import json
from pathlib import Path
from typing import Any

import pytest

from groupwise import (
    Comparison,
    Dataset,
    Explanation,
    InputError,
    PowerAnalysis,
    Report,
    Run,
    compare,
    evaluate,
    explain,
    power,
    remap,
)

TRUTH = {
    "q1": {"ground_truth": [["a", "b"], ["c"]], "metadata": {"type": "x"}},
    "q2": {"ground_truth": [["d"]], "metadata": {"type": "y"}},
    "q3": {"ground_truth": [], "answerable": False},
}
RUN = {"q1": ["a", "x", "c"], "q2": ["y", "d"]}
RESULTS: dict[str, Any] = {
    "report": lambda: evaluate(
        TRUTH, RUN, metrics=["recall@2", "ndcg@2", "first_hit"], by="type", confidence=0.9,
        gates=["recall@2 >= 0.9"], curve=3, ceilings=True, provenance=True,
    ),
    "comparison": lambda: compare(TRUTH, {"a": RUN, "b": RUN}, metrics=["recall"], by="type"),
    "explanation": lambda: explain(TRUTH, RUN, by="type"),
    "power": lambda: power(TRUTH, {"a": RUN}, metrics=["recall"]),
    "remap": lambda: remap({"q": [["a", "b"]]}, old={"a": "one", "b": "two"}, new={"n": "one"}),
}  # fmt: skip


@pytest.mark.parametrize("suffix", [".json", ".json.gz"])
@pytest.mark.parametrize("kind", RESULTS)
def test_what_is_saved_is_loaded(kind: str, suffix: str, tmp_path: Path) -> None:
    result = RESULTS[kind]()
    path = tmp_path / f"result{suffix}"
    result.save(path)
    loaded = type(result).load(path)
    assert loaded.to_json() == result.to_json()
    assert kind == "explanation" or loaded == result


def test_a_loaded_report_answers_as_before(tmp_path: Path) -> None:
    metrics = ["recall@2", "first_hit"]
    report = evaluate(TRUTH, RUN, metrics=metrics, profile="coverage")
    report.save(tmp_path / "report.json")
    loaded = Report.load(tmp_path / "report.json")
    assert loaded.scores["StRecall@2"] == report.scores["recall@2"]
    assert loaded["q2"]["coverage:first_hit"] == 2
    assert loaded.worst(2) == report.worst(2)
    assert loaded.to_markdown() == report.to_markdown()
    assert loaded._repr_html_() == report._repr_html_()
    with pytest.raises(InputError):
        loaded.explain("q1")


BASE = {"schema": "groupwise.report/1", "profile": "autorag", "counts": {}, "scores": {}}
REFUSED = [
    ("", ": not JSON: the file is empty; expected at least one record"),
    ("{", ":1:2: not JSON: the text ends too early"),
    ("[1]", ": this is other JSON; expected a report"),
    ("\x89PNG", ":1:1: not JSON"),
    ('{"schema": 1}', ": this is a file of the schema 1; expected a report"),
    ('{"schema": ["a"]}', ": this is a file of the schema"),
    ('{"schema": "groupwise.report/9"}', ": this is a file of the schema 'groupwise.report/9'"),
    ('{"schema": "groupwise.comparison/1"}', "Comparison.load reads it; expected a report"),
    ('{"schema": "groupwise.scores/1"}', "a baseline of scores: read_baseline reads it"),
    ('{"schema": "a", "schema": "b"}', ":1:17: the key 'schema' is repeated"),
    (json.dumps(BASE), ": /per_query: Field required"),
    (json.dumps(BASE | {"per_query": [1]}), ": /per_query: "),
    (json.dumps(BASE | {"per_query": {"q": 1}}), ": /per_query/q: "),
    (json.dumps(BASE | {"per_query": {"q": {"f1": "x"}}}), ": /per_query/q/f1: "),
    (json.dumps(BASE | {"per_query": {"q": {"f1": True}}}), ": /per_query/q/f1: "),
    (
        json.dumps(BASE | {"scores": {"f1": 1.0}, "per_query": {"q": {"recall": 1.0}}}),
        ": /per_query: no query has 'f1'; expected every metric of scores and ranks",
    ),
    (json.dumps(BASE | {"per_query": {}, "sores": {}}), "did you mean 'scores'?"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_other_files_are_refused_with_their_place(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError) as refused:
        Report.load(path)
    assert str(refused.value).startswith(str(path))
    assert message in str(refused.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read a comparison: no such file"):
        Comparison.load(tmp_path / "none.json")
    with pytest.raises(InputError, match="cannot read an explanation: "):
        Explanation.load(tmp_path)
    (tmp_path / "cut.json.gz").write_bytes(b"\x1f\x8bcut")
    with pytest.raises(InputError, match="damaged gzip data"):
        PowerAnalysis.load(tmp_path / "cut.json.gz")


def test_data_is_loaded_by_its_role(tmp_path: Path) -> None:
    run = Run.model_validate(RUN)
    run.save(tmp_path / "run.jsonl")
    assert Run.load(tmp_path / "run.jsonl") == run
    with pytest.raises(InputError, match=r"run.jsonl: this is a run; expected a data set"):
        Dataset.load(tmp_path / "run.jsonl")
    (tmp_path / "flat.json").write_text('[{"id": "q", "ground_truth": ["a", "b"]}]')
    assert repr(Dataset.load(tmp_path / "flat.json", flat="all")["q"]) == (
        "Query(id='q', ground_truth=[['a'], ['b']])"
    )
    with pytest.raises(InputError, match="flat"):
        Dataset.load(tmp_path / "flat.json")
