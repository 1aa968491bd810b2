"""What the rules of the ground truth say of one record.

Groups that share ids break several rules at once; the most telling one speaks. Identical groups
are not also supersets of each other, and an id in all groups is not also one in several.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any

from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.validation.engine.case import NAMES, Case, CaseGroup, Draft, Listed
from groupwise.evaluator.validation.engine.normalisation import cleaned, is_odd, odd_signs
from groupwise.evaluator.validation.rules.truth_rules import MANY_ALTERNATIVES, SPLIT_IDS
from groupwise.schemas import FIELD_NAMES, Id
from groupwise.schemas.shape import quote_id, shortened

MOST_STEPS = 200
"""The search for few documents that meet all groups ends after so many steps."""

MOST_COMPARED = 500
"""Of more groups than this, only equal ones are told: the others are compared in pairs."""


def truth_checks(case: Case, k: int) -> Iterator[Draft]:
    """All findings within one record, but those of the schema."""
    split = list(split_ids(case))
    yield from split
    yield from no_groups(case)
    yield from odd_characters(case)
    ways = {draft.pointer for draft in split}
    groups = [group for group in case.groups if group.listed and not _within(group, ways)]
    for group in groups:
        yield from repeated_alternatives(group)
        yield from many_alternatives(group)
    yield from overlaps(groups)
    yield from more_groups_than_k(groups, k)


def _within(group: CaseGroup, ways: set[Any]) -> bool:
    return group.pointer in ways or group.pointer[:-1] in ways


def split_ids(case: Case) -> Iterator[Draft]:
    """GT018, in the ground truth and in fields that nobody knows."""
    groups = case.groups
    for group in groups:
        if _is_split(group.ids):
            yield _split(group.ids, group.pointer, group.number)
    singles = [group.ids[0] for group in groups if len(group.listed) == 1]
    if len(singles) == len(groups) and _is_split(singles):
        yield _split(singles, groups[0].pointer[:-1], None)
    unknown = [((name,), value) for name, value in case.record.items() if name not in NAMES]
    for way, value in [(case.way, case.truth), *unknown]:
        if isinstance(value, list) and _is_split(value):
            yield _split(value, way, None)


def _is_split(ids: list[Any]) -> bool:
    """Many single characters; letters in the order of the alphabet are somebody's example."""
    if len(ids) < SPLIT_IDS or any(type(one) is not str or len(one) != 1 for one in ids):
        return False
    return any(later <= earlier for earlier, later in pairwise(ids))


def _split(ids: list[Any], pointer: Any, group: int | None) -> Draft:
    whole = "".join(ids)
    message = f"the id {quote_id(whole)} was split into {len(ids)} characters"
    fixable = not (pointer and isinstance(pointer[0], str) and pointer[0] not in NAMES)
    return Draft("GT018", message, pointer, group, whole[:200], ids, fixable)


def no_groups(case: Case) -> Iterator[Draft]:
    """GT003, where the ground truth is there and empty."""
    if isinstance(case.truth, list) and not case.truth and case.record.get("answerable", True):
        message = 'no groups; if nothing answers the query, say "answerable": false'
        yield Draft("GT003", message, case.way, value=[], fixable=bool(case.record))


def odd_characters(case: Case) -> Iterator[Draft]:
    """GT011, in the ids of documents and of the query."""
    listed = [(one, group.number) for group in case.groups for one in group.listed]
    for one, number in (*listed, *((one, None) for one in case.results)):
        if is_odd(one.id):
            yield _odd(one.id, one.pointer, number)
    if case.query and case.query.strip() and is_odd(case.query):
        name = next((name for name in FIELD_NAMES["id"] if name in case.record), None)
        yield _odd(case.query, (name,) if name else ())


def _odd(one: Id, pointer: Pointer, group: int | None = None) -> Draft:
    message = f"the id {shortened(repr(one))} has {odd_signs(str(one))}"
    fixable = bool(pointer and cleaned(str(one)))
    return Draft("GT011", message, pointer, group, one, one, fixable)


def repeated_alternatives(group: CaseGroup) -> Iterator[Draft]:
    """GT007; one that may have a grade of its own is not for a safe fix to remove."""
    first: dict[Id, Listed] = {}
    for one in group.listed:
        if one.id in first:
            message = f"the id {shortened(repr(one.id))} is listed twice in group {group.number}"
            bare = "id" not in (one.pointer[-1], first[one.id].pointer[-1])
            yield Draft("GT007", message, one.pointer, group.number, one.id, one.id, bare)
        first.setdefault(one.id, one)


