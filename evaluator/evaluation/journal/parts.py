"""An evaluation in parts: each becomes an entry of the journal when it is scored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from groupwise.evaluator.evaluation.journal.file import JournalFile
from groupwise.evaluator.evaluation.journal.tracked_lines import Position, TrackedLines
from groupwise.evaluator.evaluation.partial import Partial
from groupwise.evaluator.intake.checking import Intake
from groupwise.evaluator.intake.rows import Rows

Start: TypeAlias = Callable[[], Partial]
KIND_NAMES = {str: "text", int: "number"}
QUERIES_AT_ONCE = 4096
SLOW_QUERIES_AT_ONCE = 64
"""How many queries are added before the clock is looked at; comparing texts takes longer."""


@dataclass
class Whole:
    """An evaluation with a journal: its partial, how others are started, and what reads its data.

    ``first_rows`` is how many rows of each source come before those that are to be scored, and
    ``repeated`` how many queries that follow them have been scored before.
    """

    partial: Partial
    start: Start
    intakes: Sequence[Intake]
    first_rows: Sequence[int] = ()
    repeated: int = 0

    def __post_init__(self) -> None:
        self.first_rows = self.first_rows or [0] * len(self.intakes)

    @property
    def tracked(self) -> list[TrackedLines]:
        """The sources that can be skipped."""
        return [i.records for i in self.intakes if isinstance(i.records, TrackedLines)]

    @property
    def may_skip(self) -> bool:
        """Whether records that are in the journal need not be read; explanations look at all."""
        return len(self.tracked) == len(self.intakes) and self.partial.explanations is None

    def start_part(self) -> Partial:
        """Return a partial for the next queries."""
        part = self.start()
        self.partial.share_readers(part)
        return part


class UnscoredPart(Partial):
    """Takes queries that have been scored before, for nothing but their explanations."""

    def _score(self, _rows: Rows) -> None:
        """Leave the queries unscored."""


class Parts:
    """Adds queries to an evaluation, and what was found for them to the journal.

    A part ends when an entry is due. Once there are problems, which are all reported at the end,
    nothing more is written: what follows is found again.
    """

    def __init__(self, file: JournalFile, whole: Whole) -> None:
        self._file = file
        self._whole = whole
        self._repeated = whole.repeated
        self._taken = 0
        self._ids: list[str] = []
        self._part = whole.start_part()

    def add(self, rows: Rows, *, in_order: bool = True) -> None:
        """Add queries in the order in which they are read.

        ``in_order``: whether all sources have been read up to these, and no further.
        """
        is_slow = self._whole.partial.setup.matching.needs_references
        step = SLOW_QUERIES_AT_ONCE if is_slow else QUERIES_AT_ONCE
        for start in range(0, len(rows), step):
            self._add(rows.part(start, min(start + step, len(rows))))
            if self._ids and self._file.pace.is_due():
                self.close_part(in_order=in_order)

    def _add(self, rows: Rows) -> None:
        self._taken += len(rows)
        if self._repeated:
            rows = self._drop_repeated(rows)
        self._part.add(rows)
        self._ids += rows.ids

    def _drop_repeated(self, rows: Rows) -> Rows:
        """Return the queries that the journal has not."""
        count = min(self._repeated, len(rows))
        self._repeated -= count
        if self._whole.partial.explanations is not None:
            self._explain(rows.part(0, count))
        return rows.part(count, len(rows))

    def _explain(self, rows: Rows) -> None:
        part = UnscoredPart(self._whole.partial.setup)
        self._whole.partial.share_readers(part)
        part.add(rows)
        part.flush()  # what looking up ids has counted is in the journal

    def close_part(self, *, in_order: bool = True) -> None:
        """Add the queries of this part to the evaluation, and to the journal if there are any."""
        whole, part = self._whole, self._part
        part.flush()
        if self._ids and not self._has_problems():
            with self._file.pace.measure():
                self._file.append(self._build_entry(in_order=in_order))
        whole.partial.absorb(part)
        if whole.partial.progress:
            whole.partial.progress(whole.partial.counts["queries"])
        self._ids, self._part = [], whole.start_part()

    def _has_problems(self) -> bool:
        slicer = self._part.slices and self._part.slices.slicer
        return bool(self._whole.partial.problems.count or (slicer and slicer.problems))

    def _build_entry(self, *, in_order: bool) -> dict[str, Any]:
        """Return what was found for the queries of this part, and how far sources were read."""
        state = self._part.to_state()
        return {
            "ids": self._ids,
            "in_order": in_order and self._whole.may_skip and not self._has_notes(),
            "read": [[*position] for position in self._locate()],
            "kinds": self._list_kinds(),
            "state": state | {"ids": None} if state["ids"] == self._ids else state,
        }

    def _locate(self) -> list[Position]:
        """Return how far each tracked source has been read."""
        pairs = zip(self._whole.intakes, self._whole.first_rows, strict=True)
        return [
            intake.records.locate(first + self._taken)
            for intake, first in pairs
            if isinstance(intake.records, TrackedLines)
        ]

    def _has_notes(self) -> bool:
        """Whether reading has found something to warn of, which is not in the journal."""
        return any(intake.has_notes for intake in self._whole.intakes)

    def _list_kinds(self) -> list[Any]:
        """Return the first id of each kind, and the number of its source."""
        names = [intake.records.name for intake in self._whole.intakes]
        return [
            [KIND_NAMES[kind], names.index(first.source), first.example, first.query]
            for kind, first in self._whole.partial.kinds.first.items()
        ]
