"""Read a sample of a published shape as its format does, and tell what came out."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from groupwise import InputError
from groupwise.evaluator.errors import Problem
from groupwise.evaluator.formats.registry import list_formats
from groupwise.evaluator.reading.detection import Sample
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import Source
from tests.formats.reading import file_of
from tests.paths import FIXTURES

SAMPLES = FIXTURES / "formats"
OF_FOLDER = {
    "chunking-evaluation/questions.jsonl": "chunking-evaluation",
    "chunking-evaluation/questions_df.csv": "chunking-evaluation",
    "deepeval/goldens.csv": "deepeval",
    "deepeval/goldens.json": "deepeval",
    "deepeval/goldens.jsonl": "deepeval",
    "deepeval/test-cases.json": "deepeval",
    "double-bench/multi.json": "double-bench",
    "double-bench/single.json": "double-bench",
    "dpr/nq-dev.json": "dpr",
    "dpr/output.json": "dpr",
    "fever/dev.jsonl": "fever",
    "fever/two-readings.jsonl": "fever",
    "financebench/open_source.jsonl": "financebench",
    "hotpotqa/2wiki.json": "hotpotqa",
    "hotpotqa/dev.json": "hotpotqa",
    "hotpotqa/hub.jsonl": "hotpotqa",
    "kilt/dev.jsonl": "kilt",
    "kilt/guess-two-readings.jsonl": "kilt",
    "kilt/guess.jsonl": "kilt",
    "kilt/two-readings.jsonl": "kilt",
    "legalbench-rag/benchmark.json": "legalbench-rag",
    "llama-index/embedding.json": "llama-index-embedding",
    "llama-index/predictions.json": "llama-index-rag",
    "llama-index/rag.json": "llama-index-rag",
    "multihop-rag/dataset.json": "multihop-rag",
    "multihop-rag/retrieval.json": "multihop-rag",
    "musique/full.jsonl": "musique",
    "promptfoo/results.json": "promptfoo",
    "promptfoo/rows.jsonl": "promptfoo",
    "promptfoo/version-2.json": "promptfoo",
    "qampari/dev.jsonl": "qampari",
    "ragas/by-id.jsonl": "ragas",
    "ragas/by-text.jsonl": "ragas",
    "ragas/results.csv": "ragas",
    "ragas/testset.csv": "ragas",
    "ragas/v0.1-results.csv": "ragas",
    "ragas/v0.1-testset.csv": "ragas",
    "ragas/v0.1.jsonl": "ragas",
}
JSON_SAMPLES = {name: form for name, form in OF_FOLDER.items() if ".json" in name}
"""Samples that are not tables."""
REFUSED = ("fever/two-readings.jsonl", "kilt/two-readings.jsonl", "promptfoo/version-2.json")
"""Samples that are recognised, but need an option to be read."""
SHAPES = sorted(set(OF_FOLDER.values()))


def digest(*words: str) -> str:
    """The id of a text that is written without superfluous space, by the documented recipe."""
    return "text:" + hashlib.sha256(" ".join(words).encode()).hexdigest()[:20]


def sample_of(path: Path, size: int = 1 << 20) -> Sample:
    return Sample(path.name, path.read_bytes()[:size])


def read(
    path: str | Path, name: str, role: Role | None = None, *, cnf: bool = False
) -> tuple[list[Any], Reading]:
    """The records that a format makes of a file, and what else it has to say."""
    reading = Reading()
    records = list_formats()[name].read(Source(path), Options(role=role, cnf=cnf))
    values = [value for batch in records.batches(reading) for value in batch.values]
    return values, reading


def of_sample(name: str, role: Role | None = None, *, cnf: bool = False) -> list[Any]:
    values, reading = read(SAMPLES / name, OF_FOLDER[name], role, cnf=cnf)
    assert reading.problems == []
    return values


def problems_of(records: Iterable[Any], name: str, role: Role | None = None) -> list[Problem]:
    """The problems of records in JSON Lines, one record per line."""
    with file_of("\n".join(map(json.dumps, records)) + "\n", ".jsonl") as path:
        return read(path, name, role)[1].problems


def problems_of_document(document: Any, name: str, role: Role | None = None) -> list[Problem]:
    with file_of(json.dumps(document), ".json") as path:
        try:
            return read(path, name, role)[1].problems
        except InputError as error:
            return list(error.problems)
