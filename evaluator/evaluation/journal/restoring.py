"""Entries of a journal, read back into an evaluation."""

from collections.abc import Iterable, Sequence
from typing import Any

from groupwise.evaluator.evaluation.journal.file import DAMAGED, JournalFile
from groupwise.evaluator.evaluation.journal.parts import KIND_NAMES, Whole
from groupwise.evaluator.evaluation.journal.tracked_lines import Position
from groupwise.evaluator.intake.kinds import FirstId

KINDS = {name: kind for kind, name in KIND_NAMES.items()}
UNREADABLE = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError)


class Anchor:
    """The last place up to which all sources can be skipped.

    The ids of the queries before it count as seen. ``after`` is how many queries come after it.
    """

    def __init__(self, whole: Whole) -> None:
        self._whole = whole
        self._waiting: list[str] = []
        self._unseen: list[list[str]] = [[] for _ in whole.intakes]
        self.positions = [Position()] * len(whole.intakes)
        self.after = 0

    def add(self, ids: list[str], positions: Sequence[Position], *, in_order: bool) -> None:
        """Add the queries of an entry, after which the sources are at these positions."""
        self.after += len(ids)
        if not self._whole.may_skip:
            return
        self._waiting += ids
        if in_order:
            self.positions, self.after = [*positions], 0
            self._note_seen()

    def _note_seen(self) -> None:
        """Note the ids of all queries but those in blocks that are read again."""
        for number, intake in enumerate(self._whole.intakes):
            ids = self._unseen[number] + self._waiting
            kept = len(ids) - self.positions[number].rows
            intake.seen.add(ids[:kept])
            self._unseen[number] = ids[kept:]
        self._waiting = []


def restore(file: JournalFile, entries: Iterable[Any], whole: Whole) -> None:
    """Add what the entries of a journal hold to an evaluation, and let its sources go on.

    Raises:
        InputError: An entry is not what this evaluation writes.
    """
    anchor = Anchor(whole)
    read: list[dict[int, int]] = [{} for _ in whole.tracked]
    for entry in entries:
        try:
            positions = [*map(Position.read, entry["read"])]
            for expected, position in zip(read, positions, strict=True):
                expected[position.end] = position.checksum
            _load(entry, whole)
            anchor.add(entry["ids"], positions, in_order=entry["in_order"])
        except UNREADABLE:
            raise file.refuse(DAMAGED.format(line=file.lines)) from None
    for lines, expected, position in zip(whole.tracked, read, anchor.positions, strict=False):
        lines.begin_at(position, expected)
    whole.first_rows = [position.rows for position in anchor.positions]
    whole.repeated = anchor.after


def _load(entry: Any, whole: Whole) -> None:
    """Add the part that an entry holds."""
    part = whole.start_part()
    state = dict(entry["state"])
    state["ids"] = entry["ids"] if state["ids"] is None else state["ids"]
    part.load_state(state)
    whole.partial.absorb(part)
    for name, source, example, query in entry["kinds"]:
        first = FirstId(whole.intakes[source].records.name, example, query)
        whole.partial.kinds.first.setdefault(KINDS[name], first)
