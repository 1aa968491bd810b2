"""TREC's files: judgements (qrels), with subtopics as groups if asked for, and runs."""

import io
import math
import re
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from operator import ge
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
    Rows,
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

WHOLE_NUMBER = re.compile(rb"[+-]?\d+")
NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)
SPACE = re.compile(r"[\t\n\v\f\r ]")
TAG = "groupwise"
BLOCK_BYTES = 1 << 18
MARK = b"\0"
EXACT = 2**53


@dataclass(frozen=True)
class Layout:
    """What the columns of a line are; rows have those in ``texts``, and the number last."""

    names: tuple[str, ...]
    texts: tuple[int, ...]
    number: int


QRELS = Layout(("query", "iteration", "document", "relevance"), (0, 1, 2), 3)
RUN = Layout(("query", "Q0", "document", "rank", "score", "tag"), (0, 2), 4)


def _rows(stream: BinaryIO, tell: Tell, *, name: str, layout: Layout) -> Rows:
    """What each line says; a line with other columns, or without a number, is told."""
    first = 1
    for block in _blocks(stream):
        columns = _in_bulk(block, layout)
        if columns is None:
            yield from _line_by_line(block, first, tell, name, layout)
        else:
            yield from zip(columns[0], count(first), *columns[1:], strict=False)
        first += block.count(b"\n")


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    """Whole lines, many at a time."""
    while block := stream.read(BLOCK_BYTES):
        yield block + stream.readline()


def _queries(stream: BinaryIO) -> Generator[bytes, None, None]:
    """The first column of each line."""
    for block in _blocks(stream):
        lines = block.split(b"\n")
        yield from [parts[0] for line in lines if (parts := line.split(None, 1))]


def _in_bulk(block: bytes, layout: Layout) -> list[list[Any]] | None:
    """The columns of some lines at C speed, if they are plain; None if they need a closer look."""
    width = len(layout.names)
    cells = _cells(block, width)
    if cells is None:
        return None
    try:
        texts = [b"\n".join(cells[one :: width + 1]).decode().split("\n") for one in layout.texts]
        numbers = [*map(float, cells[layout.number :: width + 1])]
    except ValueError:
        return None
    # Whole numbers beyond are not told apart by doubles, and what is not finite has no order.
    sound = math.isfinite(sum(numbers)) and max(map(abs, numbers)) < EXACT
    return [*texts, numbers] if sound else None


def _cells(block: bytes, width: int) -> list[bytes] | None:
    """The cells of all lines and a mark after each line, if all have so many cells; else None."""
    if MARK in block:
        return None
    ended = block if block.endswith(b"\n") else block + b"\n"
    cells = ended.replace(b"\n", b" " + MARK + b" ").split()
    lines = ended.count(b"\n")
    marks = cells[width :: width + 1]
    return cells if len(cells) == (width + 1) * lines and marks.count(MARK) == lines else None


def _line_by_line(block: bytes, first: int, tell: Tell, name: str, layout: Layout) -> Iterator[Row]:
    for number, line in enumerate(io.BytesIO(block), first):
        if not (parts := decoded_parts(line, number, name)):
            continue
        if len(parts) != len(layout.names):
            wanted = f"{len(layout.names)} columns, {' '.join(layout.names)}"
            tell(f"{len(parts)} columns in {shown(decoded(line, number, name))}; {wanted}", number)
            continue
        value = finite(parts[layout.number])
        if value is None:
            what, found = layout.names[layout.number], parts[layout.number][:40]
            text = shown(" ".join(parts))
            tell(f"the {what} {found!r} in {text} is not a finite number", number)
        else:
            query, *texts = (parts[one] for one in layout.texts)
            yield query, number, *texts, value


def decoded_parts(line: bytes, number: int, name: str) -> list[str]:
    """The columns of a line, which are separated by ASCII's white space only."""
    try:
        return [part.decode() for part in line.split()]
    except UnicodeDecodeError:
        return [decoded(line, number, name)]


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
    scores = [row[3] for row in rows]
    in_order = all(map(ge, scores, islice(scores, 1, None)))
    best_first = rows if in_order else sorted(rows, key=lambda row: -row[3])
    return {
        "id": query,
        "results": [row[2] for row in best_first],
        "scores": [row[3] for row in best_first],
    }


def read_qrels(source: Source, options: Options) -> Records:
    """Judgements as ground truth, flat or by subtopic."""
    return _records(source, QRELS, _by_subtopic if options.subtopics else _flat)


def _read_diversity(source: Source, _options: Options) -> Records:
    return _records(source, QRELS, _by_subtopic)


def _read_run(source: Source, _options: Options) -> Records:
    return _records(source, RUN, _ranking)


def _records(
    source: Source, layout: Layout, made: Callable[[str, list[Row], Tell], Record]
) -> Records:
    return LongRecords(source, partial(_rows, name=source.name, layout=layout), made, _queries)


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
