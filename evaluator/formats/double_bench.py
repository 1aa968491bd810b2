"""Double-Bench: the pages of a document that answer each step of a question."""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Part, distinct
from groupwise.evaluator.formats.mapping.published import (
    Made,
    declared,
    is_text,
    objects_in,
    one_by_one,
)
from groupwise.evaluator.reading.options import Options
from groupwise.schemas import Id

QUESTIONS = ("question", "query")


def _made(part: Part, _options: Options) -> Made:
    question = part.first_of(*QUESTIONS).text()
    document = part.field("file_name").text() if part.holds("file_name") else None
    steps = part.field("steps").some() if part.holds("steps") else [part]
    groups = [_pages(step.field("reference_page"), document) for step in steps]
    named = {"id": part.field("uid").id()} if part.holds("uid") else {}
    return Made({**named, "query": question, "ground_truth": groups}, question)


def _pages(pages: Part, document: str | None) -> list[Id]:
    """A page's number is one within its document, so both make the id."""
    found = pages.some() if isinstance(pages.value, list) else [pages]
    ids = [one.id() for one in found]
    return distinct(ids if document is None else [f"{document}#{one}" for one in ids])


def _recognises(record: Mapping[str, Any]) -> bool:
    hops = [*objects_in(record, "steps"), record]
    return is_text(record, *QUESTIONS) and any("reference_page" in hop for hop in hops)


FORMATS = (
    declared(
        "double-bench", "Double-Bench", one_by_one(_made), _recognises,
        fields="`uid, question` or `query, file_name, steps[].reference_page`; a single hop has "
        "`reference_page` itself",
        groups="one per step, its pages as alternatives; the id is `file_name#page`",
        carries=("whole_numbers",),
    ),
)  # fmt: skip
