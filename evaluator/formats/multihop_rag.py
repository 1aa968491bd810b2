"""MultiHop-RAG: a fact is found by every retrieved text that contains it.

The published evaluation compares without spaces and line ends, so texts that differ in nothing else
have one id. Which texts contain which facts is found out while reading: the ids that meet later are
those of the texts.
"""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Part, distinct
from groupwise.evaluator.formats.mapping.published import Made, declared, is_text, one_by_one, sides
from groupwise.evaluator.formats.mapping.records import Unfit
from groupwise.evaluator.reading.content import digest_id
from groupwise.evaluator.reading.options import Options

FACTS = ("gold_list", "evidence_list")
UNANSWERABLE = "null_query"
SPACE = str.maketrans("", "", " \n")


def _made(part: Part, options: Options) -> Made:
    question = part.field("query").text()
    truth, results = sides(
        options,
        truth=any(part.holds(name) for name in FACTS),
        results=part.holds("retrieval_list"),
    )
    texts = _texts(part) if part.holds("retrieval_list") else []
    record = {"query": question, **_truth(part, texts)} if truth else {}
    return Made(record | (_results(part, texts) if results else {}), question)


def _texts(part: Part) -> list[str]:
    return [one.field("text").text() for one in part.field("retrieval_list").items()]


def _truth(part: Part, texts: list[str]) -> dict[str, Any]:
    kind = part.field("question_type").text()
    metadata = {"metadata": {"question_type": kind}}
    if kind == UNANSWERABLE:
        return {"answerable": False, **metadata}
    facts = [one.field("fact") for one in part.first_of(*FACTS).some()]
    return {"ground_truth": [_group(fact, texts) for fact in facts], **metadata}


def _group(fact: Part, texts: list[str]) -> list[Any]:
    """The retrieved texts that contain the fact; the fact itself where there is none."""
    wanted = fact.text().translate(SPACE)
    if not wanted:
        raise Unfit("a fact of nothing but spaces and line ends", fact.way)
    containing = [_id(text) for text in texts if wanted in text.translate(SPACE)]
    return distinct(containing) or [{"id": _id(fact.text()), "text": fact.text()}]


def _id(text: str) -> str:
    return digest_id(text.translate(SPACE))


def _results(part: Part, texts: list[str]) -> dict[str, Any]:
    found = part.field("retrieval_list").items()
    results = {"results": [{"id": _id(text), "text": text} for text in texts]}
    if found and all(one.holds("score") for one in found):
        return {**results, "scores": [one.field("score").number() for one in found]}
    return results


def _recognises(record: Mapping[str, Any]) -> bool:
    asked = is_text(record, "query") and is_text(record, "question_type")
    return asked and any(name in record for name in (*FACTS, "retrieval_list"))


FORMATS = (
    declared(
        "multihop-rag", "MultiHop-RAG", one_by_one(_made), _recognises,
        fields="`query, question_type, evidence_list[].fact` or `gold_list[].fact`; results in "
        "`retrieval_list[].{text, score}`",
        groups="one per fact, met by each retrieved text that contains it; `null_query` is "
        "unanswerable; the question is the query's id",
        carries=("text", "scores", "unanswerable", "metadata"), holds=("ground_truth", "run"),
    ),
)  # fmt: skip
