"""The arguments that functions share, by name, and what each of them accepts.

Those that are not listed here are checked where they are read: cutoffs, data, matchers, numbers.
"""

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from groupwise.schemas.policies import CHOICES

BOOLEANS = frozenset({"bool", "bool_"})
"""Names of the types of truth values, of Python and of NumPy, which is not loaded for this."""
NUMBERS = frozenset({"uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"})


class Argument(NamedTuple):
    """What an argument accepts besides its default, for code and in words."""

    fits: Callable[[Any], bool]
    accepted: str


def is_flag(value: Any) -> bool:
    """Whether this is a truth value; the numbers 0 and 1 are."""
    return type(value).__name__ in BOOLEANS or (type(value) is int and value in (0, 1))


def is_count(value: Any) -> bool:
    """Whether this is a whole number from 0 on."""
    return (type(value) is int or type(value).__name__ in NUMBERS) and value >= 0


def is_size(value: Any) -> bool:
    """Whether this is a number of bytes."""
    return is_count(value) and value > 0


def is_number(value: Any) -> bool:
    """Whether a value can be a number; which ones are accepted is checked where it is read."""
    return isinstance(value, str) or hasattr(value, "__float__")


def are_names(value: Any) -> bool:
    """Whether this is a name, or several of something; each is checked where it is read."""
    return isinstance(value, Iterable) and not isinstance(value, bytes)


def are_texts(value: Any) -> bool:
    """Whether this is a text, or several; those that can be read once only are not read here."""
    if isinstance(value, Iterator):
        return True
    is_list = are_names(value) and not isinstance(value, Mapping)
    return is_list and all(isinstance(each, str) for each in value)


def are_codes(value: Any) -> bool:
    """Whether these are codes of rules, or a selection of rules."""
    return are_texts(value) or hasattr(value, "wants")


def are_gates(value: Any) -> bool:
    """Whether these are gates, or where they are."""
    return are_names(value) or is_path(value)


def is_path(value: Any) -> bool:
    """Whether this is a path."""
    return isinstance(value, str | os.PathLike)


def accept_words(*words: str) -> Argument:
    """Return an argument that is one of these words."""
    *others, last = map(repr, words)
    accepted = f"{', '.join(others)} or {last}" if others else last
    return Argument(lambda value: isinstance(value, str) and value in words, accepted)


FLAG = Argument(is_flag, "True or False")
SIZE = Argument(is_size, "a number of bytes, such as 1 << 30")
CODES = Argument(are_codes, "codes of rules, such as ['GT', 'RN001']")

FLAGS = (
    "allow_other_data", "bands", "ceilings", "cnf", "dry_run", "lossy", "per_query", "provenance",
    "subtopics", "unsafe", "update", "write",
)  # fmt: skip
POLICIES = {
    name: accept_words(*filter(None, words)) for name, words in CHOICES.items() if any(words)
}
ARGUMENTS: dict[str, Argument] = {
    **dict.fromkeys(FLAGS, FLAG),
    **POLICIES,
    "characters_per_token": Argument(is_number, "a number"),
    "errors": accept_words("raise", "skip"),
    "exclude": Argument(are_texts, "patterns of paths, such as ['*.bak']"),
    "fields": Argument(lambda value: isinstance(value, str | Mapping), "a mapping or 'auto'"),
    "format": Argument(are_texts, "the name of a format, or several in a list"),
    "gates": Argument(are_gates, "gates, such as ['recall@5 >= 0.8'], a preset or a path"),
    "ignore": CODES,
    "max_bytes": SIZE,
    "max_findings": Argument(is_count, "a whole number from 0 on"),
    "max_record_bytes": SIZE,
    "metric": Argument(lambda value: isinstance(value, str), "the name of a metric"),
    "metrics": Argument(are_names, "names of metrics, such as ['recall@5', 'ndcg']"),
    "profile": Argument(
        lambda value: isinstance(value, Hashable),
        "the name of a profile: autorag, trec or coverage",
    ),
    "progress": Argument(callable, "a function"),
    "role": accept_words("ground_truth", "run", "corpus"),
    "select": CODES,
    "split": Argument(lambda value: isinstance(value, Hashable), "'span' or 'groups'"),
    "to": Argument(lambda value: isinstance(value, str), "the name of a format"),
    "write_baseline": Argument(is_path, "a path"),
}
WITHDRAWN = {
    "jobs": "this reads in one process; evaluate splits JSON Lines",
    "resume": "evaluate the files again, 250 MB of JSON Lines take about half a second; for the "
    "answers of a live retriever, a file of answers follows",
}
"""Arguments and options of earlier versions, and what to do instead."""
