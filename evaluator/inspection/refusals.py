"""The help of an inspection inside refusals: how the refused files can be read."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from groupwise.evaluator.errors import Hint, InputError
from groupwise.evaluator.reading.detection import take_sample
from groupwise.evaluator.reading.file import File, path_of
from groupwise.evaluator.reading.options import Role
from groupwise.evaluator.reading.source import Source, is_read_once

MOST_HINTS = 4
WANTED: Mapping[Role | None, frozenset[str]] = {
    "ground_truth": frozenset({"ground_truth"}),
    "run": frozenset({"results"}),
    "corpus": frozenset(),
    None: frozenset({"ground_truth", "results"}),
}
"""The fields that make a map one for a role."""


class Refused(NamedTuple):
    """An input of a call, what it should hold, and its map.

    Without a role it may hold ground truth, results, or both.
    A pipe, which was read already, is looked at again only in a source that holds a copy of it.
    """

    value: Any
    role: Role | None = None
    map: Any = None

    @classmethod
    def of(cls, given: Any, role: Role | None = None) -> "Refused":
        """Return an input as a call has it."""
        return cls(path_of(given), role, given.map if isinstance(given, File) else None)


@contextmanager
def explain_refusals(inputs: Sequence[Refused], flat: str | None = None) -> Iterator[None]:
    """Add to an InputError how the files that it refuses can be read.

    Args:
        inputs: What the call reads.
        flat: How the call reads flat lists.
    """
    try:
        yield
    except InputError as error:
        if error.hints:
            raise
        named = {problem.source for problem in error.problems}
        paths = [each for each in inputs if is_path(each.value)]
        refused = [each for each in paths if os.fspath(each.value) in named]
        hints = [hint for each in refused for hint in find_hints(each, flat)]
        if not hints:
            raise
        raise error.with_hints(hints) from None


def is_path(value: Any) -> bool:
    """Whether an input is a file that can be looked at again."""
    return isinstance(value, str | os.PathLike) and not is_read_once(value)


def agrees(proposed: str | None, given: str | None) -> bool:
    """Whether a proposal reads flat lists as it is told to, if it is told."""
    return given is None or proposed in (None, given)


def find_hints(refused: Refused, flat: str | None = None) -> list[Hint]:
    """Return the ways to read a file; one without fields if none is known.

    None at all if it is known what the file is: then its data is at fault, not its shape. Nor are
    there any for a pipe, whose beginning is gone.
    """
    from groupwise.evaluator.formats.refusals import describe_known_other  # noqa: PLC0415  (rarely needed)
    from groupwise.evaluator.inspection.inspect import inspect_unknown  # noqa: PLC0415

    source = _find_source(refused.value)
    if source is None:
        return []
    path = source.path
    try:
        if describe_known_other(take_sample(source), refused.role):
            return []
        found = inspect_unknown(source)
    except InputError:
        return []
    if found is None or not found.fields:
        return []
    hints = [
        Hint(path, dict(proposal.map), proposal.flat, proposal.why)
        for proposal in found.proposals
        if WANTED[refused.role] & proposal.map.keys() and agrees(proposal.flat, flat)
    ]
    fitting = [hint for hint in hints if hint.fields != refused.map or hint.flat != flat]
    return fitting[:MOST_HINTS] or [Hint(path, {})]


def _find_source(value: Any) -> Source | None:
    """Return what an input can be looked at in again; None if it cannot."""
    if isinstance(value, Source):
        return value
    return Source(value) if is_path(value) else None
