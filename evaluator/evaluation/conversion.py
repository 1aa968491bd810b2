"""Conversion between formats; losses are listed before anything is written."""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from groupwise.evaluator.errors import InputError, LossyConversion, Problem
from groupwise.evaluator.evaluation.arguments import checks_arguments
from groupwise.evaluator.evaluation.checked_records import CheckedRecords, open_checked
from groupwise.evaluator.formats.losses import DESCRIPTIONS, Features, count_features, keep_roles
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.formats.targets import choose_target, choose_target_for
from groupwise.evaluator.inspection.refusals import explain_refusals
from groupwise.evaluator.inspection.settling import Settled, add_note, settle
from groupwise.evaluator.intake.objects import as_records
from groupwise.evaluator.reading.file import File
from groupwise.evaluator.reading.options import Record, Role
from groupwise.evaluator.text import plural
from groupwise.schemas import FixtureQuery, Policies, Run, RunQuery

TABLES = {"csv", "csv-run"}
"""The formats that people open in a spreadsheet."""
KEPT_BYTES = 1 << 22
"""Up to here, the records of a file are kept in memory: they are read more than once."""
TOLD_QUERIES = 512
"""After how many queries progress is told."""


@dataclass(frozen=True)
class Conversion:
    """What was written: the formats, how many queries, what was lost, warnings of the reader."""

    source: str
    target: str
    queries: int
    lost: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@checks_arguments
