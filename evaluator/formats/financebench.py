"""FinanceBench: pages of filings; the answer needs every page that is listed as evidence.

Where results are matched by text, it needs every excerpt, of which a page may have several.
"""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Cursor
from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.evaluator.formats.mapping.published import (
    Converted,
    has_text,
    list_objects,
    pick_metadata,
    published_format,
)
from groupwise.evaluator.reading.options import Options

DOCUMENTS = ("evidence_doc_name", "doc_name")
PAGE = "evidence_page_num"
SLICES = ("question_type", "question_reasoning", "company")
NO_DOCUMENT = "no evidence_doc_name or doc_name; a page number alone identifies no page"


def _convert(record: Cursor, options: Options) -> Converted:
    evidence = record.field("evidence").some_items()
    pages = [_excerpt(piece) if options.by_text else _page_id(piece) for piece in evidence]
    fields: dict[str, Any] = {
        "id": record.field("financebench_id").id(),
        "query": record.field("question").text(),
        "ground_truth": [[page] for place, page in enumerate(pages) if page not in pages[:place]],
    }
    return Converted(fields | pick_metadata(record, *SLICES))


def _excerpt(evidence: Cursor) -> Any:
    """Return the text of a piece of evidence, with the id of its page."""
    document = evidence.first_of(*DOCUMENTS)
    text = evidence.field("evidence_text").text()
    return {"id": _page_id(evidence), "text": text, "document": document.value}


def _page_id(evidence: Cursor) -> str:
    page = evidence.field(PAGE).id()
    if not any(map(evidence.has, DOCUMENTS)):
        raise Unfit(NO_DOCUMENT, evidence.pointer)
    return f"{evidence.first_of(*DOCUMENTS).text()}#{page}"


def _recognises(record: Mapping[str, Any]) -> bool:
    pieces = list_objects(record, "evidence")
    is_question = "financebench_id" in record and has_text(record, "question")
    return is_question and any(PAGE in piece for piece in pieces)


FORMATS = (
    published_format(
        "financebench", "FinanceBench", _recognises, convert=_convert,
        fields="`financebench_id, question, evidence[].{evidence_doc_name or doc_name, "
        "evidence_page_num, evidence_text}`; `question_type, question_reasoning, company` as "
        "metadata",
        groups="one per page of `evidence`; a page named twice is one; with `--match text` one per "
        "`evidence_text`",
        ids="the document and the page, counted from 0 as in the data: `ALDMOOR_2018_10K#59`",
        carries=("metadata",),
    ),
)  # fmt: skip
