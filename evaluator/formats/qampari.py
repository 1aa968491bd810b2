"""QAMPARI: questions with many answers, each with the pages that prove it."""

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


def _convert(record: Cursor, _options: Options) -> Converted:
    answers = record.field("answer_list").some_items()
    fields = {
        "id": record.field("qid").text(),
        "query": record.field("question_text").text(),
        "ground_truth": [_list_pages(answer) for answer in answers],
    }
    return Converted(fields)


def _list_pages(answer: Cursor) -> list[Id]:
    proofs = answer.field("proof").some_items()
    return deduplicate([proof.field("found_in_url").text() for proof in proofs])


def _recognises(record: Mapping[str, Any]) -> bool:
    has_proof = any("proof" in answer for answer in list_objects(record, "answer_list"))
    return has_proof and has_text(record, "question_text")


FORMATS = (
    published_format(
        "qampari", "QAMPARI", _recognises, convert=_convert,
        fields="`qid, question_text, answer_list[].proof[].found_in_url`",
        groups="one per answer, the pages that prove it as alternatives",
        ids="`found_in_url`",
    ),
)  # fmt: skip
