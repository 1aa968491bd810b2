"""Fields of published data sets that describe a question are its metadata, for slices."""

import json
from pathlib import Path
from typing import Any

import pytest

from groupwise import File, InputError, Report, evaluate, read
from tests.paths import FIXTURES

KEPT: dict[str, list[dict[str, Any] | None]] = {
    "musique/full.jsonl": [{"hops": 2}, {"hops": 2}, {"hops": 3}],
    "fever/dev.jsonl": [
        {"label": "SUPPORTS", "verifiable": "VERIFIABLE"},
        {"label": "REFUTES", "verifiable": "VERIFIABLE"},
        {"label": "NOT ENOUGH INFO", "verifiable": "NOT VERIFIABLE"},
    ],
    "ragas/by-text.jsonl": [
        {"synthesizer_name": "single_hop_specific_query_synthesizer"},
        {"synthesizer_name": "multi_hop_specific_query_synthesizer"},
    ],
    "ragas/v0.1-testset.csv": [{"evolution_type": "simple"}, {"evolution_type": "multi_context"}],
    "ragas/by-id.jsonl": [None, None],
    "deepeval/goldens.json": [{"topic": "mills"}, None],
    "dpr/nq-dev.json": [{"dataset": "nq_dev_psgs_w100"}, {"dataset": "nq_dev_psgs_w100"}],
    "double-bench/multi.json": [{"modality": ["text"]}],
    "double-bench/single.json": [{"modality": "table"}, {"modality": "text"}],
    "hotpotqa/dev.json": [
        {"type": "bridge", "level": "hard"}, {"type": "comparison", "level": "easy"},
    ],
}  # fmt: skip
"""What the files say of their questions, read by eye."""


@pytest.mark.parametrize("name", KEPT)
def test_fields_of_questions_are_metadata(name: str) -> None:
    found = read(FIXTURES / "formats" / name, role="ground_truth")
    assert [query.metadata for query in found.queries] == KEPT[name]


def test_queries_of_beir_have_their_metadata(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\tb\t1\n")
    lines = [{"_id": "q1", "text": "one", "metadata": {"type": "x"}}, {"_id": "q2", "text": "two"}]
    (tmp_path / "queries.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    report = evaluate(tmp_path, {"q1": ["a"], "q2": ["x"]}, flat="any", metrics="recall", by="type")
    assert {name: found.scores["recall"] for name, found in report.slices["type"].items()} == {
        "x": 1.0, "(none)": 0.0,
    }  # fmt: skip


CASES: list[dict[str, Any]] = [
    {"name": "q1", "gold": [["a"]], "found": ["a"], "category": "billing", "info": {"level": 3}},
    {"name": "q2", "gold": [["b"]], "found": ["x"], "category": None, "info": {"level": [3, 4]}},
]
PARTS = {
    "id": "name", "ground_truth": "gold", "results": "found", "metadata.type": "category",
    "metadata.level": "info.level",
}  # fmt: skip
RECALL = {"type": {"billing": 1.0, "(none)": 0.0}, "level": {"3": 0.5, "4": 0.0}}


def test_a_map_names_parts_of_the_metadata(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(CASES))
    for source in (path, CASES):
        report = evaluate(File(source, map=PARTS), metrics="recall", by=["type", "level"])
        assert recall_by(report) == RECALL


def recall_by(report: Report) -> dict[str, dict[str, float | None]]:
    return {
        field: {name: part.scores["recall"] for name, part in slices.items()}
        for field, slices in report.slices.items()
    }


def test_a_map_names_columns_as_parts_of_the_metadata(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    gold = '"[[""a""]]"'
    path.write_text(f"name,gold,found,kind\nq1,{gold},a,x\nq2,{gold},b,\n")
    fields = {"id": "name", "ground_truth": "gold", "results": "found", "metadata.kind": "kind"}
    report = evaluate(File(path, map=fields), metrics="recall", by="kind")
    assert recall_by(report) == {"kind": {"x": 1.0, "(none)": 0.0}}


def test_parts_are_added_to_metadata_that_is_there(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps([{**CASES[0], "meta": {"lang": "en", "type": "old"}}]))
    fields = {**PARTS, "metadata": "meta"}
    assert read(File(path, map=fields)).queries[0].metadata == {  # type: ignore[union-attr]
        "lang": "en", "type": "billing", "level": 3,
    }  # fmt: skip
    path.write_text(json.dumps([{**CASES[0], "meta": "text"}]))
    with pytest.raises(InputError, match="metadata: expected an object, got the string 'text'"):
        read(File(path, map=fields))
