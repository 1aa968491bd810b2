"""Plain records of a batch in columns, for checks in bulk."""

from collections.abc import Sequence
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.text import UNSEEN

if TYPE_CHECKING:
    from groupwise.evaluator.intake.bulk import PlainBatch
    from groupwise.schemas import Id, Kind


class PlainRecords:
    """Sound records of one batch: lists of lists of ids, lists of ids, lists of scores.

    Attributes:
        queries: The query ids.
        truths: The groups of each record; empty where records have none.
        results: The ranking of each record; empty where records have none.
        scores: The scores of each record; empty where records have none.
    """

    def __init__(self, plain: "PlainBatch") -> None:
        self.queries: list[str] = plain.ids
        self.truths: list[list[list[Id]]] = plain.columns.get("ground_truth", [])
        self.results: list[list[Id]] = plain.columns.get("results", [])
        self.scores: list[list[float]] = plain.columns.get("scores", [])

    @cached_property
    def groups(self) -> "list[list[Id]]":
        """All groups of all records."""
        return list(chain.from_iterable(self.truths))

    @cached_property
    def listed(self) -> "list[Id]":
        """All ids of all groups."""
        return list(chain.from_iterable(self.groups))

    @cached_property
    def empty(self) -> list[int]:
        """The numbers of the records without groups."""
        if all(self.truths):
            return []
        return [number for number, truth in enumerate(self.truths) if not truth]

    @cached_property
    def repeating(self) -> list[int]:
        """The numbers of the records that list an id twice, in one group or in several."""
        if len(set(self.listed)) == len(self.listed):
            return []
        return [number for number, truth in enumerate(self.truths) if _has_repeats(truth)]

    def list_kinds(self, row: int) -> "list[Kind]":
        """Return the kinds of the ids of a record: of its groups, then of its results."""
        truth = chain.from_iterable(self.truths[row] if self.truths else ())
        results = iter(self.results[row] if self.results else ())
        return [type(id_) for ids in (truth, results) for id_ in islice(ids, 1)]

    @cached_property
    def unclear(self) -> list[int]:
        """The numbers of the records whose ranking may repeat an id or have odd characters."""
        found = walk.find_unclear(self.results)
        return list(range(len(self.results))) if found is None else found

    @cached_property
    def retrieved(self) -> "list[Id]":
        """All ids of all rankings."""
        return list(chain.from_iterable(self.results))


def _has_repeats(truth: "list[list[Id]]") -> bool:
    return len(set(chain.from_iterable(truth))) != sum(map(len, truth))


def are_visible(ids: Sequence[Any]) -> bool:
    """Whether ids, all of one kind, certainly have neither unseen characters nor spaces."""
    if not ids or type(ids[0]) is int:
        return True
    joined = "".join(ids)
    if not joined.isascii():
        return joined.isprintable() and " " not in joined and not UNSEEN.search(joined)
    return _is_visible(joined)


def are_normal(ids: Sequence[str]) -> bool:
    """Whether ids are certainly their own normal forms: lower-case ASCII without spaces."""
    joined = "".join(ids)
    return joined.isascii() and joined == joined.lower() and _is_visible(joined)


def _is_visible(text: str) -> bool:
    """Whether all characters of an ASCII text are seen, and none is a space."""
    characters = np.frombuffer(text.encode(), np.uint8)
    return not len(characters) or bool(characters.min() > 32 and characters.max() < 127)
