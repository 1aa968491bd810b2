"""Parquet, as AutoRAG and others write it."""

from groupwise.evaluator.formats.autorag_writer import write_autorag
from groupwise.evaluator.formats.mapping.table_fields import open_columns
from groupwise.evaluator.formats.parquet_rows import ParquetRows, open_rows
from groupwise.evaluator.formats.parquet_writer import write_parquet
from groupwise.evaluator.formats.registry import Carried, Format
from groupwise.evaluator.reading.detection import Sample
from groupwise.evaluator.reading.options import EVERY_ROLE, Options
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.source import Source


def parquet_records(source: Source, options: Options) -> Records:
    """Return the rows of a parquet file in the role of the options; the schema is checked now."""
    return table_records(open_rows(source), options)


def table_records(file: ParquetRows, options: Options) -> Records:
    """Return the rows of an open parquet file in the role of the options."""
    names = file.schema.names
    records = open_columns(names, None, file.reader_of, file.source.name, options, file.schema)
    file.check_size()
    return records


def _is_parquet(sample: Sample) -> bool:
    return sample.is_parquet or sample.suffix in (".parquet", ".pq")


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
        ids="`id`, or the bare id",
    ),
    Format(
        "autorag", "AutoRAG's `qa.parquet`, `corpus.parquet` and result files", EVERY_ROLE,
        AS_AUTORAG,
        "`qid, query, retrieval_gt, generation_gt`; `doc_id, contents, metadata, path, "
        "start_end_idx`; `retrieved_ids, retrieve_scores, retrieved_contents`",
        "native; a flat `retrieval_gt` requires `--flat`",
        read=parquet_records, write=write_autorag, extra="parquet", ids="`doc_id`",
    ),
)  # fmt: skip
