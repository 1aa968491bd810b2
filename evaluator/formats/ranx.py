"""ranx's tables, and other parquet files in long form: a row per judgement or result."""

import io
from collections.abc import Sequence
from contextlib import closing
from typing import BinaryIO

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.formats.csv import SEPARATORS, read_rows
from groupwise.evaluator.formats.csv_rows import build_ranking
from groupwise.evaluator.formats.mapping.long_columns import find_columns
from groupwise.evaluator.formats.mapping.long_form import AddProblem, LongRecords, Row, Rows
from groupwise.evaluator.formats.mapping.long_table import (
    LARGE_ROWS,
    are_long,
    build_whole_truth,
    read_long_table,
)
from groupwise.evaluator.formats.parquet_rows import open_rows
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.reading.csv import read_csv
from groupwise.evaluator.reading.detection import Sample, take_sample
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.source import Source

COLUMNS = {"q_id", "doc_id", "score"}


def _read(source: Source, options: Options) -> Records:
    sample = take_sample(source)
    if sample.is_parquet:
        return _read_parquet(source, options)
    is_truth = _has_grades(sample) if options.role is None else options.role == "ground_truth"
    if is_truth:
        return LongRecords(source, _read_grades, build_whole_truth)
    return LongRecords(source, read_rows, build_ranking)


def _read_parquet(source: Source, options: Options) -> Records:
    file = open_rows(source)
    file.check_size()
    return read_long_table(
        source.name, file.schema.names, file.reader_of, options.role,
        is_large=file.metadata.num_rows > LARGE_ROWS,
    )  # fmt: skip


def _has_grades(sample: Sample) -> bool:
    """Whether the first scores of a table are whole numbers, as the grades of ranx are."""
    rows = _list_rows(sample)
    place = find_columns(rows[0]).get("score") if rows else None
    if place is None:
        return True
    scores = [row[place].strip() for row in rows[1:] if len(row) == len(rows[0])]
    return all(score.removeprefix("-").isdigit() for score in scores)


def _list_rows(sample: Sample) -> list[Sequence[str]]:
    rows = read_csv(io.BytesIO(b"\n".join(sample.lines)), sample.name, SEPARATORS)
    try:
        return [cells for _, cells in rows]
    except InputError:
        return []


def _read_grades(stream: BinaryIO, name: str, add_problem: AddProblem) -> Rows:
    """Yield the rows of judgements, whose scores are grades."""
    with closing(read_rows(stream, name, add_problem)) as blocks:
        for rows in blocks:
            yield [_rename(row) for row in rows]


def _rename(row: Row) -> Row:
    query, line, cells = row
    return query, line, {"grade" if name == "score" else name: cells[name] for name in cells}


def _list_columns(sample: Sample) -> Sequence[str]:
    if sample.row is not None:
        return list(sample.row)
    if sample.is_json or not sample.lines:
        return ()
    return next(iter(_list_rows(sample)), ())


def _recognises(sample: Sample) -> bool:
    return {name.strip() for name in _list_columns(sample)} >= COLUMNS


def _is_long(sample: Sample) -> bool:
    return sample.row is not None and are_long(sample.row)


FORMATS = (
    Format(
        "ranx", "ranx's `Qrels` and `Run` as CSV or parquet", frozenset({"ground_truth", "run"}),
        frozenset({"grades", "scores", "not_relevant"}),
        "`q_id, doc_id, score`; where the role is not known, whole scores are those of judgements",
        "flat: requires `--flat`; results by score",
        (".csv", ".tsv", ".parquet"), _recognises, _read, ids="`doc_id`",
    ),
    Format(
        "parquet-long", "parquet in long form", frozenset({"ground_truth", "run"}),
        frozenset({"groups", "grades", "weights", "labels", "not_relevant", "query", "text"}),
        "a row per alternative or result, with the columns of `csv` or `csv-run`",
        "the column `group`; without it flat: requires `--flat`; results by rank, else by score",
        (".parquet", ".pq"), _is_long, _read_parquet, extra="parquet",
        ids="as in `csv`",
    ),
)  # fmt: skip
