"""Lists and objects in a cell of a table, as text: JSON, or as Python and NumPy write them.

``DataFrame.to_csv`` writes ``['a', 'b']`` for a list and ``['a' 'b']`` for an array. Nothing is
evaluated, and strings that stand side by side are never joined, as Python would.
"""

import re
from contextlib import suppress
from math import isfinite
from typing import Any

import orjson

from groupwise.evaluator.reading.jsonl import parse_json
from groupwise.evaluator.reading.limits import ITEM_BYTES, describe_large, has_many_values
from groupwise.evaluator.reading.scan import repeated_keys
from groupwise.schemas.values import DEEPEST

TOKEN = re.compile(
    r"""[ \t\r\n]++
    |(?P<text>'(?:[^'\\]++|\\.)*+'|"(?:[^"\\]++|\\.)*+")
    |(?P<sign>[\[\](){},:])
    |(?P<word>[^ \t\r\n\[\](){},:'"]++)
    |(?P<rest>.)(?:(?<=['"]).*+)?  # an unclosed text ends the search: nothing is read twice
    """,
    re.DOTALL | re.VERBOSE,
)
ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
ESCAPED = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "0": "\0",
    "\\": "\\", "'": "'", '"': '"', "\n": "",
}  # fmt: skip
WORDS = {"None": None, "null": None, "True": True, "true": True, "False": False, "false": False}
INTEGER = re.compile(r"[+-]?\d{1,40}", re.ASCII)
FLOAT = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:e[+-]?\d++)?", re.ASCII | re.IGNORECASE)
SCALARS = re.compile(r"(?:np|numpy)\.(?:str_|u?int\d+|float\d+|bool_?)")
OPENING = ("[", "(", "{")
LARGEST_CODE = 0x10FFFF


def is_literal(text: str) -> bool:
    """Whether a cell begins as a list or an object does."""
    return text.lstrip()[:1] in OPENING


def parse_literal(text: str) -> Any:
    """Return the list or object that a cell holds; tuples are lists.

    Raises:
        ValueError: It is neither JSON nor a literal of Python; the message says why.
    """
    if has_many_values(text):
        raise ValueError(describe_large("a list", f" ({ITEM_BYTES} bytes or more per value)"))
    with suppress(ValueError):
        return parse_json(text.encode())
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return _Parser(text).parse()
    for key, _, _ in repeated_keys(text):
        raise ValueError(f"the key {key!r} is repeated")
    return value


class _Parser:
    """Parses a literal of Python, or an array as NumPy prints it."""

    def __init__(self, text: str) -> None:
        found = TOKEN.finditer(text)
        self._tokens = ((name, match[name]) for match in found if (name := match.lastgroup))
        self._next = next(self._tokens, None)

    def parse(self) -> Any:
        value = self._value(0)
        if self._next is not None:
            raise ValueError(f"expected the end, got {self._peek()[:40]!r}")
        return value

    def _peek(self) -> str:
        return self._next[1] if self._next else ""

    def _take(self) -> tuple[str | None, str]:
        if self._next is None:
            raise ValueError("the list is not closed")
        token, self._next = self._next, next(self._tokens, None)
        return token

    def _expect(self, sign: str) -> None:
        found = self._take()[1]
        if found != sign:
            raise ValueError(f"expected {sign!r}, got {found[:40]!r}")

    def _value(self, depth: int) -> Any:
        kind, part = self._take()
        if depth > DEEPEST:
            raise ValueError(f"nested deeper than {DEEPEST} levels")
        if kind == "text":
            return _unescape(part[1:-1])
        if part in ("[", "("):
            return self._items("]" if part == "[" else ")", depth)
        if part == "{":
            return self._members(depth)
        return self._scalar(part) if kind == "word" else _refuse(part)

    def _items(self, closing: str, depth: int) -> list[Any]:
        """Return the elements up to a closing bracket: all with commas between them, or none."""
        items: list[Any] = []
        commas = 0
        while self._peek() != closing:
            items.append(self._value(depth + 1))
            if self._peek() == ",":
                self._take()
                commas += 1
        self._take()
        has_all = commas in (len(items), len(items) - 1)
        if not has_all and (commas or closing == ")"):
            raise ValueError("a comma is missing")
        return items

    def _members(self, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        while self._peek() != "}":
            key = self._value(depth + 1)
            if not isinstance(key, str):
                raise ValueError("expected text as keys of an object")  # noqa: TRY004  (of the text)
            self._expect(":")
            if key in members:
                raise ValueError(f"the key {key!r} is repeated")
            members[key] = self._value(depth + 1)
            if self._peek() != "}":
                self._expect(",")
        self._take()
        return members

    def _scalar(self, word: str) -> Any:
        if word in WORDS:
            return WORDS[word]
        if INTEGER.fullmatch(word):
            return int(word)
        if FLOAT.fullmatch(word) and isfinite(float(word)):
            return float(word)
        if SCALARS.fullmatch(word) and self._peek() == "(":
            self._take()
            value = self._value(DEEPEST)
            self._expect(")")
            return value
        return _refuse(word)


def _refuse(part: str) -> Any:
    if part == "...":
        raise ValueError("NumPy left out elements ('...'); write the data as JSON instead")
    if part == "array":
        raise ValueError("NumPy's arrays of arrays cannot be read; write the data as JSON instead")
    raise ValueError(f"expected a text in quotes, a number or a list, got {part[:40]!r}")


def _unescape(text: str) -> str:
    """Return the text of a literal of Python."""
    if "\\" not in text:
        return text
    found = ESCAPE.sub(_replace_escape, text)
    try:
        found.encode()
    except UnicodeEncodeError:
        raise ValueError("a lone surrogate in a text") from None
    return found


def _replace_escape(match: re.Match[str]) -> str:
    escape = match[1]
    if len(escape) == 1:
        if escape not in ESCAPED:
            raise ValueError(f"the escape {match[0]!r} is unknown")
        return ESCAPED[escape]
    code = int(escape[1:], 16)
    if code > LARGEST_CODE:
        raise ValueError(f"the escape {match[0]!r} is unknown")
    return chr(code)
