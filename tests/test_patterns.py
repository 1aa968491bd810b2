"""No regular expression backtracks: four times the text takes at most about four times as long.

Each is run on runs of the characters that it is made of, with something at the end that it refuses.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from itertools import product
from pkgutil import walk_packages
from time import perf_counter
from typing import Any

import pytest

import groupwise

BEGINNINGS = ("", "recall", "recall(", "recall@", "}", "]", '"', "1", "1e", "<1", ".", "a")
PIECES = (
    " ", "\t", "1", "a", ".", "\\", '"', "}", "]", ",", "-", "(", ")", "\r", "e", "@", ":", "*",
    "_", '\\"', " (first at line ", " (at line 1", "-a", "a.", "} ", "} ,", "], ", "flat='", "\\a",
)  # fmt: skip
ENDS = ("", "!", "\n")
SHORT, LONG = 200, 1000
EXTRAS = ("pyspark",)
SLOW = 0.01
"""Seconds for 1,000 characters: ten times what any text should take, a tenth of a quadratic one."""


def patterns_in(value: Any, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, list | tuple | dict) and depth < 3:
        for part in value.values() if isinstance(value, dict) else value:
            yield from patterns_in(part, depth + 1)


def attributes_of(module: str) -> dict[str, Any]:
    """Those of an engine are looked at where it can be imported; CI has all of them."""
    if module.endswith("__main__"):
        return {}
    try:
        return vars(import_module(module))
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        return {}


def all_patterns() -> dict[str, re.Pattern[Any]]:
    found: dict[re.Pattern[Any], str] = {}
    for module in walk_packages(groupwise.__path__, "groupwise."):
        for name, value in attributes_of(module.name).items():
            for pattern in patterns_in(value):
                found.setdefault(pattern, f"{module.name}.{name}")
    return {f"{name}-{number}": p for number, (p, name) in enumerate(found.items())}


PATTERNS = all_patterns()
SEARCHED = ("sanitise", "junit", "sarif", "json", "text.UNSEEN", "data.OPTION", "lines", "formula")
"""Where patterns are searched for; the others are matched at one place."""


def texts(pattern: re.Pattern[Any], size: int) -> Iterator[Any]:
    for beginning, piece, end in product(BEGINNINGS, PIECES, ENDS):
        text = beginning + piece * (size // len(piece)) + end
        yield text.encode() if isinstance(pattern.pattern, bytes) else text


def seconds(call: Any, text: Any) -> float:
    start = perf_counter()
    call(text)
    return perf_counter() - start


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_does_not_backtrack(name: str) -> None:
    pattern = PATTERNS[name]
    calls = [pattern.match, pattern.fullmatch]
    calls += [pattern.search] * any(part in name for part in SEARCHED)
    for call in calls:
        for short, long in zip(texts(pattern, SHORT), texts(pattern, LONG), strict=True):
            if seconds(call, short) > SLOW or seconds(call, long) > SLOW:
                again = min(seconds(call, long) for _ in range(3))
                assert again < SLOW, (call.__name__, long[:40])


def test_patterns_are_found() -> None:
    assert len(PATTERNS) > 20