def convert(
    source: str | os.PathLike[str] | File,
    target: str | os.PathLike[str],
    *,
    to: str | None = None,
    role: Literal["ground_truth", "run"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    lossy: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Conversion:
    """Write the data of a file in another format.

    Args:
        source: The file to read; ``role``, ``flat`` and ``ids`` are those of ``read``. A ``File``
            with ``subtopics`` also writes qrels with the group in their second column.
        target: The file to write, whole or not at all.
        to: The name of the format to write; None chooses it by the name of the target.
        role: What to write of records that hold both ground truth and results.
        flat: For ground truth without groups, if the target has groups.
        ids: ``"text"`` makes all ids strings.
        lossy: Write even if the target cannot carry everything.
        progress: Called from time to time with the number of queries done: once while they are
            counted, and again while they are written.

    Returns:
        What was written, and what was lost.

    Raises:
        InputError: The source is invalid, or the target has no writer.
        LossyConversion: The target cannot carry everything; nothing was written.
        OutputError: The target could not be written; what was there before is untouched.
    """
    settled = settle(source, flat, role, texts=True)
    with explain_refusals([settled.refused], flat):
        writing = Writing(os.fspath(target), to, progress, lossy)
        return _convert(settled, ids, writing)


@dataclass(frozen=True)
class Writing:
    """How to write: where, in which format, and whether with losses."""

    path: str
    to: str | None = None
    progress: Callable[[int], None] | None = None
    lossy: bool = False


def _convert(settled: Settled, ids: Any, writing: Writing) -> Conversion:
    options, flat = settled.options, settled.flat
    role, subtopics = options.role, options.subtopics
    path = writing.path
    chosen = choose_target(path, writing.to, role, subtopics=subtopics)
    if chosen is not None and "groups" not in chosen.carries:
        flat = flat or "any"
    records = open_checked(settled.value, options, Policies(flat=flat, ids=ids))
    records.records = add_note(records.records, settled.note)
    if chosen is None:
        chosen = choose_target_for(path, records.roles, subtopics=subtopics)
        if "groups" not in chosen.carries:
            records.policies = Policies(flat=flat or "any", ids=ids)
    return _write(records, chosen, settled.path, writing)


def _write(records: CheckedRecords, target: Format, source: str, writing: Writing) -> Conversion:
    records.roles, dropped = keep_roles(records.roles, target, source)
    kept = KeptRecords(records)
    features, formulas = _count(kept, target, writing)
    if not features.queries:
        raise InputError([Problem("no queries", source)])
    lost = [*dropped, *features.find_losses(target)]
    is_part = records.model is FixtureQuery and len(records.roles) == 1 and not dropped
    if set(records.head) - {"$schema"} and not is_part and not records.records.has_head:
        lost.append(DESCRIPTIONS["expectations"])
    if lost and not writing.lossy:
        raise LossyConversion(target.title, lost)
    if os.path.realpath(source) == os.path.realpath(writing.path):
        raise InputError([Problem("the target is the source; write to another file", writing.path)])
    assert target.write is not None  # noqa: S101  (chosen for its writer)
    target.write(Watched(kept, writing.progress), writing.path)
    warnings = (*records.warnings, *formulas.warnings(), *_note_matching(records))
    return Conversion(records.records.name, target.name, features.queries, tuple(lost), warnings)


def _count(
    kept: "KeptRecords", target: Format, writing: Writing
) -> tuple[Features, "FormulaCount"]:
    """Return what the records have that a format may not carry, and their formulas in a table."""
    is_table = target.name in TABLES
    formulas, watched = FormulaCount(), Watched(kept, writing.progress)
    return count_features(formulas.watch(watched) if is_table else watched), formulas


class KeptRecords:
    """Records that can be iterated over more than once; those of a small file are read once."""

    def __init__(self, records: CheckedRecords) -> None:
        self.records = records
        self._kept: list[Record] | None = None

    def __iter__(self) -> Iterator[Record]:
        is_small = 0 < self.records.records.text_size <= KEPT_BYTES
        if self._kept is not None:
            return iter(self._kept)
        return self._keep() if is_small else iter(self.records)

    def _keep(self) -> Iterator[Record]:
        kept = []
        for record in self.records:
            kept.append(record)
            yield record
        self._kept = kept


@dataclass(frozen=True)
class Watched:
    """Records whose number is told while they are iterated over."""

    records: Iterable[Record]
    progress: Callable[[int], None] | None

    def __iter__(self) -> Iterator[Record]:
        if self.progress is None:
            return iter(self.records)
        return self._tell(self.progress)

    def _tell(self, progress: Callable[[int], None]) -> Iterator[Record]:
        for number, record in enumerate(self.records, 1):
            yield record
            if number % TOLD_QUERIES == 0:
                progress(number)


def _note_matching(records: CheckedRecords) -> Iterator[str]:
    """Yield how results are matched, if the source says so by its format: the target does not."""
    if records.records.has_head:
        given = dict(records.head["matching"])
        name = given.pop("type")
        options = ", ".join(f"{option}={value}" for option, value in given.items())
        yield f"evaluate this file with the matching {name} ({options}): its format implied it"


@dataclass
class FormulaCount:
    """Counts the queries that would be formulas in a spreadsheet: data is written as it is."""

    queries: int = 0

    def watch(self, records: Iterable[Record]) -> Iterator[Record]:
        """Yield the records."""
        from groupwise.evaluator.formats.csv import has_formulas  # noqa: PLC0415  (rarely needed)

        for record in records:
            self.queries += has_formulas(record)
            yield record

    def warnings(self) -> Iterator[str]:
        """Yield a warning, if there are any."""
        if self.queries:
            yield (
                f"{plural(self.queries, 'query', 'queries')} with cells that a spreadsheet reads "
                "as formulas; they are written as they are, so do not open the file in one"
            )


def save_run(
    run: Run, path: str | os.PathLike[str], to: str | None = None, *, lossy: bool = False
) -> Conversion:
    """Write a run to a file, whole or not at all.

    Args:
        run: The run.
        path: The file to write.
        to: The name of the format; None chooses it by the name of the file.
        lossy: Write even if the format cannot carry everything.

    Raises:
        InputError: No format that holds a run has this name.
        LossyConversion: The format cannot carry everything; nothing was written.
        OutputError: The file could not be written; what was there before is untouched.
    """
    target, roles = os.fspath(path), frozenset[Role]({"run"})
    chosen = choose_target(target, to, "run", subtopics=False)
    if chosen is None:
        chosen = choose_target_for(target, roles, subtopics=False)
    records = CheckedRecords(as_records(run, "run"), RunQuery, Policies(), roles)
    return _write(records, chosen, os.devnull, Writing(target, lossy=lossy))
