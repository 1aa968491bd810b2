"""Tables in long form, separated by commas or tabs: a line per alternative or per result.

The first line names the columns, in any order; unknown ones are ignored.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import chain
from operator import itemgetter
from sys import intern
from typing import Any, BinaryIO

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.csv_rows import build_ranking, build_truth
from groupwise.evaluator.formats.mapping.judgements import (
    BARE,
    has_bare_ids,
    judgements,
    not_relevant,
    number_text,
    scored_results,
)
from groupwise.evaluator.formats.mapping.long_columns import (
    NEEDED,
    describe_missing,
    describe_parts,
    find_columns,
)
from groupwise.evaluator.formats.mapping.long_form import (
    AddProblem,
    LongRecords,
    Rows,
    quote_line,
)
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.reading.csv import read_csv
from groupwise.evaluator.reading.detection import Sample, suffix_of
from groupwise.evaluator.reading.options import Options, Record
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.writing import write_data
from groupwise.evaluator.text import is_formula

SEPARATORS = "\t,;"
IDS = (
    "the column `id`; `doc_id`, `docno` and its other names only if no column such as `page` or "
    "`chunk_id` stands beside it"
)
Line = dict[str, Any]
MOST_KEPT = 1 << 17
"""So many lines are kept in memory; the records of more are spelled out twice."""


def read_header(sample: Sample) -> dict[str, int]:
    """Return the position of each known column in the first line; none if it is no header."""
    return {} if sample.is_json or not sample.lines else _find_columns_of(sample.lines[0])


@lru_cache(maxsize=1)
def _find_columns_of(line: bytes) -> dict[str, int]:
    """Return the position of each known column; several formats look at the same line."""
    try:
        _, header = next(read_csv(io.BytesIO(line), "", SEPARATORS))
    except InputError:
        return {}
    return find_columns(header)


def read_rows(stream: BinaryIO, name: str, add_problem: AddProblem) -> Rows:
    """Yield query, line, and the cells of each line by column."""
    rows = read_csv(stream, name, SEPARATORS)
    _, header = next(rows)
    columns = _check_columns(header, name)
    names, place, pick = tuple(columns), columns["query_id"], itemgetter(*columns.values())
    for line, cells in rows:
        if len(cells) == len(header) and cells[place].strip():
            yield [(intern(cells[place]), line, dict(zip(names, pick(cells), strict=True)))]
        elif any(cells):
            add_problem(_describe_row(cells, len(header)), line)


def _check_columns(header: list[str], name: str) -> dict[str, int]:
    """Return the position of each known column.

    Raises:
        InputError: A column is missing, or the id of a document is only a part of what is found.
    """
    columns = find_columns(header)
    message = describe_missing(header, columns) or describe_parts(header, columns["id"])
    if message:
        raise InputError([Problem(message, name, 1, code="IO008")])
    return columns


def _describe_row(cells: list[str], width: int) -> str:
    text = quote_line(",".join(cells))
    if len(cells) != width:
        return f"expected {width} cells, as in the first line, got {len(cells)} in {text}"
    return f"no query id in {text}"


def _read_truth(source: Source, _options: Options) -> Records:
    return LongRecords(source, read_rows, build_truth)


def _read_run(source: Source, _options: Options) -> Records:
    return LongRecords(source, read_rows, build_ranking)


def _looks_like_truth(sample: Sample) -> bool:
    return read_header(sample).keys() >= {*NEEDED} and not _looks_like_run(sample)


def _looks_like_run(sample: Sample) -> bool:
    columns = read_header(sample).keys()
    has_order, has_grades = columns & {"rank", "score"}, columns & {"group", "grade"}
    return columns >= {*NEEDED} and bool(has_order) and not has_grades


def has_formulas(record: Record) -> bool:
    """Whether a spreadsheet would read a cell of a record as a formula."""
    cells: Iterable[Any] | None = _list_bare_cells(record)
    if cells is None:
        lines = chain(_spell_truth(record), _spell_run(record))
        cells = chain.from_iterable(line.values() for line in lines)
    return any(is_formula(cell) for cell in cells if type(cell) is str)


def _list_bare_cells(record: Record) -> list[Any] | None:
    """Return the texts in the cells of a record with bare ids; None of any other.

    All other cells are numbers.
    """
    results = record.get("results", ())
    has_groups = "ground_truth" in record
    if (has_groups and not has_bare_ids(record)) or not BARE.issuperset(map(type, results)):
        return None
    ids = chain(*record.get("ground_truth", ()), record.get("not_relevant", ()), results)
    return [record["id"], record.get("query"), *ids]


def _spell_truth(record: Record) -> Iterator[Line]:
    empty = {"query_id": record["id"], "query": record.get("query"), "group": "", "id": ""}
    lines = [
        {
            **empty, "group": group, "id": document, "grade": number_text(grade),
            "weight": None if weight == 1 else number_text(weight), "label": label, "text": text,
        }
        for group, document, grade, weight, label, text in judgements(record) if grade
    ]  # fmt: skip
    lines += [{**empty, "id": document, "grade": "0"} for document in not_relevant(record)]
    yield from lines or [empty]


def _spell_run(record: Record) -> Iterator[Line]:
    empty = {"query_id": record["id"], "rank": "", "id": ""}
    lines = [
        {**empty, "rank": rank, "id": document, "score": None if s is None else number_text(s)}
        for rank, (document, s) in enumerate(scored_results(record), 1)
    ]
    yield from lines or [empty]


def _write(records: Iterable[Record], path: str, spell: Callable[[Record], Iterator[Line]]) -> None:
    """Write the lines of all records, with the columns that any of them fills."""
    lines = _Lines(records, spell)
    blank, has_returns = [*COLUMNS], False
    for line in lines:
        if any(line.get(column) is not None for column in blank):
            blank = [column for column in blank if line.get(column) is None]
        texts = [cell for cell in line.values() if type(cell) is str]
        has_returns = has_returns or "\r" in "".join(texts)
    # The csv module does not quote a lone carriage return, but reads it as a line end.
    separator = "\t" if suffix_of(path) == ".tsv" else ","
    writer = csv.DictWriter(
        LineEncoder(separator), [column for column in COLUMNS if column not in blank],
        extrasaction="ignore", delimiter=separator, lineterminator="\n",
        quoting=csv.QUOTE_ALL if has_returns else csv.QUOTE_MINIMAL,
    )  # fmt: skip
    write_data(path, chain([writer.writeheader()], map(writer.writerow, lines)))


class _Lines:
    """The lines of all records, which are iterated over twice; few are kept for that."""

    def __init__(
        self, records: Iterable[Record], spell: Callable[[Record], Iterator[Line]]
    ) -> None:
        self._records = records
        self._spell = spell
        self._kept: list[Line] | None = None

    def __iter__(self) -> Iterator[Line]:
        if self._kept is not None:
            return iter(self._kept)
        lines = chain.from_iterable(map(self._spell, self._records))
        return self._keep(lines)

    def _keep(self, lines: Iterator[Line]) -> Iterator[Line]:
        kept: list[Line] = []
        for line in lines:
            if len(kept) <= MOST_KEPT:
                kept.append(line)
            yield line
        if len(kept) <= MOST_KEPT:
            self._kept = kept


class LineEncoder:
    """A file for the csv module, whose writer returns what ``write`` returns."""

    def __init__(self, separator: str) -> None:
        self._separator = separator

    def write(self, line: str) -> bytes:
        """Return the bytes of a line; one that begins with ``::`` begins with a quote instead.

        Where the output is a log of GitHub Actions, its runner obeys lines that begin with ``::``.
        """
        if line.lstrip().startswith("::"):
            cell, separator, rest = line.partition(self._separator)
            line = f'"{cell}"{separator}{rest}'
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
        "the column `group`; without it flat: requires `--flat`",
        (".csv", ".tsv"), _looks_like_truth, _read_truth, partial(_write, spell=_spell_truth),
        ids=IDS,
    ),
    Format(
        "csv-run", "CSV or TSV run", frozenset({"run"}), frozenset({"scores", "empty_results"}),
        "`query_id, rank, id, score`; `rank` or `score` may be missing",
        "by rank, else by score, else in the order of the lines",
        (".csv", ".tsv"), _looks_like_run, _read_run, partial(_write, spell=_spell_run),
        ids=IDS,
    ),
)  # fmt: skip
