"""deepeval: goldens and test cases, with reference contexts and retrieved ones, by text.

deepeval writes lists into JSON, and texts joined by ``|`` into JSON Lines and CSV.
"""

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

REFERENCE = "context"
RETRIEVED = ("retrieval_context", "retrievalContext")
METADATA = ("additional_metadata", "additionalMetadata")
OUTPUTS = ("expected_output", "expectedOutput", "actual_output", "actualOutput")
SOURCE = re.compile(r"\Adeepeval_source=.*?,deepeval_context=(.*)\Z", re.DOTALL)
"""A retrieved text that has its source in front."""
DELIMITER = "|"
MULTI_TURN = (
    "a golden of a conversation (scenario, turns); groupwise evaluates one retrieval per query: "
    "give each turn a record with input, context and retrieval_context"
)
NO_CONTEXT = (
    "no context, the texts that should be retrieved (expected_output is an answer, not a "
    "document); add it, or leave the golden out"
)
JOINED = (
    "the contexts are joined by '|', as deepeval writes JSON Lines and CSV, and were split there; "
    "a context that contains '|' is taken for several: save_as('json') keeps contexts apart"
)


def _convert(record: Cursor, options: Options) -> Converted:
    if record.has("scenario") and not record.has("input"):
        raise Unfit(MULTI_TURN, record.pointer)
    question = record.field("input").text()
    truth, results = choose_sides(
        options, truth=record.has(REFERENCE), results=any(map(record.has, RETRIEVED))
    )
    fields: dict[str, Any] = {}
    used: list[Cursor] = []
    if truth:
        if not record.has(REFERENCE):
            raise Unfit(NO_CONTEXT, record.pointer)
        used.append(record.field(REFERENCE))
        fields = {"query": question, "ground_truth": _convert_references(used[-1])}
        fields |= _take_metadata(record)
    if results:
        used.append(record.first_of(*RETRIEVED))
        fields["results"] = [_convert_text(text) for text in _list_texts(used[-1])]
    note = JOINED if any(map(_is_joined, used)) else None
    return Converted(fields, question, note=note)


def _take_metadata(record: Cursor) -> dict[str, Any]:
    found = (record.value.get(name) for name in METADATA)
    metadata = next((value for value in found if isinstance(value, dict) and value), None)
    return {"metadata": metadata} if metadata else {}


def _convert_references(contexts: Cursor) -> list[list[dict[str, str]]]:
    if not (texts := _list_texts(contexts)):
        raise Unfit("expected at least one context, got none", contexts.pointer)
    return [[_convert_text(text)] for text in texts]


def _list_texts(contexts: Cursor) -> list[Cursor]:
    if not isinstance(contexts.value, str):
        return contexts.items()
    parts = contexts.value.split(DELIMITER) if contexts.value else []
    return [Cursor(part, contexts.pointer) for part in parts]


def _is_joined(contexts: Cursor) -> bool:
    return isinstance(contexts.value, str) and DELIMITER in contexts.value


def _convert_text(context: Cursor) -> dict[str, str]:
    marked = SOURCE.match(context.text())
    text = Cursor(marked[1], context.pointer).text() if marked else context.text()
    return {"id": text_id(text), "text": text}


def _recognises(record: Mapping[str, Any]) -> bool:
    if "scenario" in record and "turns" in record:
        return "expected_outcome" in record or "expectedOutcome" in record
    has_output = any(name in record for name in OUTPUTS)
    has_contexts = any(name in record for name in RETRIEVED) or (REFERENCE in record and has_output)
    return has_text(record, "input") and has_contexts


FORMATS = (
    published_format(
        "deepeval", "deepeval goldens and test cases", _recognises, convert=_convert,
        lists=(REFERENCE, *RETRIEVED),
        fields="`input, context`; results in `retrieval_context` or `retrievalContext`; lists, or "
        "texts joined by `|` as in its JSON Lines and CSV; `additional_metadata` as metadata",
        groups="one per text of `context`, by text; the question is the query's id",
        ids="the text of the context",
        carries=("text", "metadata"), holds=("ground_truth", "run"),
    ),
)  # fmt: skip
