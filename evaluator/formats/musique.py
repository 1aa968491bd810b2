"""MuSiQue: a paragraph per hop; paragraphs have no id, so one is made of title and text."""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Part
from groupwise.evaluator.formats.mapping.published import Made, declared, is_text, one_by_one
from groupwise.evaluator.formats.mapping.records import Unfit
from groupwise.evaluator.reading.content import passage_id
from groupwise.evaluator.reading.options import Options


def _made(part: Part, _options: Options) -> Made:
    record = {"id": part.field("id").text(), "query": part.field("question").text()}
    if not _is_answerable(part):
        # In the full set a question comes twice under one id, with and without its paragraphs.
        return Made({**record, "id": f"{record['id']}/unanswerable", "answerable": False})
    return Made({**record, "ground_truth": [[_alternative(one)] for one in _hops(part)]})


def _is_answerable(part: Part) -> bool:
    if "answerable" not in part.value:
        return True
    answerable = part.field("answerable")
    if not isinstance(answerable.value, bool):
        raise answerable.unfit("true or false")
    return answerable.value


def _hops(part: Part) -> list[Part]:
    """The paragraph of each hop; without a decomposition each that is marked as supporting."""
    paragraphs = part.field("paragraphs").some()
    if part.holds("question_decomposition"):
        steps = part.field("question_decomposition").some()
        return [_support(step.field("paragraph_support_idx"), paragraphs) for step in steps]
    supporting = [one for one in paragraphs if one.field("is_supporting").value is True]
    if not supporting:
        raise Unfit("no paragraph is marked as supporting", part.field("paragraphs").way)
    return supporting


def _support(index: Part, paragraphs: list[Part]) -> Part:
    if type(index.value) is int:
        for number, one in enumerate(paragraphs):
            if (one.field("idx").value if one.holds("idx") else number) == index.value:
                return one
    raise index.unfit("the idx of a paragraph")


def _alternative(paragraph: Part) -> dict[str, str]:
    title, text = paragraph.field("title").text(), paragraph.field("paragraph_text").text()
    return {"id": passage_id(title, text), "text": text}


def _recognises(record: Mapping[str, Any]) -> bool:
    return is_text(record, "id") and is_text(record, "question") and "paragraphs" in record


FORMATS = (
    declared(
        "musique", "MuSiQue", one_by_one(_made), _recognises,
        fields="`id, question, paragraphs[].{idx, title, paragraph_text, is_supporting}, "
        "question_decomposition[].paragraph_support_idx, answerable`",
        groups="one per hop; the id is made of the paragraph's title and text",
        carries=("text", "unanswerable"),
    ),
)  # fmt: skip
