"""AutoRAG's own parquet files: read as they are, and its stored scores reproduced from them."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from groupwise import evaluate
from groupwise.evaluator.formats.parquet import parquet_records
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import Source
from tests.comparing import agree
from tests.paths import AUTORAG

DATA = AUTORAG / "data"
NODES = ("lexical_retrieval", "semantic_retrieval", "hybrid_retrieval", "passage_reranker")
STORED = ("precision", "recall", "f1")


def records(name: str, role: Role) -> list[Any]:
    found = parquet_records(Source(DATA / name), Options(role=role, texts=role == "corpus"))
    return [value for batch in found.batches(Reading()) for value in batch.values]


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("qa_data_sample.parquet", "autorag_qa_data_sample"),
        ("gen_by_autorag_qa.parquet", "autorag_gen_by_autorag_ko"),
    ],
)
def test_ground_truth_is_read_as_the_jsonl_of_the_same_data_has_it(name: str, same: str) -> None:
    found = {one["qid"]: one for one in records(name, "ground_truth")}
    expected = lines(f"{same}.jsonl")
    assert len(found) == len(expected)
    for one in expected:
        assert found[one["qid"]]["retrieval_gt"] == one["retrieval_gt"]
        assert found[one["qid"]]["query"] == one["query"]


def test_the_corpus_has_the_documents_that_its_list_of_ids_names() -> None:
    found = records("corpus_data_sample.parquet", "corpus")
    names = (DATA / "autorag_qa_data_sample.corpus_ids.txt").read_text("utf-8").split()
    assert [one["id"] for one in found] == names
    assert all(one["text"] for one in found)
    assert {type(one["metadata"]["last_modified_datetime"]) for one in found} == {str}


def test_real_results_score_what_autorag_had_stored(tmp_path: Path) -> None:
    """Each node's results in a file without query ids, as AutoRAG has them: 40 of 40 agree."""
    qa = DATA / "qa_data_sample.parquet"
    order = parquet.read_table(qa, columns=["qid"]).column(0).to_pylist()
    runs = {one["id"]: one for one in lines("autorag_real_runs.jsonl")}
    agreeing = 0
    for node in NODES:
        of_node = {runs[f"real-{node}-{n}"]["qid"]: runs[f"real-{node}-{n}"] for n in range(10)}
        path = tmp_path / f"{node}.parquet"
        table = {"retrieved_ids": [of_node[qid]["retrieved_ids"] for qid in order]}
        parquet.write_table(pa.table(table), path)
        report = evaluate(qa, path, metrics=STORED)
        for qid, scores in report.per_query.items():
            stored = of_node[qid]["stored_by_autorag"]
            assert all(agree(scores[one], stored[one], within=1e-9) for one in STORED), (node, qid)
            agreeing += 1
    assert agreeing == 40
