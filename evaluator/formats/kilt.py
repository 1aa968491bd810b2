"""KILT and FEVER: evidence sets of Wikipedia pages, any one of which is enough."""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Part
from groupwise.evaluator.formats.mapping.evidence import (
    EXPANDED,
    distinct_sets,
    groups_of,
    is_exact,
)
from groupwise.evaluator.formats.mapping.published import (
    Made,
    declared,
    is_text,
    objects_in,
    one_by_one,
)
from groupwise.evaluator.formats.mapping.records import Unfit
from groupwise.evaluator.reading.options import Options
from groupwise.schemas import Id

PAGE = 2
"""Where the page stands in a piece of FEVER's evidence."""


def _grouped(record: dict[str, Any], sets: list[list[Id]], at: Part, options: Options) -> Made:
    unlike = distinct_sets(sets)
    try:
        groups = groups_of(unlike, expand=options.cnf)
    except Unfit as error:
        raise Unfit(str(error), at.way) from None
    note = None if is_exact(unlike) else EXPANDED
    return Made({**record, "ground_truth": groups}, note=note)


def _kilt(part: Part, options: Options) -> Made:
    named = {"id": part.field("id").id()}
    outputs = part.field("output")
    if options.role == "run":
        return Made({**named, "results": _pages(_only(outputs).field("provenance").items())})
    sets = [_pages(one.field("provenance").some()) for one in outputs.some() if _has_pages(one)]
    if not sets:
        raise Unfit("no output has a provenance", outputs.way)
    query = {"query": part.field("input").text()} if part.holds("input") else {}
    return _grouped(named | query, sets, outputs, options)


def _has_pages(output: Part) -> bool:
    """Some outputs are answers without a provenance; they say nothing of what is to be found."""
    if not isinstance(output.value, dict):
        raise output.unfit("an object")
    return output.value.get("provenance") not in (None, [])


def _only(outputs: Part) -> Part:
    found = outputs.some()
    if len(found) != 1:
        raise Unfit(f"{len(found)} outputs; a run has one, with its pages best first", outputs.way)
    return found[0]


def _pages(provenance: list[Part]) -> list[Id]:
    """Pages by id, as text: KILT's files have both texts and numbers."""
    return [str(one.field("wikipedia_id").id()).strip() for one in provenance]


def _fever(part: Part, options: Options) -> Made:
    record = {"id": part.field("id").id(), "query": part.field("claim").text()}
    if part.field("label").text() == "NOT ENOUGH INFO":
        return Made({**record, "answerable": False})
    evidence = part.field("evidence")
    sets: list[list[Id]] = [[_page(one) for one in chosen.some()] for chosen in evidence.some()]
    return _grouped(record, sets, evidence, options)


def _page(piece: Part) -> str:
    if not isinstance(piece.value, list) or len(piece.value) <= PAGE:
        raise piece.unfit("evidence as [annotation, evidence, page, sentence]")
    return piece.items()[PAGE].text()


def _is_kilt(record: Mapping[str, Any]) -> bool:
    outputs = objects_in(record, "output")
    named = type(record.get("id")) in (str, int)
    return named and any({"provenance", "answer"} & one.keys() for one in outputs)


def _is_fever(record: Mapping[str, Any]) -> bool:
    return is_text(record, "claim") and is_text(record, "label") and "evidence" in record


FORMATS = (
    declared(
        "kilt", "KILT", one_by_one(_kilt), _is_kilt,
        fields="`id, input, output[].provenance[].wikipedia_id`; as a run the pages of its one "
        "output, best first",
        groups="one per page of the one output, or one of all pages where each output has one; "
        "else refused, or expanded with `--cnf`",
        holds=("ground_truth", "run"),
    ),
    declared(
        "fever", "FEVER", one_by_one(_fever), _is_fever,
        fields="`id, claim, label, evidence[][][annotation, evidence, page, sentence]`",
        groups="one per page of the one evidence set, or one of all pages where each set has one; "
        "else refused, or expanded with `--cnf`; NOT ENOUGH INFO is unanswerable",
        carries=("unanswerable",),
    ),
)  # fmt: skip
