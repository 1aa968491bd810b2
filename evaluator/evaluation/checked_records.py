"""The valid records of a file, in the role that is asked for or detected."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.formats.opening import detect_records
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.intake.check import Intake
from groupwise.evaluator.reading.detection import detect_roles
from groupwise.evaluator.reading.options import Options, Record, Role
from groupwise.evaluator.reading.records import Reading, Records
from groupwise.schemas import FixtureQuery, Policies, Query, RunQuery
from groupwise.schemas.fixture import RECORDS
from groupwise.schemas.result import Result, split_pairs
from groupwise.schemas.values import is_number

WHICH = "this can be ground truth or results; say role='ground_truth' or role='run'"


@dataclass
class CheckedRecords:
    """The valid records of a file, which can be iterated over more than once.

    ``head`` and ``warnings`` are those of the last iteration, once it has ended.
    """

    records: Records
    model: type[Query] | type[RunQuery]
    policies: Policies
    roles: frozenset[Role]
    head: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def models(self) -> Iterator[Query | RunQuery]:
        """Yield the records as models; an InputError at the end lists the problems."""
        with self._intake() as intake:
            yield from intake.models()

    def models_of_role(self) -> Iterator[Query | RunQuery]:
        """Yield the records as models of the role asked for, without what else they hold."""
        if self.model is not FixtureQuery or len(self.roles) > 1:
            yield from self.models()
            return
        role = RECORDS[self.roles]
        for model in self.models():
            fields = {name: getattr(model, name) for name in role.model_fields}
            yield role.assemble(fields, model.model_fields_set & fields.keys())

    def __iter__(self) -> Iterator[Record]:
        """Yield the records as plain data, with the fields of their roles."""
        kept = {name for role in self.roles for name in RECORDS[frozenset({role})].model_fields}
        kept |= {"expected"} if len(self.roles) == 2 else set()
        for model in self.models():
            yield {name: value for name, value in _dump(model).items() if name in kept}

    @contextmanager
    def _intake(self) -> Iterator[Intake]:
        problems = Problems()
        intake = Intake(self.records, self.model, self.policies, problems)
        yield intake
        self.head = intake.reading.head
        self.warnings = tuple(intake.reading.warnings)
        problems.raise_if_any()


def open_checked(
    path: str | os.PathLike[str], options: Options, policies: Policies
) -> CheckedRecords:
    """Return the records of a file in the role that the options name, or that is detected.

    Raises:
        InputError: The file cannot be read, or its role cannot be told.
    """
    records, known = detect_records(path, options)
    held = _detect_held_roles(records, known, options, flat=policies.flat is not None)
    roles = held if options.role is None else frozenset({options.role})
    return CheckedRecords(records, RECORDS[held], policies, roles)


def _detect_held_roles(
    records: Records, known: Format | None, options: Options, *, flat: bool
) -> frozenset[Role]:
    """Return what the records hold: ground truth, a run, or both."""
    first = _read_first(records)
    if roles := detect_roles(first):
        return roles
    if options.role is not None:
        return frozenset({options.role})
    possible = frozenset[Role]() if known is None else known.holds - {"corpus"}
    if len(possible) == 1:
        return possible
    if split_pairs(first):
        return frozenset({"run"})
    if flat or _has_groups(first):
        return frozenset({"ground_truth"})
    raise InputError([Problem(WHICH, records.name)])


def _read_first(records: Records) -> Any:
    """Return the first record, or what stands for it under its query id."""
    reading = Reading()
    for batch in records.batches(reading):
        if batch.values:
            return batch.values[0]
    raise reading.error() or InputError([Problem("no queries", records.name)])


def _has_groups(value: Any) -> bool:
    """Whether this is a list of groups, and nothing that a list of results could be."""
    if isinstance(value, Mapping):
        return not all(map(is_number, value.values()))
    return isinstance(value, list) and any(isinstance(group, list) for group in value)


def _dump(model: Query | RunQuery) -> dict[str, Any]:
    """Return a record as plain data, in the shortest way of writing."""
    fields = {"id": model.id, **model.model_dump(mode="json")}
    results = getattr(model, "results", ())
    if results and all(map(_has_score_only, results)):
        fields["results"] = [result.id for result in results]
        fields["scores"] = [result.score for result in results]
    return {name: value for name, value in fields.items() if value is not None}


def _has_score_only(result: Any) -> bool:
    return isinstance(result, Result) and result.model_fields_set == {"id", "score"}
