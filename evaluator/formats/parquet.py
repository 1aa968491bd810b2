"""Parquet, as AutoRAG and others write it: streamed in small batches of rows with pyarrow."""

import io
import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, BinaryIO

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.autorag_writer import write_autorag
from groupwise.evaluator.formats.parquet_writer import write_parquet
from groupwise.evaluator.formats.registry import Carried, Format
from groupwise.evaluator.reading.arrow import arrow
from groupwise.evaluator.reading.detection import ENCRYPTED_PARQUET, PARQUET, Sample
from groupwise.evaluator.reading.layout import check_types, layout_of
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.prefetch import ahead
from groupwise.evaluator.reading.records import Columns
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.tables import ROWS_PER_BATCH, TableRecords, columns_of

SHORTEST = 12
BUFFER_BYTES = 1 << 18
DOCUMENTS_PER_BATCH = 4096
BYTES_PER_BATCH = 1 << 22
"""Some batches are read ahead, so that they are not large even where rows are."""


def parquet_records(source: Source, options: Options) -> TableRecords:
    """The rows of a parquet file in the role that the call gives it; the schema is checked now."""
    with _opened(source) as file:
        schema = file.schema_arrow
        rows_at_once = _rows_at_once(file.metadata, options.role)
    layout = layout_of(
        schema.names, source.name, options.role, options.fields,
        texts=options.texts,
    )  # fmt: skip
    check_types(layout, schema, source.name)
    columns = list(dict.fromkeys(layout.columns.values()))

    def rows() -> Iterator[Columns]:
        with _opened(source) as file:
            batches = file.iter_batches(rows_at_once, columns=columns, use_threads=False)
            with closing(ahead(lambda: _explained(source, lambda: next(batches, None)))) as read:
                for batch in read:
                    yield columns_of(batch, columns, source.name)

    return TableRecords(source.name, rows, layout)


def _rows_at_once(metadata: Any, role: Role | None) -> int:
    """Return as many rows as usual, or fewer if rows are very long."""
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    size = sum(group.total_byte_size for group in groups)
    usual = DOCUMENTS_PER_BATCH if role == "corpus" else ROWS_PER_BATCH
    return max(1, min(usual, BYTES_PER_BATCH * int(metadata.num_rows) // max(1, int(size))))


@contextmanager
def _opened(source: Source) -> Iterator[Any]:
    """The file, closed afterwards; pages are read when their rows are asked for."""
    parquet = arrow("pyarrow.parquet", source.name)
    source.keep_decompressed()
    with source.open() as stream:
        _refuse_other_content(stream, source.name)
        yield _explained(
            source,
            lambda: parquet.ParquetFile(
                _native(stream), pre_buffer=False, buffer_size=BUFFER_BYTES
            ),
        )


def _native(stream: Any) -> Any:
    """The file as the library reads it by itself, where it is one: each read is then cheaper."""
    if isinstance(getattr(stream, "raw", None), io.FileIO):
        return arrow().OSFile(stream.name)
    return stream


def _refuse_other_content(stream: BinaryIO, name: str) -> None:
    """Say of the usual accidents what they are, before the library says something else."""
    start, length = stream.read(4), stream.seek(0, os.SEEK_END)
    stream.seek(max(0, length - 4))
    end = stream.read(4)
    stream.seek(0)
    if not length:
        raise _unsound("the file is empty", name, "IO009")
    if ENCRYPTED_PARQUET in (start, end):
        raise _unsound("the file is encrypted; groupwise reads parquet that is not", name)
    if start != PARQUET:
        raise _unsound("this is not parquet: the file does not begin with PAR1", name)
    if end != PARQUET or length < SHORTEST:
        raise _unsound("the parquet file is cut short: it does not end with PAR1", name)


def _explained(source: Source, work: Callable[[], Any]) -> Any:
    """Do a step of the library's work; what it raises of a damaged file is one clear line."""
    try:
        return work()
    except MemoryError:
        raise
    except (OSError, ValueError, NotImplementedError, TypeError, KeyError) as error:
        reason = (str(error).partition("\n")[0] or type(error).__name__)[:160]
        if "crypt" in reason.lower():
            message = "a column is encrypted; groupwise reads parquet that is not"
            raise _unsound(message, source.name) from None
        raise _unsound(f"the parquet file is damaged: {reason}", source.name) from None


def _unsound(message: str, name: str, code: str = "IO010") -> InputError:
    return InputError([Problem(message, name, code=code)])


def _is_parquet(sample: Sample) -> bool:
    return sample.is_parquet or sample.suffix in (".parquet", ".pq")


def _never(_sample: Sample) -> bool:
    return False


EVERY_ROLE: frozenset[Role] = frozenset({"ground_truth", "run", "corpus"})
WHOLE: frozenset[Carried] = frozenset(
    {
        "groups", "grades", "weights", "labels", "not_relevant", "unanswerable",
        "query", "metadata", "scores", "text", "spans", "whole_numbers", "tokens", "vectors",
        "empty_results", "repeats", "answers", "both",
    }
)  # fmt: skip
AS_AUTORAG: frozenset[Carried] = frozenset(
    {
        "groups", "unanswerable", "query", "scores", "text", "empty_results", "repeats", "answers",
        "both",
    }
)  # fmt: skip

FORMATS = (
    Format(
        "parquet", "parquet with the columns of groupwise or AutoRAG", EVERY_ROLE, WHOLE,
        "`id, query, ground_truth, results, scores, …`, or AutoRAG's names", "native",
        (".parquet", ".pq"), _is_parquet, parquet_records, write_parquet, extra="parquet",
    ),
    Format(
        "autorag", "AutoRAG's `qa.parquet`, `corpus.parquet` and result files", EVERY_ROLE,
        AS_AUTORAG,
        "`qid, query, retrieval_gt, generation_gt`; `doc_id, contents, metadata, path, "
        "start_end_idx`; `retrieved_ids, retrieve_scores, retrieved_contents`",
        "native; a flat `retrieval_gt` asks", (), _never, parquet_records, write_autorag,
        extra="parquet",
    ),
)  # fmt: skip
