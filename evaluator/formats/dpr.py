"""DPR, and Natural Questions in its format: positive passages, and passages retrieved."""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Cursor, are_columns, deduplicate
from groupwise.evaluator.formats.mapping.published import (
    Converted,
    add_scores,
    choose_sides,
    has_text,
    pick_metadata,
    published_format,
)
from groupwise.evaluator.reading.content import passage_id
from groupwise.evaluator.reading.options import Options
from groupwise.schemas import Id

PASSAGE_IDS = ("passage_id", "psg_id", "id")


def _convert(record: Cursor, options: Options) -> Converted:
    question = record.field("question").text()
    truth, results = choose_sides(
        options, truth=record.has("positive_ctxs"), results=record.has("ctxs")
    )
    fields: dict[str, Any] = {}
    if truth:
        fields = {"query": question, "ground_truth": _convert_truth(record)}
        fields |= pick_metadata(record, "dataset")
    return Converted(fields | (_convert_results(record) if results else {}), question)


def _convert_truth(record: Cursor) -> list[list[Id]]:
    """Return one group of all positives; DPR itself skips the questions that have none."""
    passages = record.field("positive_ctxs").items()
    positives = deduplicate([_passage_id(passage) for passage in passages])
    return [positives] if positives else []


def _convert_results(record: Cursor) -> dict[str, Any]:
    passages = record.field("ctxs").items()
    return add_scores({"results": [_passage_id(passage) for passage in passages]}, passages)


def _passage_id(passage: Cursor) -> Id:
    if any(passage.has(name) for name in PASSAGE_IDS):
        return passage.first_of(*PASSAGE_IDS).id()
    title = passage.value.get("title") if isinstance(passage.value, dict) else None
    return passage_id(title if isinstance(title, str) else "", passage.field("text").text())


def _recognises(record: Mapping[str, Any]) -> bool:
    sides = [record.get(name) for name in ("positive_ctxs", "ctxs")]
    has_passages = any(isinstance(side, list) or are_columns(side) for side in sides)
    return has_text(record, "question") and has_passages


FORMATS = (
    published_format(
        "dpr", "DPR", _recognises, convert=_convert,
        fields="`question, positive_ctxs[].{passage_id or psg_id, title, text}`; results in "
        "`ctxs[].{id, score}`; `dataset` as metadata",
        groups="one group of all positives; a passage without an id gets one from title and text; "
        "the question is the query's id",
        ids="`passage_id`, `psg_id` or `id`, otherwise `title`, if there is one, and `text`",
        carries=("scores", "unanswerable", "metadata"), holds=("ground_truth", "run"),
    ),
)  # fmt: skip
