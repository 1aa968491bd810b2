"""ragas: references and retrieved contexts of each question, by id or by text."""

import re
from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Cursor
from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.evaluator.formats.mapping.published import (
    Converted,
    choose_sides,
    has_text,
    published_format,
)
from groupwise.evaluator.reading.content import text_id
from groupwise.evaluator.reading.options import Options
from groupwise.schemas import Id

HOP = re.compile(r"\A\s*<\d+-hop>\s*")
REFERENCES = ("reference_context_ids", "reference_contexts")
RETRIEVED = ("retrieved_context_ids", "retrieved_contexts")


def _convert(record: Cursor, options: Options) -> Converted:
    question = record.field("user_input").text()
    truth, results = choose_sides(
        options, truth=_has_any(record, REFERENCES), results=_has_any(record, RETRIEVED)
    )
    by_id = _is_by_id(record)
    convert = Cursor.id if by_id else _convert_context
    fields: dict[str, Any] = {}
    if truth:
        references = record.field(REFERENCES[not by_id]).some_items()
        fields = {"query": question, "ground_truth": [[convert(part)] for part in references]}
    if results:
        fields["results"] = [convert(part) for part in record.field(RETRIEVED[not by_id]).items()]
    return Converted(fields, question)


def _has_any(record: Cursor, names: tuple[str, str]) -> bool:
    return any(record.has(name) for name in names)


def _is_by_id(record: Cursor) -> bool:
    """Whether both sides have ids, as far as they are present; otherwise both have texts."""
    present = [names for names in (REFERENCES, RETRIEVED) if _has_any(record, names)]
    for by_id in (True, False):
        if all(record.has(names[not by_id]) for names in present):
            return by_id
    raise Unfit(
        "ids on one side and texts on the other; give reference_context_ids and "
        "retrieved_context_ids, or reference_contexts and retrieved_contexts"
    )


def _convert_context(context: Cursor) -> Id | dict[str, str]:
    text = HOP.sub("", context.text())
    if not text.strip():
        raise context.wrong_type("a text after the hop marker")
    return {"id": text_id(text), "text": text}


def _recognises(record: Mapping[str, Any]) -> bool:
    known = (*REFERENCES, *RETRIEVED)
    return has_text(record, "user_input") and any(name in record for name in known)


FORMATS = (
    published_format(
        "ragas", "ragas", _recognises, convert=_convert,
        fields="`user_input, reference_contexts, reference_context_ids`; results in "
        "`retrieved_contexts, retrieved_context_ids`",
        groups="one per reference: by id if both sides have ids, otherwise by text, without the "
        "`<1-hop>` in front; the question is the query's id",
        ids="the context id, or the text of the context",
        carries=("text",), holds=("ground_truth", "run"),
    ),
)  # fmt: skip
