"""Lines that certainly are no JSON, told by their first and last byte: a file may have millions.

Of most of them it is certain, too, that the rule they break is that of invalid JSON, and not one
about numbers, nesting or encoding. A parser would raise an exception for each.
"""

import re
from typing import TypeAlias

from groupwise.evaluator.reading.limits import LEVELS

Numbered: TypeAlias = list[tuple[int, bytes]]
"""Lines with their numbers."""

SPACE = b" \t\r\n"
DIGITS = b"0123456789"
ENDS = {
    **{bytes([digit]): DIGITS for digit in DIGITS},
    b"-": DIGITS, b"{": b"}", b"[": b"]", b'"': b'"', b"t": b"e", b"f": b"e", b"n": b"l",
}  # fmt: skip
"""How values end, by how they begin."""
UNSURE = b"".join([SPACE, b"NIi", bytes(range(0x80, 0x100))])
"""Lines that begin so are left to the parser: space, NaN and Infinity, what is not ASCII."""
ALL = bytes(range(0x100))
LAST = [
    frozenset(ALL if first in UNSURE else ENDS.get(bytes([first]), b"") + SPACE * (first in b"{["))
    for first in ALL
]
"""For each first byte, the last bytes that a line with a value may have."""
QUOTE = b'"'
"""As a whole line, it begins and ends as a value does, and is none."""
SUSPECT = re.compile(rb"(?i:nan|inf)|[0-9][eE]|[0-9]{200}|[^\x00-\x7f]")
"""What a parser might complain about before it finds out that a line is no JSON."""


def drop_hopeless(lines: Numbered) -> tuple[Numbered, int]:
    """Return the lines that a parser must look at, and the number of all others; none is blank."""
    left = [pair for pair in lines if pair[1][-1] in LAST[pair[1][0]] and pair[1] != QUOTE]
    if len(left) == len(lines) or _is_certain(b"\n".join(line for _, line in lines)):
        return left, len(lines) - len(left)
    kept = {number for number, _ in left}
    left = [pair for pair in lines if pair[0] in kept or not _is_certain(pair[1])]
    return left, len(lines) - len(left)


def _is_certain(text: bytes) -> bool:
    """Whether whatever is wrong with lines is that they are no JSON."""
    brackets = text.count(b"[") + text.count(b"{")
    return brackets <= LEVELS.default and SUSPECT.search(text) is None
