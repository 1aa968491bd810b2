"""Many findings of a rule in one record: those that are kept are described, the others counted."""

from collections.abc import Callable, Sequence
from heapq import nsmallest
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from groupwise.evaluator.validation.facts.draft import Draft, order_steps

if TYPE_CHECKING:
    from groupwise.evaluator.reading.scan import Pointer
    from groupwise.evaluator.validation.facts.case import Case

T = TypeVar("T")


def describe(
    case: "Case",
    code: str,
    found: Sequence[T],
    draft: Callable[[T], Draft],
    place: "Callable[[T], Pointer]" = attrgetter("pointer"),
) -> list[Draft]:
    """Return drafts of what was found in a record: as many as there is room for, the first ones.

    The last of them counts the others.

    Args:
        case: The record.
        code: The code of all of them.
        found: What was found, in any form.
        draft: Builds the draft of one of them.
        place: Returns the pointer of that draft.
    """
    if not found:
        return []
    room = case.room(code)
    if not room:
        return count_only(code, len(found))
    drafts = [*map(draft, _select_first(found, room, place))]
    if len(found) > room:
        drafts[-1] = drafts[-1]._replace(more=len(found) - room)
    return drafts


def describe_elements(
    case: "Case",
    code: str,
    found: Sequence[T],
    draft: Callable[[T], Draft],
    number: Callable[[T], int],
    place: "Callable[[T], Pointer]" = attrgetter("pointer"),
) -> list[Draft]:
    """Return drafts of what was found about elements of one list, as ``describe`` does.

    Where findings are fixed, and nobody reads their messages, there is one draft for all of them.

    Args:
        case: The record.
        code: The code of all of them.
        found: What was found, in any form.
        draft: Builds the draft of one of them.
        number: Returns the number of its element.
        place: Returns the pointer to its element.
    """
    if found and case.only_fixable and case.room(code):
        return [draft(found[0])._replace(siblings=[*map(number, found[1:])])]
    return describe(case, code, found, draft, place)


def count_only(code: str, times: int) -> list[Draft]:
    """Return a draft that counts findings for which there is no room."""
    return [Draft(code, "", more=times - 1)]


def _select_first(found: Sequence[T], room: int, place: "Callable[[T], Pointer]") -> Sequence[T]:
    """Return as many as there is room for, by their places."""
    if len(found) <= room:
        return found
    if _are_in_order([*map(tuple, map(place, found))]):
        return found[:room]
    return nsmallest(room, found, key=lambda each: order_steps(place(each)))


def _are_in_order(pointers: list[tuple[str | int, ...]]) -> bool:
    """Whether pointers are certainly sorted; numbers and names are not comparable."""
    try:
        return all(before <= after for before, after in pairwise(pointers))
    except TypeError:
        return False
