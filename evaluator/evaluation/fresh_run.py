"""Fresh runs: results that are scored against the ground truth of a fixture."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation.partial import Partial
from groupwise.evaluator.evaluation.swapped import explain_swapped
from groupwise.evaluator.evaluation.truth_index import TruthIndex
from groupwise.evaluator.inspection.refusals import Refused, explain_refusals
from groupwise.evaluator.inspection.settling import add_note, settle
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.objects import as_records, is_positional
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.reading.file import name_path
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.text import plural
from groupwise.schemas import Report


class FreshRun(NamedTuple):
    """A run: what ``evaluate`` takes as results."""

    given: Any

    @property
    def name(self) -> str:
        """The name of the file, or of what it is."""
        return name_path(self.given) or "results"

    def pair_with(self, ids: Sequence[str]) -> "FreshRun":
        """Return a list of results as results by query id.

        Raises:
            InputError: There are more or fewer results than queries.
        """
        if not is_positional(self.given):
            return self
        if len(self.given) != len(ids):
            queries, results = (
                plural(len(ids), "query", "queries"),
                plural(len(self.given), "result"),
            )
            message = f"{queries} and {results}; a list is paired with the queries by its order"
            raise InputError([Problem(message)])
        return FreshRun(dict(zip(ids, self.given, strict=True)))

    def open(self, *, texts: bool) -> Records:
        """Return the records of the run."""
        settled = settle(self.given, None, "run", texts=texts)
        return add_note(as_records(settled.value, "results", settled.options), settled.note)


def score_run(partial: Partial, truths: Rows, kinds: Kinds, run: FreshRun, name: str) -> Report:
    """Return the report on a run against ground truth in memory.

    Args:
        partial: What the fixture asks for, without queries.
        truths: Its ground truth.
        kinds: Whether its ids are strings or numbers.
        run: The run.
        name: The file of the fixture.

    Raises:
        InputError: The run is invalid, or has no query of the fixture.
    """
    setup = partial.setup
    texts = setup.matching.needs_references or setup.policies.characters_per_token is not None
    run = run.pair_with(truths.ids)
    with explain_refusals([Refused.of(run.given, "run")]):
        records = run.open(texts=texts)
        try:
            return partial.report(TruthIndex(name, truths, kinds).add_run(partial, records))
        except InputError as error:
            raise explain_swapped(error, None, records) from None


def find_run(folder: str, fixture: str, base: str) -> str:
    """Return the run of a fixture in a folder of runs: the file of the same name.

    Args:
        folder: The folder of runs.
        fixture: The fixture.
        base: The folder that the fixture was found in; runs lie in subfolders as fixtures do.

    Raises:
        InputError: There is none, or more than one.
    """
    relative = Path(os.path.relpath(fixture, base))
    stem = name_without_endings(relative.name)
    home = Path(folder) / relative.parent
    found = sorted(path for path in _list_files(home) if name_without_endings(path.name) == stem)
    if len(found) == 1:
        return os.fspath(found[0])
    wanted = os.fspath(home / f"{stem}.*")
    if not found:
        raise InputError([Problem(f"no run for this fixture: expected {wanted}", fixture)])
    names = ", ".join(path.name for path in found[:3])
    raise InputError([Problem(f"expected one run {wanted}, got {len(found)}: {names}", fixture)])


def _list_files(folder: Path) -> Iterable[Path]:
    try:
        return [path for path in folder.iterdir() if path.is_file()]
    except OSError:
        return ()


def name_without_endings(name: str) -> str:
    """Return a file name without its endings.

    >>> name_without_endings("bm25.v2.jsonl.gz")
    'bm25.v2'
    """
    plain = name.removesuffix(".gz")
    stem, dot, _ = plain.rpartition(".")
    return stem if dot and stem else plain
