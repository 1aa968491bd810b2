"""Arguments of functions are checked before anything is read, and limits hold while they run."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from groupwise.evaluator.arguments.declared import ARGUMENTS, WITHDRAWN
from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.reading.limits import limiting_records
from groupwise.evaluator.text import quote

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


def checks_arguments(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """Let a function refuse what its keyword arguments do not accept.

    Their defaults always fit. ``max_record_bytes`` holds for all that the function reads.
    """
    defaults = function.__kwdefaults__ or {}

    @wraps(function)
    def call(*args: Arguments.args, **given: Arguments.kwargs) -> Answer:
        check_arguments(given, defaults)
        limit: Any = given.get("max_record_bytes")
        if limit is None:
            return function(*args, **given)
        with limiting_records(limit):
            return function(*args, **given)

    return call


def check_arguments(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
    """Refuse values that do not fit.

    Raises:
        OptionError: There are such values, or names that are withdrawn; each of them is named.
    """
    gone = sorted((given.keys() - defaults.keys()) & WITHDRAWN.keys())
    problems = [Problem(f"{name} is withdrawn: {WITHDRAWN[name]}") for name in gone]
    problems += [
        Problem(f"{name}={quote(value)}: expected {argument.accepted}")
        for name, value in given.items()
        if (argument := ARGUMENTS.get(name)) is not None
        and not (argument.fits(value) or value is defaults.get(name))
    ]
    if problems:
        raise OptionError(problems)
