"""How the query ids of ground truth and run differ, where no query is in both."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from groupwise.evaluator.text import quote


class Pair(NamedTuple):
    """Ids that may stand for the same query: in the ground truth, and in the run."""

    truth: str
    run: str


def describe_disjoint(truths: Iterable[str], run: Iterable[str]) -> str:
    """Return a message about query ids of ground truth and run that share none.

    >>> describe_disjoint(["q1", "q2"], ["Q1", "Q2"])
    "no query of the run is in the ground truth; they differ by case: 'q1' and 'Q1'"
    """
    wanted, found = sorted(truths), sorted(run)
    if not found:
        return "the run has no queries; expected results for the queries of the ground truth"
    if not wanted:
        return "no query of the run is in the ground truth, which has no query with groups"
    for difference, pair in _guess(wanted, found):
        example = f"{quote(pair.truth)} and {quote(pair.run)}"
        return f"no query of the run is in the ground truth; they differ by {difference}: {example}"
    examples = f"the ground truth has {quote(wanted[0])}, the run has {quote(found[0])}"
    return f"no query of the run is in the ground truth: {examples}"


def _guess(wanted: list[str], found: list[str]) -> Iterator[tuple[str, Pair]]:
    """Yield what may be the difference, with an example."""
    for difference, normalise in NORMAL_FORMS.items():
        truth_of = {normalise(query): query for query in reversed(wanted)}
        for query in found:
            if normalise(query) in truth_of:
                yield difference, Pair(truth_of[normalise(query)], query)
                break
    for difference, split in AFFIXES.items():
        if pair := _find_affix(wanted, found, split):
            yield difference, pair
        elif pair := _find_affix(found, wanted, split):
            yield difference, Pair(pair.run, pair.truth)


def _strip_zeros(query: str) -> str:
    """Return a number without zeros around it: 07, 7 and 7.0 are one."""
    whole = query.strip().removesuffix(".0")
    return str(int(whole)) if whole.isascii() and whole.isdigit() and len(whole) < 99 else query


NORMAL_FORMS: dict[str, Callable[[str], str]] = {
    "case": str.casefold,
    "white space": lambda query: "".join(query.split()),
    "the way numbers are written": _strip_zeros,
    "case and white space": lambda query: "".join(query.casefold().split()),
}
Split: TypeAlias = Callable[[str, int], tuple[str, str]]
"""Splits an id into an affix of some length, and the rest."""

AFFIXES: dict[str, Split] = {
    "a prefix": lambda query, length: (query[:length], query[length:]),
    "a suffix": lambda query, length: (query[-length:], query[:-length]),
}
LONGEST_AFFIX = 200


def _find_affix(shorter: list[str], longer: list[str], split: Split) -> Pair | None:
    """Return ids of which the second has an affix, if most of its kind have the same one."""
    known = {*shorter}
    for length in range(1, min(len(longer[0]), LONGEST_AFFIX)):
        affix, short = split(longer[0], length)
        if short in known:
            parts = [split(query, length) for query in longer]
            alike = sum(found == affix and rest in known for found, rest in parts)
            if 2 * alike > len(longer):
                return Pair(short, longer[0])
    return None
