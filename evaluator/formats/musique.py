"""MuSiQue: a paragraph per hop; paragraphs have no id, so they get one from title and text."""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Cursor
from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.evaluator.formats.mapping.published import Converted, has_text, published_format
from groupwise.evaluator.reading.content import passage_id
from groupwise.evaluator.reading.options import Options


def _convert(record: Cursor, _options: Options) -> Converted:
    fields: dict[str, Any] = {
        "id": record.field("id").text(),
        "query": record.field("question").text(),
        **_count_hops(record),
    }
    if not _is_answerable(record):
        # In the full set a question comes twice under one id, with and without its paragraphs.
        return Converted({**fields, "id": f"{fields['id']}/unanswerable", "answerable": False})
    groups = [[_convert_paragraph(paragraph)] for paragraph in _list_hops(record)]
    return Converted({**fields, "ground_truth": groups})


def _count_hops(record: Cursor) -> dict[str, Any]:
    """Return the number of hops, as metadata, if the question is decomposed into them."""
    steps = record.value.get("question_decomposition")
    return {"metadata": {"hops": len(steps)}} if isinstance(steps, list) and steps else {}


def _is_answerable(record: Cursor) -> bool:
    if "answerable" not in record.value:
        return True
    answerable = record.field("answerable")
    if not isinstance(answerable.value, bool):
        raise answerable.wrong_type("true or false")
    return answerable.value


def _list_hops(record: Cursor) -> list[Cursor]:
    """Return the paragraph of each hop; without a decomposition, all marked as supporting."""
    paragraphs = record.field("paragraphs").some_items()
    if record.has("question_decomposition"):
        steps = record.field("question_decomposition").some_items()
        return [_find_support(step.field("paragraph_support_idx"), paragraphs) for step in steps]
    supporting = [p for p in paragraphs if p.field("is_supporting").value is True]
    if not supporting:
        raise Unfit("no paragraph is marked as supporting", record.field("paragraphs").pointer)
    return supporting


def _find_support(index: Cursor, paragraphs: list[Cursor]) -> Cursor:
    if type(index.value) is int:
        for number, paragraph in enumerate(paragraphs):
            own = paragraph.field("idx").value if paragraph.has("idx") else number
            if own == index.value:
                return paragraph
    raise index.wrong_type("the idx of a paragraph")


def _convert_paragraph(paragraph: Cursor) -> dict[str, str]:
    title, text = paragraph.field("title").text(), paragraph.field("paragraph_text").text()
    return {"id": passage_id(title, text), "text": text}


def _recognises(record: Mapping[str, Any]) -> bool:
    return has_text(record, "id") and has_text(record, "question") and "paragraphs" in record


FORMATS = (
    published_format(
        "musique", "MuSiQue", _recognises, convert=_convert,
        fields="`id, question, paragraphs[].{idx, title, paragraph_text, is_supporting}, "
        "question_decomposition[].paragraph_support_idx, answerable`; `hops`, their number, as "
        "metadata",
        groups="one per hop; the id is made from the paragraph's title and text",
        ids="`title` and `paragraph_text`",
        carries=("text", "unanswerable", "metadata"),
    ),
)  # fmt: skip
