"""MultiHop-RAG: a fact is found by every retrieved text that contains it.

Which texts contain it is for the matcher to say. The published evaluation compares texts without
spaces and line ends, which is how files that hold both sides are matched unless a call says
otherwise; and texts that differ in nothing else have one id.
"""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Cursor
from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.evaluator.formats.mapping.published import (
    Converted,
    add_scores,
    choose_sides,
    has_text,
    published_format,
)
from groupwise.evaluator.reading.content import digest_id
from groupwise.evaluator.reading.options import Options

FACTS = ("gold_list", "evidence_list")
UNANSWERABLE = "null_query"
SPACE = str.maketrans("", "", " \n")
MATCHING = {
    "type": "text", "method": "contain", "case": "keep", "unicode": "keep", "space": "ignore",
}  # fmt: skip
"""The rule of the published evaluation."""


def _convert(record: Cursor, options: Options) -> Converted:
    question = record.field("query").text()
    truth, results = choose_sides(
        options,
        truth=any(record.has(name) for name in FACTS),
        results=record.has("retrieval_list"),
    )
    fields = {"query": question, **_convert_truth(record)} if truth else {}
    return Converted(fields | (_convert_results(record) if results else {}), question)


def _convert_truth(record: Cursor) -> dict[str, Any]:
    kind = record.field("question_type").text()
    metadata = {"metadata": {"question_type": kind}}
    if kind == UNANSWERABLE:
        return {"answerable": False, **metadata}
    facts = [fact.field("fact") for fact in record.first_of(*FACTS).some_items()]
    return {"ground_truth": [[_convert_fact(fact)] for fact in facts], **metadata}


def _convert_fact(fact: Cursor) -> dict[str, str]:
    if not fact.text().split():
        raise Unfit("a fact of nothing but white space", fact.pointer)
    return _identify(fact.text())


def _identify(text: str) -> dict[str, str]:
    """Return a text with its id."""
    return {"id": digest_id(text.translate(SPACE)), "text": text}


def _convert_results(record: Cursor) -> dict[str, Any]:
    found = record.field("retrieval_list").items()
    return add_scores({"results": [_identify(one.field("text").text()) for one in found]}, found)


def _recognises(record: Mapping[str, Any]) -> bool:
    is_question = has_text(record, "query") and has_text(record, "question_type")
    return is_question and any(name in record for name in (*FACTS, "retrieval_list"))


FORMATS = (
    published_format(
        "multihop-rag", "MultiHop-RAG", _recognises, convert=_convert,
        fields="`query, question_type, evidence_list[].fact` or `gold_list[].fact`; results in "
        "`retrieval_list[].{text, score}`",
        groups="one per fact, met by each retrieved text that contains it, white space apart, or "
        "as `--match` says; `null_query` is unanswerable; the question is the query's id",
        ids="the text, without spaces and line breaks",
        carries=("text", "scores", "unanswerable", "metadata"), holds=("ground_truth", "run"),
        matching=MATCHING,
    ),
)  # fmt: skip
