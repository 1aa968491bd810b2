"""TREC's files: judgements (qrels), with subtopics as groups if asked for, and runs."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from operator import ge
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.mapping.judgements import (
    best_grades,
    judgements,
    not_relevant,
    number_text,
    ranked,
)
from groupwise.evaluator.formats.mapping.long_form import (
    LongRecords,
    Row,
    Tell,
    flat_record,
    grouped_record,
)
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.formats.trec_lines import (
    LineShape,
    a_row_each,
    a_row_per_query,
    queries_in,
    rows_of,
)
from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.detection import Sample
from groupwise.evaluator.reading.options import Options, Record
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.writing import write_data
from groupwise.evaluator.text import quote

WHOLE_NUMBER = re.compile(rb"[+-]?\d+")
NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)
SPACE = re.compile(r"[\t\n\v\f\r ]")
TAG = "groupwise"

QRELS = LineShape(("query", "iteration", "document", "relevance"), (0, 1, 2), 3, a_row_each)
RUN_COLUMNS = ("query", "Q0", "document", "rank", "score", "tag")
RUN = LineShape(RUN_COLUMNS, (0, 2), 4, a_row_per_query, walk.parse_run_lines)


def _flat(query: str, rows: list[Row], tell: Tell) -> Record:
    return flat_record(query, [(line, one, grade) for _, line, _, one, grade in rows], tell)


def _by_subtopic(query: str, rows: list[Row], tell: Tell) -> Record:
    """Subtopics are groups, in the order of their numbers, or else in that of the lines."""
    record = grouped_record(query, [row[1:] for row in rows], tell)
    groups: dict[str, Any] = record["ground_truth"]
    names = sorted(groups, key=int) if all(map(_is_whole, groups)) else list(groups)
    return {**record, "ground_truth": [groups[name] for name in names]}


def _is_whole(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) < 19


def _ranking(query: str, rows: list[Row], _tell: Tell) -> Record:
    """Results by score; where scores are equal, as the lines stand."""
    results = [*chain.from_iterable(row[2] for row in rows)]
    scores = [*chain.from_iterable(row[3] for row in rows)]
    if not all(map(ge, scores, islice(scores, 1, None))):
        order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
        results, scores = [results[one] for one in order], [scores[one] for one in order]
    return {"id": query, "results": results, "scores": scores}


def read_qrels(source: Source, options: Options) -> Records:
    """Judgements as ground truth, flat or by subtopic."""
    return _records(source, QRELS, _by_subtopic if options.subtopics else _flat)


def _read_diversity(source: Source, _options: Options) -> Records:
    return _records(source, QRELS, _by_subtopic)


def _read_run(source: Source, _options: Options) -> Records:
    return _records(source, RUN, _ranking)


def _records(
    source: Source, shape: LineShape, made: Callable[[str, list[Row], Tell], Record]
) -> Records:
    return LongRecords(source, partial(rows_of, name=source.name, shape=shape), made, queries_in)


def _looks_like_qrels(sample: Sample) -> bool:
    return _columns_fit(sample, [None, None, None, WHOLE_NUMBER])


def _looks_like_run(sample: Sample) -> bool:
    return _columns_fit(sample, [None, None, None, WHOLE_NUMBER, NUMBER, None])


def _columns_fit(sample: Sample, patterns: list[re.Pattern[bytes] | None]) -> bool:
    """Whether half of the first lines have these columns: those that are broken are told later."""
    lines = [] if sample.is_json else [line.split() for line in sample.lines]
    fit = [
        len(parts) == len(patterns)
        and all(p is None or p.fullmatch(part) for p, part in zip(patterns, parts, strict=True))
        for parts in lines
    ]
    return any(fit) and sum(fit) * 2 >= len(fit)


def _write_flat(records: Iterable[Record], path: str) -> None:
    _write(records, path, _flat_lines)


def _flat_lines(record: Record) -> Iterator[str]:
    grades = best_grades(record)
    return (f"{record['id']} 0 {one} {number_text(grade)}" for one, grade in grades.items())


def _write_diversity(records: Iterable[Record], path: str) -> None:
    _write(records, path, _diversity_lines)


def _diversity_lines(record: Record) -> Iterator[str]:
    query = record["id"]
    for one in judgements(record):
        if one.grade:
            yield f"{query} {one.group} {one.id} {number_text(one.grade)}"
    for other in not_relevant(record):
        yield f"{query} 0 {other} 0"


def _write_run(records: Iterable[Record], path: str) -> None:
    _write(records, path, _run_lines)


def _run_lines(record: Record) -> Iterator[str]:
    """Without scores a result gets one that falls with its rank, for ranks are not looked at."""
    query, results = record["id"], list(ranked(record))
    for rank, (one, score) in enumerate(results, 1):
        shown_score = len(results) + 1 - rank if score is None else number_text(score)
        yield f"{query} Q0 {one} {rank} {shown_score} {TAG}"


def _write(records: Iterable[Record], path: str, lines: Callable[[Record], Iterator[str]]) -> None:
    checked = map(_without_space, records)
    write_data(path, ("".join(f"{line}\n" for line in lines(one)).encode() for one in checked))


def _without_space(record: Record) -> Record:
    """The record, if no id of it has white space, which separates the columns."""
    ids = [record["id"], *(one.id for one in judgements(record)), *not_relevant(record)]
    ids += [one for one, _ in ranked(record)]
    for one in ids if SPACE.search("\0".join(map(str, ids))) else ():
        if SPACE.search(str(one)):
            text = f"the id {quote(str(one))} has white space, which separates the columns"
            raise InputError([Problem(f"{text} of TREC's files", query=str(record["id"]))])
    return record


FORMATS = (
    Format(
        "trec-qrels", "TREC qrels", frozenset({"ground_truth"}),
        frozenset({"grades", "not_relevant"}),
        "`qid iter docno rel`, separated by white space",
        "flat: asks, all of them or any? With `--subtopics`, `iter` is the group",
        (".qrels", ".qrel"), _looks_like_qrels, read_qrels, _write_flat,
    ),
    Format(
        "trec-diversity", "TREC diversity qrels", frozenset({"ground_truth"}),
        frozenset({"groups", "grades", "not_relevant"}),
        "`qid subtopic docno rel`, separated by white space",
        "a group per subtopic; said by `--from trec-diversity` or `--subtopics`",
        (), lambda _sample: False, _read_diversity, _write_diversity,
    ),
    Format(
        "trec-run", "TREC run", frozenset({"run"}), frozenset({"scores"}),
        "`qid Q0 docno rank score tag`, separated by white space",
        "by score; where scores are equal, as the lines stand",
        (".run", ".trec"), _looks_like_run, _read_run, _write_run,
    ),
)  # fmt: skip
