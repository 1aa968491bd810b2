"""The files that the commands of the page work on."""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from groupwise import Dataset
from showcase.chunks import CHUNKINGS, SPANS, Chunk, cut_documents, read_documents, write_records
from showcase.retrievers import RETRIEVERS, Results, rank

QUESTIONS = "questions_df.csv"


def prepare(folder: Path) -> dict[str, int]:
    """Write questions, chunks and runs; return the number of chunks of each chunking."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(SPANS / QUESTIONS, folder / QUESTIONS)
    asked = list_questions(folder / QUESTIONS)
    documents = read_documents()
    chunked = {name: cut_documents(documents, chunking) for name, chunking in CHUNKINGS.items()}
    for name, chunks in chunked.items():
        write_records(folder / f"chunks-{name}.jsonl", (chunk._asdict() for chunk in chunks))
        write_runs(folder, name, chunks, asked)
    return {name: len(chunks) for name, chunks in chunked.items()}


def list_questions(path: Path) -> dict[str, str]:
    """Return the questions by their ids."""
    return {str(query.id): str(query.query) for query in Dataset.load(path)}


def write_runs(folder: Path, name: str, chunks: Sequence[Chunk], asked: Mapping[str, str]) -> None:
    """Write what each retriever finds among some chunks."""
    for retriever in RETRIEVERS:
        found = retrieve(retriever, chunks, list(asked.values()))
        records = ({"id": i, "results": results} for i, results in zip(asked, found, strict=True))
        write_records(folder / f"{retriever}-{name}.jsonl", records)


def retrieve(
    retriever: str, chunks: Sequence[Chunk], questions: Sequence[str]
) -> Iterator[Results]:
    """Yield the results of each question."""
    ids = np.array([chunk.id for chunk in chunks])
    texts = [chunk.text for chunk in chunks]
    return (rank(scores, ids) for scores in RETRIEVERS[retriever](texts, questions))


def cripple(source: Path, target: Path, questions: set[str] | None = None) -> None:
    """Write a run without the first result of each question, or of some questions."""
    with source.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    write_records(target, [_drop_first(record, questions) for record in records])


def _drop_first(record: dict[str, Any], questions: set[str] | None) -> dict[str, Any]:
    if questions is not None and record["id"] not in questions:
        return record
    return {**record, "results": record["results"][1:]}