def many_alternatives(group: CaseGroup) -> Iterator[Draft]:
    """GT014, without a corpus."""
    size = len(set(group.ids))
    if size > MANY_ALTERNATIVES:
        message = f"group {group.number} has {size} alternatives; almost any result meets it"
        yield Draft("GT014", message, group.pointer, group.number, value=size)


def overlaps(groups: Sequence[CaseGroup]) -> Iterator[Draft]:
    """GT008, GT009, GT016, GT017 and GT010: the most telling of them."""
    sets = {group.number: frozenset(group.ids) for group in groups}
    if sum(map(len, sets.values())) == len(frozenset().union(*sets.values())):
        return
    first = {ids: number for number, ids in reversed(sets.items())}
    by_number = {group.number: group for group in groups}
    kept = []
    for number, ids in sets.items():
        smaller = _within_of(ids, first) if len(first) <= MOST_COMPARED else None
        if first[ids] != number:
            yield _same(by_number[number], first[ids])
        elif smaller is not None:
            yield _superset(by_number[number], first[smaller])
        else:
            kept.append(by_number[number])
    if len(kept) <= MOST_COMPARED:
        yield from shared(kept)


def _within_of(ids: frozenset[Id], others: Iterable[frozenset[Id]]) -> frozenset[Id] | None:
    return next((other for other in others if other < ids), None)


def _same(group: CaseGroup, other: int) -> Draft:
    message = f"group {group.number} has the same alternatives as group {other}"
    return Draft("GT008", message, group.pointer, group.number, value=sorted(map(str, group.ids)))


def _superset(group: CaseGroup, other: int) -> Draft:
    message = f"group {group.number} holds all of group {other}: it is met whenever that one is"
    return Draft("GT009", message, group.pointer, group.number, value=sorted(map(str, group.ids)))


def shared(groups: Sequence[CaseGroup]) -> Iterator[Draft]:
    """GT016, GT017 or GT010, of groups none of which holds another."""
    sets = [frozenset(group.ids) for group in groups]
    if len(sets) < 2:
        return
    everywhere = frozenset.intersection(*sets)
    pairs = list(combinations(sets, 2))
    overlapping = sum(not one.isdisjoint(other) for one, other in pairs)
    way = groups[0].pointer[:-1]
    if everywhere:
        one = min(everywhere, key=str)
        message = f"the document {shortened(repr(one))} meets all {len(sets)} groups by itself"
        yield Draft("GT016", message, way, id=one, value=one)
    elif len(sets) > 2 and 2 * overlapping >= len(pairs):
        message = (
            f"{overlapping} of {len(pairs)} pairs of groups overlap: if each group is a set of "
            "evidence that suffices, this is an OR of ANDs, and means the opposite here"
        )
        yield Draft("GT017", message, way, value=overlapping)
    else:
        yield from _in_several(groups)


def _in_several(groups: Sequence[CaseGroup]) -> Iterator[Draft]:
    homes: dict[Id, list[CaseGroup]] = {}
    for group in groups:
        for one in dict.fromkeys(group.ids):
            homes.setdefault(one, []).append(group)
    for one, where in homes.items():
        if len(where) > 1:
            numbers = " and ".join(str(group.number) for group in where)
            message = f"the id {shortened(repr(one))} is in groups {numbers}"
            pointer = next(listed.pointer for listed in where[1].listed if listed.id == one)
            yield Draft("GT010", message, pointer, where[1].number, one, one)


def more_groups_than_k(groups: Sequence[CaseGroup], k: int) -> Iterator[Draft]:
    """GT015: no k documents meet all groups."""
    if len(groups) <= k:
        return
    sets = sorted(dict.fromkeys(frozenset(group.ids) for group in groups), key=len)
    if not _Covering().is_possible(sets, k):
        message = f"no {k} results meet all {len(groups)} groups: recall@{k} cannot reach 1"
        yield Draft("GT015", message, groups[0].pointer[:-1], value=len(groups))


class _Covering:
    """Looks for documents that meet all groups; after many steps it takes their word for it."""

    def __init__(self) -> None:
        self._steps = MOST_STEPS

    def is_possible(self, groups: list[frozenset[Id]], k: int) -> bool:
        """Whether k documents may meet all groups, which are in the order of their sizes."""
        self._steps -= 1
        if not groups or self._steps < 0:
            return True
        if _apart(groups) > k:
            return False
        return any(
            self.is_possible([group for group in groups if one not in group], k - 1)
            for one in sorted(groups[0], key=str)
        )


def _apart(groups: list[frozenset[Id]]) -> int:
    """How many groups were found that have nothing in common: each needs a result."""
    found, taken = 0, set[Id]()
    for group in groups:
        if taken.isdisjoint(group):
            found += 1
            taken |= group
    return found
