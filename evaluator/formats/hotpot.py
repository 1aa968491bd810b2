"""HotpotQA and 2WikiMultihopQA: as published, or as the columns that the Hugging Face Hub has."""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Part, distinct
from groupwise.evaluator.formats.mapping.published import Made, declared, is_text, one_by_one
from groupwise.evaluator.reading.options import Options

SLICES = ("type", "level")


def _made(part: Part, _options: Options) -> Made:
    titles = distinct([title.text() for title in _titles(part.field("supporting_facts"))])
    record = {
        "id": part.first_of("_id", "id").id(),
        "query": part.field("question").text(),
        "ground_truth": [[title] for title in titles],
    }
    slices = {name: part.value[name] for name in SLICES if is_text(part.value, name)}
    return Made(record | ({"metadata": slices} if slices else {}))


def _titles(facts: Part) -> list[Part]:
    """The title of each supporting fact: the first of a pair, or a column of titles."""
    if isinstance(facts.value, dict):
        return facts.field("title").some()
    return [_first(pair) for pair in facts.some()]


def _first(pair: Part) -> Part:
    if not isinstance(pair.value, list) or len(pair.value) != 2:
        raise pair.unfit("a pair of title and sentence")
    return pair.items()[0]


def _recognises(record: Mapping[str, Any]) -> bool:
    named = is_text(record, "_id", "id") and is_text(record, "question")
    return named and {"supporting_facts", "context"} <= record.keys()


FORMATS = (
    declared(
        "hotpotqa", "HotpotQA, 2WikiMultihopQA", one_by_one(_made), _recognises,
        fields="`_id` or `id`, `question, supporting_facts, context`; `type, level` as metadata",
        groups="one per distinct title of `supporting_facts`; the title is the document's id",
        carries=("metadata",),
    ),
)  # fmt: skip
