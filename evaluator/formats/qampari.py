"""QAMPARI: questions with many answers, each with the pages that prove it."""

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


def _made(part: Part, _options: Options) -> Made:
    record = {
        "id": part.field("qid").text(),
        "query": part.field("question_text").text(),
        "ground_truth": [_group(answer) for answer in part.field("answer_list").some()],
    }
    return Made(record)


def _group(answer: Part) -> list[Id]:
    proofs = answer.field("proof").some()
    return distinct([proof.field("found_in_url").text() for proof in proofs])


def _recognises(record: Mapping[str, Any]) -> bool:
    proved = any("proof" in answer for answer in objects_in(record, "answer_list"))
    return proved and is_text(record, "question_text")


FORMATS = (
    declared(
        "qampari", "QAMPARI", one_by_one(_made), _recognises,
        fields="`qid, question_text, answer_list[].proof[].found_in_url`",
        groups="one per answer, the pages that prove it as alternatives",
    ),
)  # fmt: skip
