"""BEIR's folders (corpus.jsonl, queries.jsonl, qrels/*.tsv), and single files of qrels."""

import os
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from groupwise.evaluator.errors import InputError, OutputError, Problem
from groupwise.evaluator.formats.mapping.judgements import (
    best_grades,
    judgements,
    not_relevant,
    number_text,
)
from groupwise.evaluator.formats.mapping.long_form import (
    AddProblem,
    LongRecords,
    Row,
    Rows,
    flat_record,
    parse_number,
    quote_line,
)
from groupwise.evaluator.formats.mapping.mapped_records import MappedRecords
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.reading.detection import Sample
from groupwise.evaluator.reading.jsonl import JsonLines
from groupwise.evaluator.reading.lines import decode_line, read_blocks
from groupwise.evaluator.reading.options import Options, Record
from groupwise.evaluator.reading.records import Batch, FileRecords, Reading, Records
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.writing import write_data

HEADER = ("query-id", "corpus-id", "score")
WHOLE_NUMBER = re.compile(rb"[+-]?\d+")


def _read_rows(stream: BinaryIO, name: str, add_problem: AddProblem) -> Rows:
    lines = chain.from_iterable(block.split(b"\n") for block in read_blocks(stream, name))
    for number, line in enumerate(lines, 1):
        text = decode_line(line, number, name).rstrip("\r\n")
        cells = tuple(text.split("\t"))
        grade = parse_number(cells[-1].strip()) if len(cells) == 3 else None
        if grade is not None:
            yield [(cells[0], number, cells[1], grade)]
        elif text.strip() and not (number == 1 and cells == HEADER):
            expected = f"{', '.join(HEADER)}, separated by tabs, the last a finite number"
            add_problem(f"expected {expected}, got {quote_line(text)}", number)


def _build_record(query: str, rows: list[Row], add_problem: AddProblem) -> Record:
    return flat_record(query, [row[1:] for row in rows], add_problem)


def _read_qrels(source: Source, _options: Options) -> Records:
    return LongRecords(source, _read_rows, _build_record)


