"""ragas: references and retrieved contexts of each question, by id or by text.

Version 0.1 has other names: ``contexts`` are what was retrieved, or, in a generated test set, what
the question was made from. ``to_csv`` writes lists as Python or NumPy write them.
"""

import re
from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Cursor
from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.evaluator.formats.mapping.published import (
    Converted,
    choose_sides,
    has_text,
    pick_metadata,
    published_format,
)
from groupwise.evaluator.reading.content import text_id
from groupwise.evaluator.reading.options import Options
from groupwise.schemas import Id

HOP = re.compile(r"\A\s*<\d+-hop>\s*")
QUESTIONS = ("user_input", "question")
REFERENCES = ("reference_context_ids", "reference_contexts")
RETRIEVED = ("retrieved_context_ids", "retrieved_contexts")
OLD_CONTEXTS = "contexts"
OLD_ANSWERS = ("answer", "ground_truth", "ground_truths")
OF_TEST_SET = ("evolution_type", "episode_done")
"""Fields of the test sets that version 0.1 generates."""
OF_QUESTIONS = ("synthesizer_name", "query_style", "query_length", "persona_name", "evolution_type")
"""Fields that describe a question."""
LISTS = (*REFERENCES, *RETRIEVED, OLD_CONTEXTS)
RESULTS_ONLY = (
    "no {missing}: the file holds results only ({found}); reference, ground_truth and "
    "ground_truths are answers, not documents"
)
TRUTH_ONLY = "a generated test set holds ground truth only: its contexts are the references"


def _convert(record: Cursor, options: Options) -> Converted:
    question = record.first_of(*QUESTIONS).text()
    if not record.has(QUESTIONS[0]):
        return _convert_old(record, question, options)
    truth, results = choose_sides(
        options, truth=_has_any(record, REFERENCES), results=_has_any(record, RETRIEVED)
    )
    by_id = _is_by_id(record)
    fields: dict[str, Any] = {}
    if truth:
        fields = _take_truth(record, REFERENCES[not by_id], question, RETRIEVED[not by_id])
    if results:
        fields["results"] = _convert_list(record.field(RETRIEVED[not by_id]))
    return Converted(fields, question)


def _convert_old(record: Cursor, question: str, options: Options) -> Converted:
    """Return a record of version 0.1, whose contexts are results, or references of a test set."""
    is_truth = _is_of_test_set(record.value)
    truth, results = choose_sides(options, truth=is_truth, results=not is_truth)
    if truth and not is_truth:
        missing = RESULTS_ONLY.format(missing="reference contexts", found=OLD_CONTEXTS)
        raise Unfit(missing, record.pointer)
    if results and is_truth:
        raise Unfit(TRUTH_ONLY, record.pointer)
    if truth:
        return Converted(_take_truth(record, OLD_CONTEXTS, question), question)
    return Converted({"results": _convert_list(record.field(OLD_CONTEXTS))}, question)


def _is_of_test_set(record: Mapping[str, Any]) -> bool:
    return "answer" not in record and any(name in record for name in OF_TEST_SET)


def _take_truth(record: Cursor, name: str, question: str, others: str = "") -> dict[str, Any]:
    """Return the question with a group for each reference."""
    if not record.has(name) and others and record.has(others):
        raise Unfit(RESULTS_ONLY.format(missing=name, found=others), record.pointer)
    references = _convert_list(record.field(name))
    if not references:
        raise Unfit("expected at least one element, got an empty list", (*record.pointer, name))
    groups = [[reference] for reference in references]
    return {"query": question, "ground_truth": groups, **pick_metadata(record, *OF_QUESTIONS)}


def _convert_list(contexts: Cursor) -> list[Id | dict[str, str]]:
    """Return the ids in a list, or its texts with an id each."""
    is_by_id = str(contexts.pointer[-1]).endswith("_ids")
    convert = Cursor.id if is_by_id else _convert_context
    return [convert(part) for part in contexts.items()]


def _has_any(record: Cursor, names: tuple[str, str]) -> bool:
    return any(record.has(name) for name in names)


def _is_by_id(record: Cursor) -> bool:
    """Whether both sides have ids, as far as they are present; otherwise both have texts."""
    present = [names for names in (REFERENCES, RETRIEVED) if _has_any(record, names)]
    for by_id in (True, False):
        if all(record.has(names[not by_id]) for names in present):
            return by_id
    raise Unfit(
        "ids on one side and texts on the other; give reference_context_ids and "
        "retrieved_context_ids, or reference_contexts and retrieved_contexts"
    )


def _convert_context(context: Cursor) -> Id | dict[str, str]:
    text = HOP.sub("", context.text())
    if not text.strip():
        raise context.wrong_type("a text after the hop marker")
    return {"id": text_id(text), "text": text}


def _recognises(record: Mapping[str, Any]) -> bool:
    if has_text(record, QUESTIONS[0]):
        return any(name in record for name in (*REFERENCES, *RETRIEVED))
    return has_text(record, QUESTIONS[1]) and _are_old_contexts(record)


def _are_old_contexts(record: Mapping[str, Any]) -> bool:
    """Whether a record has the fields of version 0.1, with contexts that are texts and not ids."""
    contexts = record.get(OLD_CONTEXTS)
    if not isinstance(contexts, list) or not any(n in record for n in (*OLD_ANSWERS, *OF_TEST_SET)):
        return False
    return bool(contexts) and all(isinstance(part, str) and " " in part for part in contexts)


FORMATS = (
    published_format(
        "ragas", "ragas", _recognises, convert=_convert, lists=LISTS,
        fields="`user_input, reference_contexts, reference_context_ids`; results in "
        "`retrieved_contexts, retrieved_context_ids`; of version 0.1 `question, contexts`; also "
        "as CSV; `synthesizer_name, query_style, query_length, persona_name, evolution_type` as "
        "metadata",
        groups="one per reference: by id if both sides have ids, otherwise by text, without the "
        "`<1-hop>` in front; the question is the query's id",
        ids="the context id, or the text of the context",
        carries=("text", "metadata"), holds=("ground_truth", "run"),
    ),
)  # fmt: skip
