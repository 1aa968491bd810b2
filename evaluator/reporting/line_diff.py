"""Unified diffs in time linear in the text; difflib takes minutes for thousands of edits.

Edits are local: after a change, both texts soon agree again. So the nearest place is searched from
which some lines are equal, instead of the largest common part.
"""

import difflib
from collections.abc import Iterator, Sequence
from itertools import count, groupby
from typing import TypeAlias

SAME = 3
"""This many equal lines end a change."""
NEAR = 24
"""Up to here, any number of old lines may have become any number of new ones."""
FEW = 6
"""Beyond it, many old lines may have become this many new ones, or the reverse."""
Lines: TypeAlias = Sequence[str]
Change: TypeAlias = tuple[str, int, int, int, int]
"""As difflib has it: equal, replace, delete or insert; from and to in the old, then in the new."""


def unified_diff(old: Lines, new: Lines, path: str) -> Iterator[str]:
    """Yield the lines of a unified diff, with three lines around each change."""
    matcher = _Matcher(old, new)
    for number, group in enumerate(matcher.get_grouped_opcodes()):
        if not number:
            yield from (f"--- {path}", f"+++ {path}")
        yield _place(group)
        for tag, start, end, new_start, new_end in group:
            yield from (f"{' ' if tag == 'equal' else '-'}{line}" for line in old[start:end])
            if tag != "equal":
                yield from (f"+{line}" for line in new[new_start:new_end])


def find_changes(old: Lines, new: Lines) -> Iterator[Change]:
    """Yield what is equal and what is changed, from the start to the end of both."""
    head = count_equal(old, new)
    tail = count_equal(old[head:][::-1], new[head:][::-1])
    end, new_end = len(old) - tail, len(new) - tail
    yield from _walk(old[:end], new[:new_end])
    if tail:
        yield "equal", end, len(old), new_end, len(new)


def _walk(old: Lines, new: Lines) -> Iterator[Change]:
    start = new_start = 0
    while start < len(old) or new_start < len(new):
        size = count_equal(old, new, start, new_start)
        if size:
            yield "equal", start, start + size, new_start, new_start + size
        start, new_start = start + size, new_start + size
        end, new_end = _meet_again(old, new, start, new_start)
        if (start, new_start) != (end, new_end):
            yield from _split_change(old, new, (start, end, new_start, new_end))
        start, new_start = end, new_end


class _Matcher(difflib.SequenceMatcher[str]):
    """Groups changes with the lines around them, as difflib does, whoever found them."""

    def __init__(self, old: Lines, new: Lines) -> None:
        super().__init__()
        self._changes = list(find_changes(old, new))

    def get_opcodes(self) -> list[Change]:  # type: ignore[override]
        return self._changes


def count_equal(old: Lines, new: Lines, start: int = 0, new_start: int = 0) -> int:
    """Return how many lines, or characters, are equal from these places on."""
    most = min(len(old) - start, len(new) - new_start)
    return next((n for n in range(most) if old[start + n] != new[new_start + n]), most)


def _meet_again(old: Lines, new: Lines, start: int, new_start: int) -> tuple[int, int]:
    """Return the nearest places after a change; the ends if the texts do not agree again."""
    left, new_left = len(old) - start, len(new) - new_start
    for gone, added in _distances(left, new_left):
        end, new_end = start + gone, new_start + added
        if old[end : end + SAME] == new[new_end : new_end + SAME]:
            return end, new_end
    return len(old), len(new)


def _distances(left: int, new_left: int) -> Iterator[tuple[int, int]]:
    """Yield how many lines may be gone and how many added, the fewest first."""
    for total in range(NEAR):
        for gone in range(max(0, total - new_left), min(total, left) + 1):
            yield gone, total - gone
    for many in count(NEAR - FEW):
        if many > max(left, new_left):
            return
        for few in range(FEW):
            if many <= left and few <= new_left:
                yield many, few
            if many <= new_left and few <= left:
                yield few, many


def _split_change(old: Lines, new: Lines, place: tuple[int, int, int, int]) -> Iterator[Change]:
    """Yield a change; if as many lines are added as are gone, without those that stay equal."""
    start, end, new_start, new_end = place
    if end - start != new_end - new_start:
        yield _name(end - start, new_end - new_start), *place
        return
    shift = new_start - start
    for is_equal, group in groupby(range(start, end), lambda n: old[n] == new[n + shift]):
        first, *_, last = [*group] * 2
        tag = "equal" if is_equal else "replace"
        yield tag, first, last + 1, first + shift, last + 1 + shift


def _name(gone: int, added: int) -> str:
    if gone and added:
        return "replace"
    return "delete" if gone else "insert"


def _place(group: Sequence[Change]) -> str:
    first, last = group[0], group[-1]
    return f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@"


def _range(start: int, end: int) -> str:
    """Return the lines of a hunk as patch reads them: the first, and their number if not 1."""
    size = end - start
    return f"{start + 1}" if size == 1 else f"{start + (size > 0)},{size}"
