"""The head of a fixture: accepted by a few checks if it is plain, without its model."""

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from groupwise.schemas import drafts

if TYPE_CHECKING:
    from groupwise.schemas import FixtureHead


def accept_head(head: Mapping[str, Any]) -> "FixtureHead | None":
    """Return a head that is plain; None if it needs a closer look.

    >>> head = accept_head({"name": "first", "metrics": ["recall"], "tolerance": 0.5})
    >>> head.metrics, head.tolerance, accept_head({"metrics": "recall"})
    (('recall',), 0.5, None)
    """
    if not all(name in _PLAIN and _PLAIN[name](value) for name, value in head.items()):
        return None
    fields = {name: _CONVERT.get(name, _keep)(value) for name, value in head.items()}
    return cast("FixtureHead", drafts.FixtureHead(**fields))


def _is_text(value: Any) -> bool:
    return type(value) is str


def _are_texts(value: Any) -> bool:
    return type(value) is list and {*map(type, value)} <= {str}


def _is_number(value: Any) -> bool:
    return type(value) is float and math.isfinite(value)


def _is_tolerance(value: Any) -> bool:
    return _is_number(value) and value >= 0


def _are_expectations(value: Any) -> bool:
    """Whether scores are expected as numbers; what else may be expected needs a closer look."""
    return (
        type(value) is dict
        and {*map(type, value)} <= {str}
        and all(map(_is_number, value.values()))
    )


def _keep(value: Any) -> Any:
    return value


_PLAIN: Mapping[str, Callable[[Any], bool]] = {
    "name": _is_text,
    "description": _is_text,
    "profile": _is_text,
    "metrics": _are_texts,
    "expected": _are_expectations,
    "tolerance": _is_tolerance,
}
_CONVERT: Mapping[str, Callable[[Any], Any]] = {"metrics": tuple, "expected": dict}
