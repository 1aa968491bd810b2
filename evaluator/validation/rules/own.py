"""Rules of users: their errors name the rule, and what their hooks return is checked."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from groupwise.evaluator.errors import ExtensionError
from groupwise.evaluator.plugins.own import name_in_errors
from groupwise.evaluator.validation.facts.draft import Draft, Place
from groupwise.evaluator.validation.rules.rule import Limits, Rule, Severity


@dataclass(frozen=True)
class OwnHook:
    """A hook of a user's rule; rules that share a function share the hook."""

    function: Callable[..., Any]
    code: str = field(compare=False)
    check: Callable[..., Any] = field(compare=False)

    def __call__(self, *given: Any) -> Any:
        """Return what the function returns, checked."""
        with name_in_errors("rule", self.code):
            return self.check(self.code, self.function(*given), *given)


def check_own(rule: Rule) -> Rule:
    """Return the rule of a user with its hooks checked.

    Raises:
        ExtensionError: Its severity is unknown, or a hook is not a function.
    """
    if rule.severity not in get_args(Severity):
        expected = ", ".join(get_args(Severity))
        raise ExtensionError(
            f"the rule {rule.code!r}: expected one of {expected} as its severity, "
            f"got {rule.severity!r}"
        )
    given = {name: getattr(rule, name) for name in CHECKS}
    hooks = {name: hook for name, hook in given.items() if hook is not None}
    for name, hook in hooks.items():
        if not callable(hook):
            raise ExtensionError(
                f"the rule {rule.code!r}: expected a function as {name}, got {hook!r}"
            )
    own: dict[str, Any] = {
        name: OwnHook(hook, rule.code, CHECKS[name]) for name, hook in hooks.items()
    }
    return replace(rule, **own)


def _check_drafts(code: str, found: Any, *_given: Any) -> list[Draft]:
    return [_check_draft(code, draft) for draft in _check_iterable(code, found, "Draft")]


def _check_draft(code: str, draft: Any) -> Draft:
    if not isinstance(draft, Draft):
        raise ExtensionError(f"the rule {code!r}: expected a Draft, got {draft!r}")
    if str(draft.code)[:2] != code[:2]:
        raise ExtensionError(f"the rule {code!r}: expected its own code, got {draft.code!r}")
    if not isinstance(draft.message, str):
        raise ExtensionError(f"the rule {code!r}: expected text as message, got {draft.message!r}")
    if not isinstance(draft.pointer, tuple | list):
        raise ExtensionError(
            f"the rule {code!r}: expected a tuple of steps as pointer, got {draft.pointer!r}"
        )
    return draft


def _check_iterable(code: str, found: Any, kind: str) -> Iterable[Any]:
    if not isinstance(found, Iterable) or isinstance(found, str | Draft):
        raise ExtensionError(f"the rule {code!r}: expected an iterable of {kind}, got {found!r}")
    return found


def _check_placed(code: str, found: Any, *_given: Any) -> list[tuple[Draft, Place]]:
    return [_check_pair(code, pair) for pair in _check_iterable(code, found, "Draft and Place")]


def _check_pair(code: str, pair: Any) -> tuple[Draft, Place]:
    if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[1], Place):
        raise ExtensionError(f"the rule {code!r}: expected a Draft and its Place, got {pair!r}")
    return _check_draft(code, pair[0]), pair[1]


def _check_numbers(code: str, found: Any, plain: Any, *_given: Any) -> set[int]:
    numbers = set(_check_iterable(code, found, "numbers"))
    records = range(len(plain.queries))
    if unknown := numbers.difference(records):
        raise ExtensionError(
            f"the rule {code!r}: expected numbers of records below {len(records)} from bulk, "
            f"got {next(iter(unknown))!r}"
        )
    return numbers


def _check_limits(code: str, found: Any, *_given: Any) -> Limits:
    if not isinstance(found, Limits):
        raise ExtensionError(f"the rule {code!r}: expected Limits from sweep, got {found!r}")
    return found


def _check_locator(code: str, found: Any, *_given: Any) -> OwnHook | None:
    if found is not None and not callable(found):
        raise ExtensionError(f"the rule {code!r}: expected a function or None, got {found!r}")
    return None if found is None else OwnHook(found, code, _check_drafts)


def _return_as_is(_code: str, found: Any, *_given: Any) -> Any:
    return found


CHECKS: dict[str, Callable[..., Any]] = {
    "check": _check_drafts,
    "check_source": _check_drafts,
    "check_session": _check_placed,
    "bulk": _check_numbers,
    "sweep": _check_limits,
    "suspect": _check_locator,
    "schema": _return_as_is,
    "revise": _return_as_is,
}
"""How what a hook returns is checked."""
