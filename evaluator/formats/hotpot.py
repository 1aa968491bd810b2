"""HotpotQA and 2WikiMultihopQA: as published, or as the columns of the Hugging Face Hub."""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Cursor, deduplicate
from groupwise.evaluator.formats.mapping.published import (
    Converted,
    has_text,
    pick_metadata,
    published_format,
)
from groupwise.evaluator.reading.options import Options


def _convert(record: Cursor, _options: Options) -> Converted:
    facts = record.field("supporting_facts").some_items()
    titles = deduplicate([_find_title(fact).text() for fact in facts])
    fields: dict[str, Any] = {
        "id": record.first_of("_id", "id").id(),
        "query": record.field("question").text(),
        "ground_truth": [[title] for title in titles],
    }
    return Converted(fields | pick_metadata(record, "type", "level"))


def _find_title(fact: Cursor) -> Cursor:
    """Return the title of a supporting fact: the first of a pair, or a field."""
    if isinstance(fact.value, dict):
        return fact.field("title")
    if not isinstance(fact.value, list) or len(fact.value) != 2:
        raise fact.wrong_type("a pair of title and sentence")
    return fact.items()[0]


def _recognises(record: Mapping[str, Any]) -> bool:
    is_question = has_text(record, "_id", "id") and has_text(record, "question")
    return is_question and {"supporting_facts", "context"} <= record.keys()


FORMATS = (
    published_format(
        "hotpotqa", "HotpotQA, 2WikiMultihopQA", _recognises, convert=_convert,
        fields="`_id` or `id`, `question, supporting_facts, context`; `type, level` as metadata",
        groups="one per distinct title of `supporting_facts`; the title is the document's id",
        ids="the title of the page; its sentences are not told apart",
        carries=("metadata",),
    ),
)  # fmt: skip
