"""DPR, and Natural Questions as DPR has them: positive passages, and passages retrieved."""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Part, distinct
from groupwise.evaluator.formats.mapping.published import Made, declared, is_text, one_by_one, sides
from groupwise.evaluator.reading.content import passage_id
from groupwise.evaluator.reading.options import Options
from groupwise.schemas import Id

PASSAGE_IDS = ("passage_id", "psg_id", "id")


def _made(part: Part, options: Options) -> Made:
    question = part.field("question").text()
    truth, results = sides(
        options, truth=part.holds("positive_ctxs"), results=part.holds("ctxs")
    )  # fmt: skip
    record = {"query": question, "ground_truth": _truth(part)} if truth else {}
    return Made(record | (_results(part.field("ctxs")) if results else {}), question)


def _truth(part: Part) -> list[list[Id]]:
    """One group of all positives; DPR itself leaves out the questions that have none."""
    positives = distinct([_passage(one) for one in part.field("positive_ctxs").items()])
    return [positives] if positives else []


def _results(contexts: Part) -> dict[str, Any]:
    found = contexts.items()
    results = {"results": [_passage(one) for one in found]}
    if found and all(one.holds("score") for one in found):
        return {**results, "scores": [one.field("score").number() for one in found]}
    return results


def _passage(context: Part) -> Id:
    if any(context.holds(name) for name in PASSAGE_IDS):
        return context.first_of(*PASSAGE_IDS).id()
    title = context.value.get("title") if isinstance(context.value, dict) else None
    return passage_id(title if isinstance(title, str) else "", context.field("text").text())


def _recognises(record: Mapping[str, Any]) -> bool:
    return is_text(record, "question") and any(
        isinstance(record.get(name), list) for name in ("positive_ctxs", "ctxs")
    )


FORMATS = (
    declared(
        "dpr", "DPR", one_by_one(_made), _recognises,
        fields="`question, positive_ctxs[].{passage_id or psg_id, title, text}`; results in "
        "`ctxs[].{id, score}`",
        groups="one group of all positives; without an id one is made of title and text; the "
        "question is the query's id",
        carries=("scores", "unanswerable"), holds=("ground_truth", "run"),
    ),
)  # fmt: skip
