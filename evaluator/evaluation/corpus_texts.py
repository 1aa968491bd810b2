"""Texts that people read beside ids, taken from a corpus."""

from collections.abc import Sequence

from groupwise.evaluator.errors import Problems
from groupwise.evaluator.evaluation.explained_part import LONGEST_TEXT, Part
from groupwise.evaluator.intake.documents import Documents
from groupwise.evaluator.matching.truths import groups_of
from groupwise.evaluator.text import cut
from groupwise.schemas import Id


def add_corpus_texts(
    places: Sequence[tuple[Part, int]], documents: Documents, *, as_text: bool
) -> None:
    """Add the texts of gold and results of some queries, those that the data do not have.

    Args:
        places: The queries: part and row.
        documents: The corpus, which is read once.
        as_text: Whether all ids are strings.
    """
    wanted = {str(each) for part, row in places for each in _list_ids(part, row)}
    texts = _read_texts(documents, wanted, as_text=as_text)
    for part, row in places:
        gold = [each for group in groups_of(part.truths[row]) for each in group]
        part.gold_texts[row] = _choose(gold, texts, part.gold_texts.get(row, {}))
        part.result_texts[row] = _choose(part.tops[row], texts, part.result_texts.get(row, {}))


def _list_ids(part: Part, row: int) -> list[Id]:
    return [*part.tops[row], *(each for group in groups_of(part.truths[row]) for each in group)]


def _read_texts(documents: Documents, wanted: set[str], *, as_text: bool) -> dict[str, str]:
    """Return the beginnings of the texts of these ids."""
    batches = documents.batches(Problems(), "text" if as_text else None)
    return {
        str(each.id): cut(each.text, LONGEST_TEXT)
        for batch in batches
        for each in batch.references
        if each.text and str(each.id) in wanted
    }


def _choose(ids: Sequence[Id], texts: dict[str, str], own: dict[str, str]) -> dict[str, str]:
    """Return the texts of these ids; those that the data have come first."""
    found = {str(each): texts[str(each)] for each in ids if str(each) in texts}
    return {**found, **own}
