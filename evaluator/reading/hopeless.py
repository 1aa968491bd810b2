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
LITERALS = (b"nan", b"infinity")
DOTLESS = (b"\xc4\xb0", b"\xc4\xb1")
"""Letters of the Turkish alphabet that count as an i where case is ignored."""
NUMBER = re.compile(rb"[0-9][eE]|[0-9]{200}")
"""What a number has that may be out of range."""


def drop_hopeless(lines: Numbered) -> tuple[Numbered, int]:
    """Return the lines that a parser must look at, and the number of all others; none is blank."""
    left = [pair for pair in lines if pair[1][-1] in LAST[pair[1][0]] and pair[1] != QUOTE]
    if len(left) == len(lines):
        return left, 0
    kept = {number for number, _ in left}
    if not are_certain([line for number, line in lines if number not in kept]):
        left = [pair for pair in lines if pair[0] in kept or not is_certain(pair[1])]
    return left, len(lines) - len(left)


def is_certain(text: bytes) -> bool:
    """Whether whatever is wrong with a text is that it is no JSON.

    Other rules are about nesting, encoding, literals like NaN, and numbers that are out of range.
    """
    return (
        _is_shallow(text)
        and _is_unicode(text)
        and _has_no_literals(text)
        and not NUMBER.search(_drop_strings(text))
    )


def are_certain(texts: list[bytes]) -> bool:
    """Whether the same is certain of all texts, found at once; a string may be open at their ends.

    False says nothing about any one of them.
    """
    joined = b"\n".join(texts)
    return (
        not (NUMBER.search(joined) and NUMBER.search(b"\n".join(map(_drop_strings, texts))))
        and _has_no_literals(joined)
        and _is_unicode(joined)
        and all(map(_is_shallow, texts))
    )


def _is_shallow(text: bytes) -> bool:
    """Whether a text has too few brackets to be nested too deep."""
    most = LEVELS.default
    return len(text) <= most or text.count(b"[") + text.count(b"{") <= most


def _has_no_literals(text: bytes) -> bool:
    small = text.lower()
    return not any(each in small for each in LITERALS)


def _is_unicode(text: bytes) -> bool:
    """Whether a text is UTF-8, without letters whose case is hard to tell."""
    if text.isascii():
        return True
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return not any(each in text for each in DOTLESS)


def _drop_strings(text: bytes) -> bytes:
    """Return what is outside of strings; all of a text in which quotes may be escaped."""
    return text if b"\\" in text else b" ".join(text.split(b'"')[::2])
