"""Conversion in several processes: each counts or spells the records of some parts.

As in an evaluation, nothing is taken from the parts where they do not say all that one process
would; the caller reads the whole file then.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from groupwise.evaluator.evaluation.checked_records import CheckedRecords
from groupwise.evaluator.evaluation.engines.processes import (
    Found,
    NeedsWhole,
    Note,
    attempt,
    run_parts,
)
from groupwise.evaluator.formats.losses import Features, count_features
from groupwise.evaluator.formats.pieces import PieceWriter
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.intake.checking import Taken
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.processes.jobs import choose_jobs
from groupwise.evaluator.processes.pool import Work
from groupwise.evaluator.reading.options import Record
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.writing import is_stream_target, write_data

SPELLED_BYTES = 1 << 22
"""Parts whose text comes back are small: several of them wait to be written."""


class Counted(NamedTuple):
    """What a process found in a part."""

    features: Features
    formulas: int
    taken: Taken
    kinds: Kinds


@dataclass(frozen=True)
class Parted:
    """Records that are read in several processes, if that pays."""

    records: CheckedRecords
    jobs: int
    progress: Callable[[int], None] | None = None

    def count(self, count_formulas: Callable[[Record], bool] | None) -> tuple[Features, int] | None:
        """Return the features of all records, and how many have formulas; None: read the whole."""
        work = CountWork(self.records, count_formulas)
        return attempt(lambda: self._merge(self._run(work))) if self._pays() else None

    def write(self, target: Format, path: str) -> bool:
        """Write all records, if the target can be written in parts; return whether it was.

        The target is opened when the first part is spelled: until then, one process may begin anew,
        and until the end if it is a file, which takes its place when it is complete.
        """
        if not isinstance(target.write, PieceWriter) or not self._pays():
            return False
        work = SpellWork(self.records, target.write.spell)
        with closing(self._run(work, SPELLED_BYTES)) as pieces:
            first = attempt(lambda: next(pieces))
            return first is not None and _write_pieces(path, chain([first], pieces))

    def _pays(self) -> bool:
        records = self.records.records
        return not records.positional and choose_jobs(self.jobs, records.size) > 1

    def _run(
        self, work: Work[Records, Found], most: int | None = None
    ) -> Generator[Found, None, None]:
        return run_parts(work, self.records.records, self.jobs, self.progress, most)

    def _merge(self, parts: Iterator[Counted]) -> tuple[Features, int]:
        """Return what all parts found together; the records take over the warnings.

        Raises:
            NeedsWhole: Query ids may be repeated, or ids are of both kinds.
        """
        features, kinds, formulas = Features(), Kinds(), 0
        taken = []
        for part in parts:
            features.merge(part.features)
            formulas += part.formulas
            taken.append(part.taken)
            if kinds.merge(part.kinds):
                raise NeedsWhole
        if self.records.merge(taken):
            raise NeedsWhole
        return features, formulas


def _write_pieces(path: str, pieces: Iterator[bytes]) -> bool:
    """Write the text of all parts; return whether it was, or a file is to be written anew.

    What a stream got cannot be taken back, so an error of the input is one of writing it in parts.
    """

    def write() -> bool:
        write_data(path, pieces)
        return True

    return write() if is_stream_target(path) else bool(attempt(write))


@dataclass(frozen=True)
class CountWork:
    """Counts the features of a part, and its formulas where the target is a table."""

    records: CheckedRecords
    has_formulas: Callable[[Record], bool] | None

    def __call__(self, part: Records, note: Note) -> Counted:
        """Return what is found in a part."""
        records, formulas = replace(self.records, records=part), 0

        def watch() -> Iterator[Record]:
            nonlocal formulas
            for record in records:
                formulas += self.has_formulas is not None and self.has_formulas(record)
                yield record

        features = count_features(watch())
        note(features.queries)
        intake = records.last_intake
        return Counted(features, formulas, intake.taken(), intake.kinds)


@dataclass(frozen=True)
class SpellWork:
    """Spells the records of a part."""

    records: CheckedRecords
    spell: Callable[[Record], bytes]

    def __call__(self, part: Records, note: Note) -> bytes:
        """Return the text of a part."""
        pieces = [*map(self.spell, replace(self.records, records=part))]
        note(len(pieces))
        return b"".join(pieces)
