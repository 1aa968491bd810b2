"""Checks of metrics that users declare: their names, how they are called, what they return."""

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.errors import ExtensionError
from groupwise.evaluator.hits import FloatArray, Hits
from groupwise.evaluator.hits.arrays import freeze, np
from groupwise.evaluator.plugins.own import name_in_errors

if TYPE_CHECKING:
    from groupwise.evaluator.metrics.registry import Metric

NAME = re.compile(r"[a-z][a-z0-9_]*")
METRIC_KINDS = ("score", "rank")
KINDS = (bool, int, float, str)
POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def name_of(function: Any) -> str:
    """Return the name of a function; anything else is refused."""
    if not callable(function) or not hasattr(function, "__name__"):
        raise ExtensionError(f"expected a function as a metric, got {function!r}")
    return str(function.__name__)


def check_declaration(declared: "Metric") -> None:
    """Refuse a kind or an upper bound that means nothing."""
    if declared.kind not in METRIC_KINDS:
        expected = " or ".join(map(repr, METRIC_KINDS))
        raise ExtensionError(
            f"the metric {declared.name!r}: expected {expected} as its kind, got {declared.kind!r}"
        )
    if not isinstance(declared.highest, int | float):
        raise ExtensionError(
            f"the metric {declared.name!r}: expected a number as its highest value, "
            f"got {declared.highest!r}"
        )


def check_function(name: str, function: Callable[..., Any]) -> Callable[..., FloatArray]:
    """Return the function with its values checked, if it can be called as a metric."""
    _check_signature(name, function)
    _check_defaults(name, function)

    @wraps(function)
    def check(hits: Hits, **parameters: Any) -> FloatArray:
        freeze(hits)
        apart = replace(hits)  # what it computes from the columns is its own
        with name_in_errors("metric", name):
            return _check_values(name, function(apart, **parameters), hits.queries)

    return check


def _check_signature(name: str, function: Callable[..., Any]) -> None:
    signature = inspect.signature(function)
    required = [
        argument.kind in POSITIONAL
        for argument in signature.parameters.values()
        if argument.default is argument.empty and argument.kind is not argument.VAR_KEYWORD
    ]
    if required != [True]:
        raise ExtensionError(
            f"the metric {name!r} must take Hits and nothing else that is required: expected "
            f"{name}(hits, *, parameter=default), got {name}{signature}"
        )


def _check_defaults(name: str, function: Callable[..., Any]) -> None:
    for argument in inspect.signature(function).parameters.values():
        if argument.kind is argument.KEYWORD_ONLY and type(argument.default) not in KINDS:
            raise ExtensionError(
                f"the metric {name!r}: expected a number, a boolean or text as the default of "
                f"{argument.name!r}, got {argument.default!r}"
            )


def _check_values(name: str, values: Any, queries: int) -> FloatArray:
    array = _as_array(values)
    if array.shape != (queries,) or array.dtype.kind not in "fiub":
        raise ExtensionError(
            f"the metric {name!r} must return one number per query: expected an array of shape "
            f"({queries},), got {_describe(values, array)}"
        )
    if np.isinf(array).any():
        raise ExtensionError(f"the metric {name!r} returned infinity; NaN stands for no value")
    scores: FloatArray = array.astype(np.float64, copy=False)
    return scores


def _as_array(values: Any) -> Any:
    try:
        return np.asarray(values)
    except ValueError:  # lists of different lengths
        return np.asarray(None)


def _describe(values: Any, array: Any) -> str:
    kind = type(values).__name__
    return f"{kind} of shape {array.shape}, {array.dtype}" if array.shape else f"{kind} {values!r}"


def check_spellings(
    declared: "Metric", built_in: Iterable["Metric"], own: Iterable["Metric"]
) -> None:
    """Refuse names that cannot be written, and those of other metrics in whatever profile."""
    taken = {spelling for known in built_in for spelling in known.spellings}
    others = {
        spelling: known
        for known in own
        for spelling in known.spellings
        if not _is_declared_again(known, declared)
    }
    for spelling in declared.spellings:
        if not NAME.fullmatch(spelling):
            raise ExtensionError(
                f"{spelling!r} cannot name a metric: expected a lower-case letter, "
                "then lower-case letters, digits and underscores"
            )
        if spelling in taken:
            raise ExtensionError(f"there is a built-in metric {spelling!r}; choose another name")
        if spelling in others:
            home = others[spelling].function.__module__
            raise ExtensionError(f"{home} declares a metric {spelling!r} too; choose another name")


def _is_declared_again(known: "Metric", declared: "Metric") -> bool:
    """Whether this is the same metric, from the same module or the same file."""
    old, new = inspect.unwrap(known.function), inspect.unwrap(declared.function)
    is_same_file = old.__code__.co_filename == new.__code__.co_filename
    return known.name == declared.name and (old.__module__ == new.__module__ or is_same_file)
