"""ragas: references and retrieved contexts of each question, by id or by text."""

import re
from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Part
from groupwise.evaluator.formats.mapping.published import Made, declared, is_text, one_by_one, sides
from groupwise.evaluator.formats.mapping.records import Unfit
from groupwise.evaluator.reading.content import text_id
from groupwise.evaluator.reading.options import Options
from groupwise.schemas import Id

HOP = re.compile(r"\A\s*<\d+-hop>\s*")
REFERENCES = ("reference_context_ids", "reference_contexts")
RETRIEVED = ("retrieved_context_ids", "retrieved_contexts")


def _made(part: Part, options: Options) -> Made:
    question = part.field("user_input").text()
    truth, results = sides(
        options, truth=_is_there(part, REFERENCES), results=_is_there(part, RETRIEVED)
    )
    named = _is_by_id(part)
    record: dict[str, Any] = {}
    if truth:
        references = part.field(REFERENCES[not named]).some()
        record = {"query": question, "ground_truth": [[_item(one, named)] for one in references]}
    if results:
        record["results"] = [_item(one, named) for one in part.field(RETRIEVED[not named]).items()]
    return Made(record, question)


def _is_there(part: Part, names: tuple[str, str]) -> bool:
    return any(part.holds(name) for name in names)


def _is_by_id(part: Part) -> bool:
    """Whether ids are on both sides, as far as these are there; else there are texts on both."""
    there = [names for names in (REFERENCES, RETRIEVED) if _is_there(part, names)]
    for named in (True, False):
        if all(part.holds(names[not named]) for names in there):
            return named
    raise Unfit(
        "ids on one side and texts on the other; give reference_context_ids and "
        "retrieved_context_ids, or reference_contexts and retrieved_contexts"
    )


def _item(one: Part, named: bool) -> Id | dict[str, str]:  # noqa: FBT001  (the two ways to tell)
    if named:
        return one.id()
    text = HOP.sub("", one.text())
    if not text.strip():
        raise one.unfit("a text behind the mark of the hop")
    return {"id": text_id(text), "text": text}


def _recognises(record: Mapping[str, Any]) -> bool:
    return is_text(record, "user_input") and any(n in record for n in (*REFERENCES, *RETRIEVED))


FORMATS = (
    declared(
        "ragas", "ragas", one_by_one(_made), _recognises,
        fields="`user_input, reference_contexts, reference_context_ids`; results in "
        "`retrieved_contexts, retrieved_context_ids`",
        groups="one per reference: by id where both sides have ids, else by text, without the "
        "`<1-hop>` in front; the question is the query's id",
        carries=("text",), holds=("ground_truth", "run"),
    ),
)  # fmt: skip
