"""The formats of our own: JSON and JSON Lines, data sets, runs and fixtures alike."""

from groupwise.evaluator.formats.document import JsonDocument
from groupwise.evaluator.formats.jsonl import JsonLines
from groupwise.evaluator.formats.registry import Carried, Format, Options, Record, Sample
from groupwise.evaluator.formats.source import Source
from groupwise.schemas import FixtureHead, FixtureQuery
from groupwise.schemas.shape import CANONICAL

EVERYTHING: frozenset[Carried] = frozenset(
    {
        "groups", "grades", "weights", "labels", "not_relevant", "unanswerable",
        "query", "metadata", "scores", "text", "spans", "whole_numbers",
    }
)  # fmt: skip
OURS = frozenset(FixtureQuery.model_fields) | frozenset(FixtureHead.model_fields) | {"queries"}


def is_ours(record: Record | None) -> bool:
    """Whether a first record has an id or queries, and nothing that a field of ours is not."""
    fields = {CANONICAL.get(name, name) for name in record or ()}
    return bool(fields & {"id", "queries"}) and fields <= OURS


def _lines(source: Source, _options: Options) -> JsonLines:
    return JsonLines(source)


def _document(source: Source, _options: Options) -> JsonDocument:
    return JsonDocument(source)


def _looks_like_lines(sample: Sample) -> bool:
    return is_ours(sample.first_record) and sample.suffix in (".jsonl", ".ndjson")


def _looks_like_document(sample: Sample) -> bool:
    return is_ours(sample.first_record) and sample.suffix == ".json"


FORMATS = (
    Format(
        "jsonl", "groupwise JSON Lines", frozenset({"ground_truth", "run"}), EVERYTHING,
        "`id, ground_truth, results, scores, …`, one record per line", "native",
        (".jsonl", ".ndjson"), _looks_like_lines, _lines,
    ),
    Format(
        "json", "groupwise JSON", frozenset({"ground_truth", "run"}), EVERYTHING,
        "a list of records, a map by query id, or a fixture", "native",
        (".json",), _looks_like_document, _document,
    ),
)  # fmt: skip
