"""The questions of chunking_evaluation, and their corpora in chunks of any size."""

import csv
import gzip
import json
from functools import cache
from typing import Any

from tests.paths import FIXTURES

SPANS = FIXTURES / "conformance/spans"
CHUNKINGS = [(400, 0), (512, 64), (800, 100)]


@cache
def corpora() -> dict[str, str]:
    """The text of each corpus."""
    files = sorted((SPANS / "corpora").glob("*.md.gz"))
    return {file.name.removesuffix(".md.gz"): gunzip(file) for file in files}


def gunzip(file: Any) -> str:
    return gzip.decompress(file.read_bytes()).decode("utf-8")


@cache
def questions() -> dict[str, list[tuple[str, int, int]]]:
    """The references of each question: corpus, start, end."""
    with (SPANS / "questions_df.csv").open(encoding="utf-8", newline="") as file:
        return {
            row["question"]: [
                (row["corpus_id"], part["start_index"], part["end_index"])
                for part in json.loads(row["references"])
            ]
            for row in csv.DictReader(file)
        }


@cache
def chunks(size: int, overlap: int) -> dict[str, dict[str, Any]]:
    """The chunks of all corpora as results, with ids by position."""
    found = {}
    for name, text in corpora().items():
        last = max(0, -(-(len(text) - size) // (size - overlap)))
        for number in range(last + 1):
            start = number * (size - overlap)
            end = min(start + size, len(text))
            place = {"document": name, "start": start, "end": end}
            found[f"{name}#{number}"] = {"id": f"{name}#{number}", **place, "text": text[start:end]}
    return found


def covering(size: int, overlap: int) -> dict[str, list[dict[str, Any]]]:
    """For each question the chunks that have any character of a reference, in their order."""
    by_document: dict[str, list[dict[str, Any]]] = {}
    for chunk in chunks(size, overlap).values():
        by_document.setdefault(chunk["document"], []).append(chunk)
    return {
        question: [
            chunk
            for chunk in by_document[references[0][0]]
            if any(chunk["start"] < end and start < chunk["end"] for _, start, end in references)
        ]
        for question, references in questions().items()
    }
