"""Unified diffs of edited files, as sanitised lines."""

from collections.abc import Iterator, Sequence
from itertools import chain, groupby, islice

from groupwise.evaluator.reporting.line_diff import count_equal, unified_diff
from groupwise.evaluator.text import plural, printable

LONGEST = 240
BEFORE_CHANGE = 120
"""How many characters of a long line are shown before what changes."""


def list_diff(old: str, new: str, path: str, most: int | None = None) -> list[str]:
    """Return what an edit changes, as lines that are safe to show.

    Args:
        old: The text before.
        new: The text after.
        path: The name of the file.
        most: How many lines to show, the long ones cut around their change; None: all of it.
    """
    lines = list(unified_diff(_split_lines(old), _split_lines(new), path))
    shown = lines if most is None else shorten_diff(lines, most)
    hidden = plural(len(lines) - len(shown), "more line")
    more = [f"… and {hidden} of the difference"] if len(shown) < len(lines) else []
    return [*map(printable, shown), *more]


def shorten_diff(lines: Sequence[str], most: int) -> list[str]:
    """Return the first lines of a diff, each old line before its new one, long ones cut.

    >>> shorten_diff(["-a", "-b", "+c", "+d"], 3)
    ['-a', '+c', '-b']
    """
    ordered = list(islice(_interleave(lines), most + 1))
    partners = [*ordered[1:], ""]
    shown = []
    for line, after, before in zip(ordered, partners, ["", *ordered], strict=False):
        partner = after if line.startswith("-") else before if line.startswith("+") else ""
        shown.append(_cut_around_change(line, partner))
    return shown[:most]


def _interleave(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines; where as many are added as removed, in pairs."""
    for is_change, group in groupby(lines, lambda line: line[:1] in ("-", "+")):
        run = list(group)
        removed = [line for line in run if line.startswith("-")]
        added = [line for line in run if line.startswith("+")]
        if is_change and len(removed) == len(added):
            yield from chain.from_iterable(zip(removed, added, strict=True))
        else:
            yield from run


def _cut_around_change(line: str, partner: str) -> str:
    """Return a line of a diff, without what is far from where it differs from its partner."""
    if len(line) <= LONGEST:
        return line
    place = count_equal(line[1:], partner[1:])
    start = 1 + max(0, place - BEFORE_CHANGE)
    end = start + LONGEST
    head, tail = "…" * (start > 1), "…" * (end < len(line))
    return f"{line[0]}{head}{line[start:end]}{tail}"


def _split_lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")
