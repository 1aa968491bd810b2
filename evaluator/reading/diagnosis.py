"""Diagnosis of invalid JSON: what is wrong, where, and what is accepted."""

import re
from typing import NamedTuple

import orjson

from groupwise.evaluator.reading.limits import LEVELS
from groupwise.evaluator.reading.lines import describe_byte
from groupwise.evaluator.reading.scan import place_deeper_than

DEEPEST = LEVELS.default
REPEATED_KEY = "IO004"
_LITERAL = re.compile(r"-?(NaN|Infinity)\b", re.IGNORECASE)
_HINTS = [
    (re.compile(r"\s*(//|/\*|#)"), "comments are not allowed"),
    (re.compile(r"\s*'"), "single quotes; JSON strings are in double quotes"),
    (re.compile(r"(None|True|False|undefined)\b"), "JSON has null, true and false"),
]


class Diagnosis(NamedTuple):
    """A message, the place (in characters) where parsing stopped, and the code of the rule."""

    message: str
    place: int
    code: str = "IO001"


SECOND_DOCUMENT = "a second document in one JSON file; if there is one per line, name it .jsonl"
"""What is said of text behind a document, unless the reader knows better."""

NOT_CLOSED = "invalid JSON: the record is not closed; a bracket or a quote is missing"


def explain(raw: bytes, error: orjson.JSONDecodeError, second: str = SECOND_DOCUMENT) -> Diagnosis:
    """Return why a piece of JSON cannot be parsed, and where."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as wrong:
        return Diagnosis(describe_byte(wrong), len(raw[: wrong.start].decode()), "IO002")
    if literal := _literal_near(text, error.pos):
        message = f"{literal[0]} is not JSON; numbers are finite"
        return Diagnosis(message, literal.start(), "IO005")
    if (deep := place_deeper_than(text, DEEPEST)) is not None and deep < error.pos:
        return Diagnosis(f"nested deeper than {DEEPEST} levels", deep, "IO007")
    if "string key" in error.msg and text.startswith("{", error.pos):
        return Diagnosis(NOT_CLOSED, len(text[: error.pos].rstrip(" \t\r\n,")))
    if _is_out_of_range(error):
        return Diagnosis("a number out of range", error.pos, "IO005")
    return Diagnosis(_reason(text, error, second), error.pos)


def _is_out_of_range(error: orjson.JSONDecodeError) -> bool:
    return any(words in error.msg.lower() for words in ("infinity", "out of range"))


def _reason(text: str, error: orjson.JSONDecodeError, second: str) -> str:
    said = error.msg.lower()
    rest = text[error.pos :]
    if "surrogate" in said or "hex escape" in said:
        return "a lone surrogate (half of a \\u pair) in a string"
    if "unexpected content after document" in said:
        return second
    return f"invalid JSON: {_hint(text, rest, said, error.pos) or error.msg}"


def _literal_near(text: str, place: int) -> re.Match[str] | None:
    near = text[max(0, place - 9) : place + 9].lower()
    if "an" not in near and "nf" not in near:
        return None
    for start in range(max(0, place - 9), place + 1):
        match = _LITERAL.match(text, start)
        if match and match.end() >= place:
            return match
    return None


def _hint(text: str, rest: str, said: str, place: int) -> str | None:
    if "trailing comma" in said or (rest[:1] in ("]", "}") and text[:place].rstrip().endswith(",")):
        return "a trailing comma; remove it"
    if not rest.strip():
        return "the text ends too early"
    for pattern, hint in _HINTS:
        if pattern.match(rest) or pattern.match(text[max(0, place - 1) :]):
            return hint
    return None
