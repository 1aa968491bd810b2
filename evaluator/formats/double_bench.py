"""Double-Bench: the pages of a document that answer each step of a question."""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Cursor, deduplicate
from groupwise.evaluator.formats.mapping.published import (
    Converted,
    has_text,
    list_objects,
    published_format,
)
from groupwise.evaluator.reading.options import Options
from groupwise.schemas import Id

QUESTIONS = ("question", "query")


def _convert(record: Cursor, _options: Options) -> Converted:
    question = record.first_of(*QUESTIONS).text()
    document = record.field("file_name").text() if record.has("file_name") else None
    steps = record.field("steps").some_items() if record.has("steps") else [record]
    groups = [_page_ids(step.field("reference_page"), document) for step in steps]
    fields = {"id": record.field("uid").id()} if record.has("uid") else {}
    return Converted({**fields, "query": question, "ground_truth": groups}, question)


def _page_ids(pages: Cursor, document: str | None) -> list[Id]:
    """Return ids of document and page: a page's number is one within its document."""
    found = pages.some_items() if isinstance(pages.value, list) else [pages]
    numbers = [page.id() for page in found]
    return deduplicate(
        numbers if document is None else [f"{document}#{number}" for number in numbers]
    )


def _recognises(record: Mapping[str, Any]) -> bool:
    steps = [*list_objects(record, "steps"), record]
    return has_text(record, *QUESTIONS) and any("reference_page" in step for step in steps)


FORMATS = (
    published_format(
        "double-bench", "Double-Bench", _recognises, convert=_convert,
        fields="`uid, question` or `query, file_name, steps[].reference_page`; a single hop has "
        "`reference_page` itself",
        groups="one per step, its pages as alternatives; the id is `file_name#page`",
        carries=("whole_numbers",),
    ),
)  # fmt: skip
