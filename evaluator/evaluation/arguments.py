"""The arguments that functions share, by name, and what each of them accepts.

Those that are not listed here are checked where they are read: cutoffs, data, matchers, numbers.
"""

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.reading.file import is_flag, list_said_of_files
from groupwise.evaluator.text import quote
from groupwise.schemas.policies import CHOICES

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")
NUMBERS = frozenset({"uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"})


class Argument(NamedTuple):
    """What an argument accepts besides its default, for code and in words."""

    fits: Callable[[Any], bool]
    accepted: str


def is_count(value: Any) -> bool:
    """Whether this is a whole number from 0 on."""
    return (type(value) is int or type(value).__name__ in NUMBERS) and value >= 0


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
CODES = Argument(are_codes, "codes of rules, such as ['GT', 'RN001']")

FLAGS = (
    "allow_other_data", "bands", "ceilings", "dry_run", "lossy", "per_query", "provenance",
    "unsafe", "update", "write",
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
    "gates": Argument(are_gates, "gates, such as ['recall@5 >= 0.8'], a preset or a path"),
    "ignore": CODES,
    "max_findings": Argument(is_count, "a whole number from 0 on"),
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


def checks_arguments(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """Let a function refuse what its keyword arguments do not accept; their defaults always fit."""
    defaults = function.__kwdefaults__ or {}

    @wraps(function)
    def call(*args: Arguments.args, **given: Arguments.kwargs) -> Answer:
        check_arguments(given, defaults)
        return function(*args, **given)

    return call


def check_arguments(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
    """Refuse values that do not fit.

    Raises:
        OptionError: There are such values, or names that are withdrawn; each of them is named.
    """
    unknown = sorted(given.keys() - defaults.keys())
    gone = [f"{name} is withdrawn: {WITHDRAWN[name]}" for name in unknown if name in WITHDRAWN]
    gone += list_said_of_files(unknown)
    wrong = [
        f"{name}={quote(value)}: expected {argument.accepted}"
        for name, value in given.items()
        if (argument := ARGUMENTS.get(name)) is not None
        and not (argument.fits(value) or value is defaults.get(name))
    ]
    if gone or wrong:
        raise OptionError([*map(Problem, (*gone, *wrong))])
