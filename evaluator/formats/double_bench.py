"""Double-Bench: the pages of a document that answer each step of a question."""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Cursor, deduplicate
from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.evaluator.formats.mapping.published import (
    Converted,
    has_text,
    list_objects,
    pick_metadata,
    published_format,
)
from groupwise.evaluator.reading.options import Options
from groupwise.schemas import Id

QUESTIONS = ("question", "query")
DOCUMENTS = ("doc_path", "file_name")
NO_DOCUMENT = "no doc_path or file_name; a page number alone identifies no page"


def _convert(record: Cursor, _options: Options) -> Converted:
    question = record.first_of(*QUESTIONS).text()
    document = _find_document(record).text()
    steps = record.field("steps").some_items() if record.has("steps") else [record]
    groups = [_page_ids(step.field("reference_page"), document) for step in steps]
    fields: dict[str, Any] = {"id": record.field("uid").id()} if record.has("uid") else {}
    fields |= {"query": question, "ground_truth": groups, **pick_metadata(record, "modality")}
    return Converted(fields, question)


def _find_document(record: Cursor) -> Cursor:
    if not any(map(record.has, DOCUMENTS)):
        raise Unfit(NO_DOCUMENT, record.pointer)
    return record.first_of(*DOCUMENTS)


def _page_ids(pages: Cursor, document: str) -> list[Id]:
    found = pages.some_items() if isinstance(pages.value, list) else [pages]
    return deduplicate([f"{document}#{page.id()}" for page in found])


def _recognises(record: Mapping[str, Any]) -> bool:
    steps = [*list_objects(record, "steps"), record]
    return has_text(record, *QUESTIONS) and any("reference_page" in step for step in steps)


FORMATS = (
    published_format(
        "double-bench", "Double-Bench", _recognises, convert=_convert,
        fields="`uid, question` or `query, doc_path` or `file_name, steps[].reference_page`; a "
        "single hop has `reference_page` itself; `modality` as metadata",
        groups="one per step, its pages as alternatives",
        ids="`doc_path` or `file_name`, and the page: `docs/English/0786#13`",
        carries=("metadata",),
    ),
)  # fmt: skip
