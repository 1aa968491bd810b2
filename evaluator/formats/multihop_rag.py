"""MultiHop-RAG: a fact is found by every retrieved text that contains it.

The published evaluation compares texts without spaces and line ends, so texts that differ in
nothing else have one id. Where results are matched by id, the alternatives of a fact are the
retrieved texts that contain it; where they are matched by text, it is the fact, and which texts
contain it is for the matcher to say.
"""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Cursor, deduplicate
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
from groupwise.evaluator.reading.text_search import JoinedTexts

FACTS = ("gold_list", "evidence_list")
UNANSWERABLE = "null_query"
SPACE = str.maketrans("", "", " \n")


def _convert(record: Cursor, options: Options) -> Converted:
    question = record.field("query").text()
    truth, results = choose_sides(
        options,
        truth=any(record.has(name) for name in FACTS),
        results=record.has("retrieval_list"),
    )
    texts = _list_texts(record) if record.has("retrieval_list") else []
    searched = [] if options.by_text else texts
    fields = {"query": question, **_convert_truth(record, searched)} if truth else {}
    return Converted(fields | (_convert_results(record, texts) if results else {}), question)


def _list_texts(record: Cursor) -> list[str]:
    return [result.field("text").text() for result in record.field("retrieval_list").items()]


def _convert_truth(record: Cursor, texts: list[str]) -> dict[str, Any]:
    kind = record.field("question_type").text()
    metadata = {"metadata": {"question_type": kind}}
    if kind == UNANSWERABLE:
        return {"answerable": False, **metadata}
    facts = [fact.field("fact") for fact in record.first_of(*FACTS).some_items()]
    joined = JoinedTexts.join([text.translate(SPACE) for text in texts])
    groups = [_find_containing(fact, texts, joined) for fact in facts]
    return {"ground_truth": groups, **metadata}


def _find_containing(fact: Cursor, texts: list[str], joined: JoinedTexts) -> list[Any]:
    """Return the retrieved texts that contain the fact; the fact itself if there is none."""
    wanted = fact.text().translate(SPACE)
    if not wanted:
        raise Unfit("a fact of nothing but spaces and line ends", fact.pointer)
    containing = [_text_id(texts[number]) for number in joined.find(wanted)]
    return deduplicate(containing) or [{"id": _text_id(fact.text()), "text": fact.text()}]


def _text_id(text: str) -> str:
    return digest_id(text.translate(SPACE))


def _convert_results(record: Cursor, texts: list[str]) -> dict[str, Any]:
    results = {"results": [{"id": _text_id(text), "text": text} for text in texts]}
    return add_scores(results, record.field("retrieval_list").items())


def _recognises(record: Mapping[str, Any]) -> bool:
    is_question = has_text(record, "query") and has_text(record, "question_type")
    return is_question and any(name in record for name in (*FACTS, "retrieval_list"))


FORMATS = (
    published_format(
        "multihop-rag", "MultiHop-RAG", _recognises, convert=_convert,
        fields="`query, question_type, evidence_list[].fact` or `gold_list[].fact`; results in "
        "`retrieval_list[].{text, score}`",
        groups="one per fact, met by each retrieved text that contains it, or by `--match text`; "
        "`null_query` is unanswerable; the question is the query's id",
        ids="the text, without spaces and line breaks",
        carries=("text", "scores", "unanswerable", "metadata"), holds=("ground_truth", "run"),
    ),
)  # fmt: skip
