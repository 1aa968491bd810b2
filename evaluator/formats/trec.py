"""TREC's files: judgements (qrels), with subtopics as groups if asked for, and runs."""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, BinaryIO

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.batch import Records
from groupwise.evaluator.formats.judged import (
    best_grades,
    judgements,
    not_relevant,
    number_text,
    ranked,
)
from groupwise.evaluator.formats.long_form import (
    LongRecords,
    Row,
    Tell,
    decoded,
    flat_record,
    grouped_record,
    shown,
)
from groupwise.evaluator.formats.options import Options, Record, Sample
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.formats.source import Source
from groupwise.evaluator.formats.writing import write_data
from groupwise.schemas.shape import shortened

QRELS = ("query", "iteration", "document", "relevance")
RUN = ("query", "Q0", "document", "rank", "score", "tag")
WHOLE_NUMBER = re.compile(rb"[+-]?\d+")
NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)
SPACE = re.compile(r"[\t\n\v\f\r ]")
TAG = "groupwise"


def _split_lines(
    stream: BinaryIO, columns: tuple[str, ...], name: str, tell: Tell
) -> Iterator[tuple[int, list[str]]]:
    """The columns of each line that holds anything; a line with others is told."""
    for number, line in enumerate(stream, 1):
        parts = line.split()
        if len(parts) == len(columns):
            try:
                yield number, [part.decode() for part in parts]
            except UnicodeDecodeError:
                decoded(line, number, name)
        elif parts:
            wanted = f"{len(columns)} columns, {' '.join(columns)}"
            tell(f"{len(parts)} columns in {shown(decoded(line, number, name))}; {wanted}", number)


def _judgement_rows(stream: BinaryIO, tell: Tell, *, name: str) -> Iterator[Row]:
    for number, (query, iteration, document, relevance) in _split_lines(stream, QRELS, name, tell):
        grade = finite(relevance)
        if grade is None:
            text = shown(f"{query} {iteration} {document} {relevance}")
            tell(f"the relevance {relevance[:40]!r} in {text} is not a finite number", number)
        else:
            yield query, number, iteration, document, grade


def _result_rows(stream: BinaryIO, tell: Tell, *, name: str) -> Iterator[Row]:
    for number, parts in _split_lines(stream, RUN, name, tell):
        score = finite(parts[4])
        if score is None:
            tell(
                f"the score {parts[4][:40]!r} in {shown(' '.join(parts))} is not a finite number",
                number,
            )
        else:
            yield parts[0], number, parts[2], score


def finite(text: str) -> float | None:
    """A finite number, whole where it is written so; None where it is not one."""
    try:
        value = int(text) if text.isdigit() else float(text)
        return value if math.isfinite(value) else None
    except (ValueError, OverflowError):
        return None


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
    best_first = sorted(rows, key=lambda row: -row[3])
    return {
        "id": query,
        "results": [row[2] for row in best_first],
        "scores": [row[3] for row in best_first],
    }


def read_qrels(source: Source, options: Options) -> Records:
    """Judgements as ground truth, flat or by subtopic."""
    made = _by_subtopic if options.subtopics else _flat
    return LongRecords(source, partial(_judgement_rows, name=source.name), made)


def _read_diversity(source: Source, _options: Options) -> Records:
    return LongRecords(source, partial(_judgement_rows, name=source.name), _by_subtopic)


def _read_run(source: Source, _options: Options) -> Records:
    return LongRecords(source, partial(_result_rows, name=source.name), _ranking)


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
            text = f"the id {shortened(str(one))!r} has white space, which separates the columns"
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
