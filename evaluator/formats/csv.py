"""Tables in long form, separated by commas or tabs: a line per alternative or per result.

The first line names the columns. They may stand in any order, and others are passed over.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any, BinaryIO

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.mapping.judgements import (
    judgements,
    not_relevant,
    number_text,
    ranked,
)
from groupwise.evaluator.formats.mapping.long_form import (
    LongRecords,
    Row,
    Rows,
    Tell,
    finite,
    flat_record,
    in_blocks,
    shown,
)
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.reading.detection import Sample, suffix_of
from groupwise.evaluator.reading.options import Options, Record
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.writing import write_data
from groupwise.evaluator.text import shorten

NAMES: Mapping[str, tuple[str, ...]] = {
    "query_id": ("query_id", "query-id", "qid", "topic", "query"),
    "id": ("id", "doc_id", "docid", "docno", "document_id", "document", "corpus-id", "corpus_id"),
    "group": ("group", "group_id", "subtopic"),
    "grade": ("grade", "relevance", "rel"),
    "rank": ("rank",),
    "score": ("score",),
    "query": ("query", "question"),
    "weight": ("weight",),
    "label": ("label",),
    "text": ("text",),
}
"""The names that a column goes by, the first one being ours."""
SEPARATORS = ("\t", ",", ";")
Cells = Mapping[str, str]
Line = dict[str, Any]


def _columns(header: list[str]) -> dict[str, int]:
    """The place of each column that is known; a name stands for one column only."""
    names = [name.strip().lower().replace(" ", "_") for name in header]
    found: dict[str, int] = {}
    for column, spellings in NAMES.items():
        free = [s for s in spellings if s in names and names.index(s) not in found.values()]
        if free:
            found[column] = names.index(free[0])
    return found


def _separator(line: str) -> str:
    return max(SEPARATORS, key=line.count)


def _header(sample: Sample) -> dict[str, int]:
    if sample.is_json or not sample.lines:
        return {}
    try:
        return _columns(_cells(sample.lines[0].decode("utf-8", "replace")))
    except csv.Error:
        return {}


def _cells(line: str) -> list[str]:
    return next(csv.reader([line], delimiter=_separator(line)), [])


def _table_rows(stream: BinaryIO, tell: Tell, *, name: str, needed: tuple[str, ...]) -> Rows:
    """Query, line, and the cells of each line by column."""
    text = io.TextIOWrapper(stream, "utf-8", newline="")
    try:
        yield from in_blocks(_rows_of(text, tell, name, needed))
    except UnicodeDecodeError as error:
        message = f"not UTF-8: the byte {error.object[error.start]:#04x}; save the file as UTF-8"
        raise InputError([Problem(message, name, code="IO002")]) from None
    finally:
        text.detach()


def _rows_of(
    text: io.TextIOWrapper, tell: Tell, name: str, needed: tuple[str, ...]
) -> Iterator[Row]:
    first = text.readline()
    reader = csv.reader(text, delimiter=_separator(first), strict=True)
    try:
        header = _cells(first)
        columns = _columns(header)
        if missing := [column for column in needed if column not in columns]:
            raise InputError([Problem(_no_column(missing, header), name, 1, code="IO008")])
        names, place, pick = tuple(columns), columns["query_id"], itemgetter(*columns.values())
        for cells in reader:
            if len(cells) == len(header) and cells[place].strip():
                yield cells[place], reader.line_num + 1, dict(zip(names, pick(cells), strict=True))
            elif any(cells):
                _tell_wrong(cells, len(header), reader.line_num + 1, tell)
    except csv.Error as error:
        message = f"not a table: {error}"
        raise InputError([Problem(message, name, reader.line_num + 1, code="IO001")]) from None


def _no_column(missing: list[str], header: list[str]) -> str:
    wanted = " and no ".join(f"{column} ({', '.join(NAMES[column])})" for column in missing)
    return f"no column {wanted}; the first line names {shorten(', '.join(header), 80)!r}"


def _tell_wrong(cells: list[str], width: int, line: int, tell: Tell) -> None:
    if len(cells) != width:
        tell(f"{len(cells)} cells in {shown(','.join(cells))}; the first line has {width}", line)
    else:
        tell(f"no query id in {shown(','.join(cells))}", line)


def _number(cells: Cells, column: str, line: int, tell: Tell, default: float = 1) -> float:
    """The number in a cell, or the default where it is blank or there is no such column."""
    text = cells.get(column, "").strip()
    value = finite(text) if text else default
    if value is None:
        tell(f"the {column} {text[:40]!r} is not a finite number", line)
    return default if value is None else value


def _truth(query: str, rows: list[Row], tell: Tell) -> Record:
    """A record; without a column of groups it is flat. A line without an id has no alternative."""
    _, _, first = rows[0]
    given = [(line, cells) for _, line, cells in rows if cells["id"].strip()]
    about = {"query": first["query"]} if first.get("query") else {}
    if "group" in first:
        return {"id": query, **about, **_groups(given, tell)}
    flat = [(line, cells["id"], _number(cells, "grade", line, tell)) for line, cells in given]
    return {**flat_record(query, flat, tell), **about}


def _groups(given: list[tuple[int, Cells]], tell: Tell) -> Record:
    groups: dict[str, dict[str, Any]] = {}
    others: dict[str, None] = {}
    for line, cells in given:
        name, grade = cells["group"].strip(), _number(cells, "grade", line, tell)
        if grade <= 0:
            others[cells["id"]] = None
        elif not name:
            tell(f"no group for {shorten(cells['id'], 60)!r}; each has one, or a grade of 0", line)
        else:
            group = groups.setdefault(name, _new_group(name, cells, line, tell))
            group["alternatives"].append(_alternative(cells, grade))
    truth = {"ground_truth": list(groups.values())}
    return {**truth, "not_relevant": list(others)} if others else truth


def _new_group(name: str, cells: Cells, line: int, tell: Tell) -> dict[str, Any]:
    """A group; its name is its label, unless it is a number or there is a column of labels."""
    label = cells.get("label", "" if name.isdigit() else name)
    group = {"alternatives": [], "weight": _number(cells, "weight", line, tell)}
    return {**group, "label": label} if label else group


def _alternative(cells: Cells, grade: float) -> dict[str, Any]:
    text = {"text": cells["text"]} if cells.get("text") else {}
    return {"id": cells["id"], "grade": grade, **text}


def _ranking(query: str, rows: list[Row], tell: Tell) -> Record:
    """Results by rank if there are ranks, else by score, else as the lines stand."""
    given = [(line, cells) for _, line, cells in rows if cells["id"].strip()]
    scored = bool(given) and all(cells.get("score", "").strip() for _, cells in given)
    scores = [_number(cells, "score", line, tell) if scored else 0.0 for line, cells in given]
    keys = [-score for score in scores]
    if given and "rank" in given[0][1]:
        keys = [_number(cells, "rank", line, tell) for line, cells in given]
    order = sorted(range(len(given)), key=keys.__getitem__)
    record: dict[str, Any] = {"id": query, "results": [given[place][1]["id"] for place in order]}
    return {**record, "scores": [scores[place] for place in order]} if scored else record


def _read_truth(source: Source, _options: Options) -> Records:
    rows = partial(_table_rows, name=source.name, needed=("query_id", "id"))
    return LongRecords(source, rows, _truth)


def _read_run(source: Source, _options: Options) -> Records:
    rows = partial(_table_rows, name=source.name, needed=("query_id", "id"))
    return LongRecords(source, rows, _ranking)


def _looks_like_truth(sample: Sample) -> bool:
    columns = _header(sample)
    return {"query_id", "id"} <= columns.keys() and not _looks_like_run(sample)


def _looks_like_run(sample: Sample) -> bool:
    columns = _header(sample).keys()
    return (
        {"query_id", "id"} <= columns
        and bool(columns & {"rank", "score"})
        and not columns & {"group", "grade"}
    )


def _write_truth(records: Iterable[Record], path: str) -> None:
    _write(lambda: chain.from_iterable(map(_truth_lines, records)), path)


def _truth_lines(record: Record) -> Iterator[Line]:
    about = {"query_id": record["id"], "query": record.get("query"), "group": "", "id": ""}
    empty = True
    for one in judgements(record):
        if one.grade:
            empty = False
            yield {
                **about, "group": one.group, "id": one.id, "grade": number_text(one.grade),
                "weight": None if one.weight == 1 else number_text(one.weight),
                "label": one.label, "text": one.text,
            }  # fmt: skip
    for other in not_relevant(record):
        empty = False
        yield {**about, "id": other, "grade": "0"}
    if empty:
        yield about


def _write_run(records: Iterable[Record], path: str) -> None:
    _write(lambda: chain.from_iterable(map(_run_lines, records)), path)


def _run_lines(record: Record) -> Iterator[Line]:
    about = {"query_id": record["id"], "rank": "", "id": ""}
    results = list(ranked(record))
    for rank, (one, score) in enumerate(results, 1):
        shown_score = None if score is None else number_text(score)
        yield {**about, "rank": rank, "id": one, "score": shown_score}
    if not results:
        yield about


def _write(lines: Callable[[], Iterator[Line]], path: str) -> None:
    """All lines, with the columns that any of them fills."""
    filled, returns = set(), False
    for line in lines():
        filled |= {column for column, cell in line.items() if cell is not None}
        returns = returns or any("\r" in str(cell) for cell in line.values())
    # The csv module leaves a lone carriage return as it is, and reads it as the end of a line.
    writer = csv.DictWriter(
        Encoded(), [column for column in COLUMNS if column in filled], extrasaction="ignore",
        delimiter="\t" if suffix_of(path) == ".tsv" else ",", lineterminator="\n",
        quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL,
    )  # fmt: skip
    write_data(path, chain([writer.writeheader()], map(writer.writerow, lines())))


class Encoded:
    """A file for the csv module, which hands on what a file gives for each line."""

    def write(self, line: str) -> bytes:
        """The line as it stands in the file."""
        return line.encode()


COLUMNS = (
    "query_id", "query", "group", "rank", "id", "grade", "score", "weight", "label", "text",
)  # fmt: skip
FORMATS = (
    Format(
        "csv", "CSV or TSV", frozenset({"ground_truth"}),
        frozenset(
            {
                "groups", "grades", "weights", "labels", "not_relevant", "unanswerable", "query",
                "text", "repeats",
            }
        ),
        "`query_id, group, id, grade`, and if there are any `query, weight, label, text`",
        "the column `group`; without it flat: asks",
        (".csv", ".tsv"), _looks_like_truth, _read_truth, _write_truth,
    ),
    Format(
        "csv-run", "CSV or TSV run", frozenset({"run"}), frozenset({"scores", "empty_results"}),
        "`query_id, rank, id, score`; `rank` or `score` may be missing",
        "by rank, else by score, else as the lines stand",
        (".csv", ".tsv"), _looks_like_run, _read_run, _write_run,
    ),
)  # fmt: skip
