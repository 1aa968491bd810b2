"""KILT and FEVER: evidence sets of Wikipedia pages, any one of which is enough."""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Cursor
from groupwise.evaluator.formats.mapping.evidence import (
    EXPANDED,
    expand_to_groups,
    is_exact,
    reduce_sets,
)
from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.evaluator.formats.mapping.merged_rows import MergedRecords
from groupwise.evaluator.formats.mapping.published import (
    Converted,
    has_text,
    list_objects,
    pick_metadata,
    published_format,
)
from groupwise.evaluator.reading.options import Options, Record
from groupwise.evaluator.reading.records import Records
from groupwise.schemas import Id

PAGE = 2
"""The position of the page in a piece of FEVER's evidence."""
FEVER_ROW = {"id", "claim", "label", "evidence_id", "evidence_wiki_url"}
"""The columns of FEVER on the Hugging Face Hub: a row is a piece of evidence."""


def _add_groups(
    fields: dict[str, Any], sets: list[list[Id]], at: Cursor, options: Options
) -> Converted:
    reduced = reduce_sets(sets)
    try:
        groups = expand_to_groups(reduced, expand=options.cnf)
    except Unfit as error:
        raise Unfit(str(error), at.pointer) from None
    note = None if is_exact(reduced) else EXPANDED
    return Converted({**fields, "ground_truth": groups}, note=note)


def _convert_kilt(record: Cursor, options: Options) -> Converted:
    fields: dict[str, Any] = {"id": record.field("id").id()}
    outputs = record.field("output")
    if options.role == "run":
        return Converted({**fields, "results": _page_ids(_only_provenance(outputs).items())})
    answered = [output for output in outputs.some_items() if _has_pages(output)]
    if not answered:
        raise Unfit("no output has a provenance", outputs.pointer)
    sets = [_page_ids(output.field("provenance").some_items()) for output in answered]
    if record.has("input"):
        fields["query"] = record.field("input").text()
    return _add_groups(fields, sets, outputs, options)


def _has_pages(output: Cursor) -> bool:
    """Whether an output has a provenance: some are answers only, which say nothing of pages."""
    if not isinstance(output.value, dict):
        raise output.wrong_type("an object")
    return output.value.get("provenance") not in (None, [])


def _only_provenance(outputs: Cursor) -> Cursor:
    found = outputs.some_items()
    if len(found) != 1:
        message = f"{len(found)} outputs; a run has one, with its pages best first"
        raise Unfit(message, outputs.pointer)
    return found[0].field("provenance")


def _page_ids(provenance: list[Cursor]) -> list[Id]:
    """Return page ids as text: KILT's files have both texts and numbers."""
    return [str(page.field("wikipedia_id").id()).strip() for page in provenance]


def _convert_fever(record: Cursor, options: Options) -> Converted:
    fields: dict[str, Any] = {
        "id": record.field("id").id(),
        "query": record.field("claim").text(),
        **pick_metadata(record, "label", "verifiable"),
    }
    if record.field("label").text() == "NOT ENOUGH INFO":
        return Converted({**fields, "answerable": False})
    evidence = record.field("evidence")
    sets: list[list[Id]] = [
        [_page_of(piece) for piece in chosen.some_items()] for chosen in evidence.some_items()
    ]
    return _add_groups(fields, sets, evidence, options)


def _page_of(piece: Cursor) -> str:
    if not isinstance(piece.value, list) or len(piece.value) <= PAGE:
        raise piece.wrong_type("evidence as [annotation, evidence, page, sentence]")
    return piece.items()[PAGE].text()


def _merge_fever(records: Records) -> Records:
    """Return the claims of a table that has a row per piece of evidence, as on the Hub."""
    return MergedRecords(records, _claim_of_row, _merge_rows)


def _claim_of_row(row: Any) -> Id | None:
    """Return the id of the claim; None if the row is a claim with all its evidence, or unsound."""
    if not isinstance(row, dict) or not row.keys() >= FEVER_ROW:
        return None
    keys = [row["id"], row["evidence_id"], row.get("evidence_annotation_id", 0)]
    return row["id"] if {*map(type, keys)} <= {int, str} else None


def _merge_rows(rows: list[Record]) -> Record:
    """Return a claim; the pieces of an evidence set share the ids of annotation and evidence."""
    sets: dict[Any, list[Any]] = {}
    for row in rows:
        annotation, evidence = row.get("evidence_annotation_id"), row["evidence_id"]
        page, sentence = row["evidence_wiki_url"], row.get("evidence_sentence_id")
        pieces = sets.setdefault((annotation, evidence), [])
        pieces.append([annotation, evidence, page, sentence])
    return {**rows[0], "evidence": list(sets.values())}


def _is_kilt(record: Mapping[str, Any]) -> bool:
    outputs = list_objects(record, "output")
    has_id = type(record.get("id")) in (str, int)
    return has_id and any({"provenance", "answer"} & output.keys() for output in outputs)


def _is_fever(record: Mapping[str, Any]) -> bool:
    is_claim = has_text(record, "claim") and has_text(record, "label")
    return is_claim and ("evidence" in record or record.keys() >= FEVER_ROW)


FORMATS = (
    published_format(
        "kilt", "KILT", _is_kilt, convert=_convert_kilt,
        fields="`id, input, output[].provenance[].wikipedia_id`; as a run the pages of its one "
        "output, best first",
        groups="one per page if there is one output, or one of all pages if each output has one; "
        "otherwise rejected, or expanded with `--cnf`",
        ids="`wikipedia_id` of the page; its paragraphs are not told apart",
        holds=("ground_truth", "run"),
    ),
    published_format(
        "fever", "FEVER", _is_fever, convert=_convert_fever,
        fields="`id, claim, label, evidence[][][annotation, evidence, page, sentence]`, or a row "
        "per piece: `evidence_annotation_id, evidence_id, evidence_wiki_url`; `label, verifiable` "
        "as metadata",
        groups="one per page if there is one evidence set, or one of all pages if each set has "
        "one; otherwise rejected, or expanded with `--cnf`; NOT ENOUGH INFO is unanswerable",
        ids="the title of the page; its sentences are not told apart",
        carries=("unanswerable", "metadata"), prepare=_merge_fever,
    ),
)  # fmt: skip
