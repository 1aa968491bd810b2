"""Tables in long form, separated by commas or tabs: a line per alternative or per result.

The first line names the columns, in any order; unknown ones are ignored.
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
    scored_results,
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
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.reading.detection import Sample, suffix_of
from groupwise.evaluator.reading.lines import read_csv
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
"""The names of a column, the first one being ours."""
NEEDED = ("query_id", "id")
SEPARATORS = "\t,;"
Cells = Mapping[str, str]
Line = dict[str, Any]


def _find_columns(header: list[str]) -> dict[str, int]:
    """Return the position of each known column; a name stands for one column only."""
    names = [name.strip().lower().replace(" ", "_") for name in header]
    found: dict[str, int] = {}
    for column, spellings in NAMES.items():
        free = [s for s in spellings if s in names and names.index(s) not in found.values()]
        if free:
            found[column] = names.index(free[0])
    return found


def _read_header(sample: Sample) -> dict[str, int]:
    if sample.is_json or not sample.lines:
        return {}
    try:
        _, header = next(read_csv(io.BytesIO(sample.lines[0]), sample.name, SEPARATORS))
    except InputError:
        return {}
    return _find_columns(header)


def _read_rows(stream: BinaryIO, name: str, add_problem: AddProblem) -> Rows:
    """Yield query, line, and the cells of each line by column."""
    rows = read_csv(stream, name, SEPARATORS)
    _, header = next(rows)
    columns = _find_columns(header)
    if missing := [column for column in NEEDED if column not in columns]:
        raise InputError([Problem(_no_column(missing, header), name, 1, code="IO008")])
    names, place, pick = tuple(columns), columns["query_id"], itemgetter(*columns.values())
    for line, cells in rows:
        if len(cells) == len(header) and cells[place].strip():
            yield [(cells[place], line, dict(zip(names, pick(cells), strict=True)))]
        elif any(cells):
            add_problem(_describe_row(cells, len(header)), line)


def _no_column(missing: list[str], header: list[str]) -> str:
    wanted = " and no ".join(f"{column} ({', '.join(NAMES[column])})" for column in missing)
    return f"no column {wanted}; the first line names {shorten(', '.join(header), 80)!r}"


def _describe_row(cells: list[str], width: int) -> str:
    text = quote_line(",".join(cells))
    if len(cells) != width:
        return f"expected {width} cells, as in the first line, got {len(cells)} in {text}"
    return f"no query id in {text}"


def _read_number(
    cells: Cells, column: str, line: int, add_problem: AddProblem, default: float = 1
) -> float:
    """Return the number in a cell; the default if it is blank or there is no such column."""
    text = cells.get(column, "").strip()
    value = parse_number(text) if text else default
    if value is None:
        add_problem(f"the {column} {text[:40]!r} is not a finite number", line)
    return default if value is None else value


def _build_truth(query: str, rows: list[Row], add_problem: AddProblem) -> Record:
    """Return a record, flat without a column of groups; a line without an id adds nothing."""
    _, _, first = rows[0]
    given = [(line, cells) for _, line, cells in rows if cells["id"].strip()]
    text = {"query": first["query"]} if first.get("query") else {}
    if "group" in first:
        return {"id": query, **text, **_build_groups(given, add_problem)}
    flat = [(line, c["id"], _read_number(c, "grade", line, add_problem)) for line, c in given]
    return {**flat_record(query, flat, add_problem), **text}


def _build_groups(given: list[tuple[int, Cells]], add_problem: AddProblem) -> Record:
    groups: dict[str, dict[str, Any]] = {}
    others: dict[str, None] = {}
    for line, cells in given:
        name, grade = cells["group"].strip(), _read_number(cells, "grade", line, add_problem)
        if grade <= 0:
            others[cells["id"]] = None
        elif not name:
            document = shorten(cells["id"], 60)
            add_problem(f"no group for {document!r}; each has one, or a grade of 0", line)
        else:
            group = groups.setdefault(name, _new_group(name, cells, line, add_problem))
            group["alternatives"].append(_alternative(cells, grade))
    truth = {"ground_truth": list(groups.values())}
    return {**truth, "not_relevant": list(others)} if others else truth


def _new_group(name: str, cells: Cells, line: int, add_problem: AddProblem) -> dict[str, Any]:
    """Return a group; its label is its name, unless that is a number or labels have a column."""
    label = cells.get("label", "" if name.isdigit() else name)
    group = {"alternatives": [], "weight": _read_number(cells, "weight", line, add_problem)}
    return {**group, "label": label} if label else group


def _alternative(cells: Cells, grade: float) -> dict[str, Any]:
    text = {"text": cells["text"]} if cells.get("text") else {}
    return {"id": cells["id"], "grade": grade, **text}


def _build_ranking(query: str, rows: list[Row], add_problem: AddProblem) -> Record:
    """Return results by rank if there are ranks, else by score, else in the order of the lines."""
    given = [(line, cells) for _, line, cells in rows if cells["id"].strip()]
    is_scored = bool(given) and all(cells.get("score", "").strip() for _, cells in given)
    scores = [0.0] * len(given)
    if is_scored:
        scores = [_read_number(cells, "score", line, add_problem) for line, cells in given]
    keys = [-score for score in scores]
    if given and "rank" in given[0][1]:
        keys = [_read_number(cells, "rank", line, add_problem) for line, cells in given]
    order = sorted(range(len(given)), key=keys.__getitem__)
    record: dict[str, Any] = {"id": query, "results": [given[place][1]["id"] for place in order]}
    return {**record, "scores": [scores[place] for place in order]} if is_scored else record


def _read_truth(source: Source, _options: Options) -> Records:
    return LongRecords(source, _read_rows, _build_truth)


def _read_run(source: Source, _options: Options) -> Records:
    return LongRecords(source, _read_rows, _build_ranking)


def _looks_like_truth(sample: Sample) -> bool:
    return _read_header(sample).keys() >= {*NEEDED} and not _looks_like_run(sample)


def _looks_like_run(sample: Sample) -> bool:
    columns = _read_header(sample).keys()
    has_order, has_grades = columns & {"rank", "score"}, columns & {"group", "grade"}
    return columns >= {*NEEDED} and bool(has_order) and not has_grades


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
    filled, has_returns = set(), False
    for line in chain.from_iterable(map(spell, records)):
        filled |= {column for column, cell in line.items() if cell is not None}
        has_returns = has_returns or any("\r" in str(cell) for cell in line.values())
    # The csv module does not quote a lone carriage return, but reads it as a line end.
    writer = csv.DictWriter(
        LineEncoder(), [column for column in COLUMNS if column in filled], extrasaction="ignore",
        delimiter="\t" if suffix_of(path) == ".tsv" else ",", lineterminator="\n",
        quoting=csv.QUOTE_ALL if has_returns else csv.QUOTE_MINIMAL,
    )  # fmt: skip
    lines = chain.from_iterable(map(spell, records))
    write_data(path, chain([writer.writeheader()], map(writer.writerow, lines)))


class LineEncoder:
    """A file for the csv module, whose writer returns what ``write`` returns."""

    def write(self, line: str) -> bytes:
        """Return the bytes of a line."""
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
    ),
    Format(
        "csv-run", "CSV or TSV run", frozenset({"run"}), frozenset({"scores", "empty_results"}),
        "`query_id, rank, id, score`; `rank` or `score` may be missing",
        "by rank, else by score, else in the order of the lines",
        (".csv", ".tsv"), _looks_like_run, _read_run, partial(_write, spell=_spell_run),
    ),
)  # fmt: skip