class FolderRecords(FileRecords):
    """The judgements of a split, with the texts and the metadata of the queries."""

    def __init__(self, folder: str, qrels: Source) -> None:
        super().__init__(qrels)
        self._folder = folder
        self._qrels = _read_qrels(qrels, Options())

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield the records of the split, after reading all queries."""
        queries = _read_queries(self._folder, reading)

        def add_query(record: dict[str, Any]) -> dict[str, Any]:
            return {**record, **queries.get(record["id"], {})}

        return MappedRecords(self._qrels, add_query).batches(reading)


def _read_queries(folder: str, reading: Reading) -> dict[str, Record]:
    """Return the text of each query, and its metadata if it has any, by its id."""
    path = _find_file(folder, "queries.jsonl")
    if path is None:
        return {}
    records = JsonLines(Source(path))
    queries: dict[str, Record] = {}
    for batch in records.batches(reading):
        for number, value in enumerate(batch.values):
            if isinstance(value, dict) and isinstance(value.get("text"), str) and "_id" in value:
                queries[str(value["_id"])] = _take_query(value)
            else:
                reading.report(_describe_other(records.name, batch, number))
    return queries


def _describe_other(name: str, batch: Batch, number: int) -> Problem:
    message = 'not a query of BEIR, such as {"_id": "q1", "text": "…"}'
    return Problem(message, name, *batch.place(number, ()), code="IO008")


def _take_query(value: Record) -> Record:
    metadata = value.get("metadata")
    fields = {"query": value["text"]} if value["text"] else {}
    return {**fields, **({"metadata": metadata} if metadata and type(metadata) is dict else {})}


def _find_file(folder: str, name: str) -> str | None:
    """Return the path of a file in a folder, compressed or not."""
    paths = [Path(folder, name), Path(folder, f"{name}.gz")]
    return next((os.fspath(path) for path in paths if path.is_file()), None)


def _read_folder(source: Source, options: Options) -> Records:
    if not Path(source.path).is_dir():
        message = "not a folder; BEIR's have corpus.jsonl, queries.jsonl and qrels/test.tsv"
        raise InputError([Problem(message, source.name)])
    if options.role != "corpus":
        return FolderRecords(source.path, Source(_find_split(source.path), options.max_bytes))
    corpus = _find_file(source.path, "corpus.jsonl")
    if corpus is None:
        raise InputError([Problem("no corpus.jsonl in this folder", source.name)])
    return JsonLines(Source(corpus, options.max_bytes))


def _find_split(folder: str) -> str:
    """Return the judgements to read: of the test split if there is one, else the only split."""
    qrels = os.fspath(Path(folder, "qrels"))
    if found := _find_file(qrels, "test.tsv"):
        return found
    others = sorted(Path(qrels).glob("*.tsv*"))
    if len(others) == 1:
        return os.fspath(others[0])
    names = ", ".join(path.name for path in others) or "no file"
    message = f"no qrels/test.tsv but {names}; give the path of the one to read"
    raise InputError([Problem(message, folder)])


def _looks_like_folder(sample: Sample) -> bool:
    return sample.files is not None and "qrels" in sample.files


def _looks_like_qrels(sample: Sample) -> bool:
    lines = [] if sample.is_json else [line.rstrip().split(b"\t") for line in sample.lines]
    if not lines:
        return False
    if tuple(cell.decode("utf-8", "replace") for cell in lines[0]) == HEADER:
        return True
    fit = [len(cells) == 3 and WHOLE_NUMBER.fullmatch(cells[2]) for cells in lines]
    return bool(fit[0]) and sum(map(bool, fit)) * 2 >= len(fit)


def _write_qrels(records: Iterable[Record], path: str) -> None:
    write_data(path, (f"{line}\n".encode() for line in _spell_lines(records)))


def _spell_lines(records: Iterable[Record]) -> Iterator[str]:
    yield "\t".join(HEADER)
    for record in map(_refuse_tabs, records):
        for document, grade in best_grades(record).items():
            yield "\t".join((str(record["id"]), str(document), number_text(grade)))


def _refuse_tabs(record: Record) -> Record:
    for key in (record["id"], *best_grades(record)):
        if any(sign in str(key) for sign in "\t\r\n"):
            message = f"the id {str(key)[:60]!r} has a tab or a line break, which end a column"
            raise InputError([Problem(message, query=str(record["id"]))])
    return record


def _write_folder(records: Iterable[Record], path: str) -> None:
    held = [_refuse_tabs(record) for record in records]
    if Path(path).exists() and not Path(path).is_dir():
        raise OutputError(f"{path}: this is a file; BEIR's data is a folder")
    try:
        Path(path, "qrels").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{path}: cannot be created: {error.strerror or error}") from None
    queries = [{"_id": str(rec["id"]), "text": rec.get("query") or ""} for rec in held]
    corpus = [{"_id": key, "title": "", "text": text} for key, text in _texts_in(held).items()]
    for name, lines in (("queries.jsonl", queries), ("corpus.jsonl", corpus)):
        write_data(Path(path, name), (orjson.dumps(line) + b"\n" for line in lines))
    _write_qrels(held, os.fspath(Path(path, "qrels", "test.tsv")))


def _texts_in(records: list[Record]) -> dict[str, str]:
    """Return the text of each judged document, as far as it is known."""
    judged = [judgement for record in records for judgement in judgements(record)]
    others = [str(document) for record in records for document in not_relevant(record)]
    texts = {str(judgement.id): judgement.text or "" for judgement in judged}
    return texts | {document: "" for document in others if document not in texts}


FORMATS = (
    Format(
        "beir", "BEIR folder", frozenset({"ground_truth", "corpus"}),
        frozenset({"grades", "not_relevant", "query"}),
        "`corpus.jsonl {_id, title, text}`, `queries.jsonl {_id, text, metadata}`, "
        "`qrels/test.tsv` (or the path of another split)", "flat: requires `--flat`",
        (), _looks_like_folder, _read_folder, _write_folder,
        ids="`corpus-id`, in the corpus `_id`",
    ),
    Format(
        "beir-qrels", "BEIR qrels", frozenset({"ground_truth"}),
        frozenset({"grades", "not_relevant"}),
        "`query-id, corpus-id, score`, separated by tabs, with or without that header",
        "flat: requires `--flat`",
        (), _looks_like_qrels, _read_qrels, _write_qrels, ids="`corpus-id`",
    ),
)  # fmt: skip
