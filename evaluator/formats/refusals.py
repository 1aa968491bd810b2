"""Files that groupwise knows but cannot use here: refused by name, with what to do instead."""

import io
import re
from itertools import islice

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.registry import REGISTRY, Format
from groupwise.evaluator.formats.trec_lines import split_content
from groupwise.evaluator.reading.csv import read_csv
from groupwise.evaluator.reading.detection import SAMPLE_LINES, Sample, detect_roles
from groupwise.evaluator.reading.options import CORPUS, ROLE_NAMES, Role
from groupwise.schemas.values import names_in

TEXT_FORMATS = frozenset({
    "csv", "csv-run", "csv-corpus", "id-list", "beir-qrels", "trec-qrels", "trec-diversity",
    "trec-run",
})  # fmt: skip
"""The formats whose files are lines of plain text."""
JSON_FORMATS = frozenset({"json", "jsonl"})
SEPARATORS = "\t,;"
DOCUMENT_FIELDS = frozenset({
    "id", "_id", "doc_id", "docid", "document_id", "text", "contents", "content", "page_content",
    "title", "url", "metadata", "document", "path", "source", "start", "end", "start_end_idx",
    "tokens", "vector", "embedding", "last_modified_datetime",
})  # fmt: skip
"""Fields that documents have; a record with others may be anything."""


def refuse_other_content(named: Format, sample: Sample) -> None:
    """Raise an InputError if a file is plainly not of the built-in format that is named."""
    if named.name not in REGISTRY.built_in or sample.files is not None:
        return
    found = _find_content(named, sample)
    if found is not None:
        message = (
            f"this is {found}, not {named.title} ({named.name}); leave out format={named.name!r}"
        )
        raise InputError([Problem(message, sample.name, code="IO001")])
    if named.name.startswith("trec") and (kind := _describe_trec_file(sample)):
        raise InputError([Problem(kind, sample.name, code="IO008")])


def _find_content(named: Format, sample: Sample) -> str | None:
    """Return what a file is, if it cannot be of the named format."""
    reads_parquet = named.extra == "parquet" or ".parquet" in named.suffixes
    if sample.is_parquet:
        return None if reads_parquet else "parquet"
    if named.name not in TEXT_FORMATS | JSON_FORMATS and named.extra != "parquet":
        return None
    if sample.first_record is not None:
        return None if named.name in JSON_FORMATS else "JSON"
    if named.name in TEXT_FORMATS or sample.is_json:
        return None
    texts = (known for name, known in REGISTRY.built_in.items() if name in TEXT_FORMATS)
    others = (known for known in texts if known.holds != {"corpus"})
    other = next((known for known in others if known.recognises(sample)), None)
    return None if other is None else f"{other.title} ({other.name})"


def refuse_known_others(sample: Sample, role: Role | None) -> None:
    """Raise an InputError for a file that no format recognises, if it is known what it is."""
    if message := describe_known_other(sample, role):
        raise InputError([Problem(message, sample.name, code="IO008")])


def describe_known_other(sample: Sample, role: Role | None) -> str | None:
    """Return what a file is that no format recognises, and what to do; None if it is unknown."""
    if sample.files is not None or role == "corpus":
        return None
    if _is_corpus(sample):
        return CORPUS.format(expected=ROLE_NAMES["run" if role == "run" else "ground_truth"])
    return _describe_trec_file(sample)


def _is_corpus(sample: Sample) -> bool:
    """Whether the first record, or the header, has the fields of documents and no others."""
    if sample.is_json:
        fields = sample.first_record or {}
        if detect_roles(fields):
            return False
    else:
        fields = dict.fromkeys(_read_header(sample))
    is_known = DOCUMENT_FIELDS.issuperset(map(str.lower, fields))
    return is_known and {"id", "text"} <= names_in([*map(str.lower, fields)]).keys()


def _read_header(sample: Sample) -> list[str]:
    """Return the names in the first line, as far as it is one of CSV or TSV."""
    try:
        _, header = next(read_csv(io.BytesIO(sample.first_line), sample.name, SEPARATORS))
    except (InputError, StopIteration):
        return []
    return [name.strip() for name in header]


NUMBER = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
MEASURES = frozenset(b"runid num_q num_ret num_rel num_rel_ret map Rprec bpref recip_rank".split())
USE_QRELS = "expected qrels (query iteration document relevance)"


def _describe_trec_file(sample: Sample) -> str | None:
    """Return what a file of trec_eval is that holds neither qrels nor a run."""
    lines = filter(None, map(split_content, sample.all_lines))
    rows = [] if sample.is_json else list(islice(lines, SAMPLE_LINES))
    width = len(rows[0]) if rows and len({*map(len, rows)}) == 1 else 0
    if width == 3 and MEASURES & {row[0] for row in rows}:
        return "this is the output of trec_eval; expected judgements or a run"
    if width == 4 and MEASURES & {row[1] for row in rows}:
        return f"these are z-scores of trec_eval (-Z: query measure mean deviation); {USE_QRELS}"
    if width == 5 and {row[0].upper() for row in rows} == {b"Q0"}:
        return "this is a TREC run without its first column, the query"
    if width == 5 and all(NUMBER.fullmatch(row[4]) for row in rows):
        return f"these are preference judgements of trec_eval (-R prefs); {USE_QRELS}"
    return None
