"""Checks for rules that users add: errors in hooks name the rule, and return values are checked."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, get_args

from groupwise.evaluator.errors import ExtensionError
from groupwise.evaluator.plugins.own import name_in_errors
from groupwise.evaluator.validation.facts.draft import Draft, Place
from groupwise.evaluator.validation.rules.rule import Rule, Severity


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
    severities = get_args(Severity)
    if rule.severity not in severities:
        expected = f"one of {', '.join(severities)} as its severity"
        raise _build_error(rule.code, expected, rule.severity)
    own: dict[str, Any] = {}
    for name, check in CHECKS.items():
        hook = getattr(rule, name)
        if hook is not None:
            if not callable(hook):
                raise _build_error(rule.code, f"a function as {name}", hook)
            own[name] = OwnHook(hook, rule.code, check)
    return rule._replace(**own)


def _build_error(code: str, expected: str, found: Any) -> ExtensionError:
    return ExtensionError(f"the rule {code!r}: expected {expected}, got {found!r}")


def _check_drafts(code: str, found: Any, *_given: Any) -> list[Draft]:
    return [_check_draft(code, draft) for draft in _check_iterable(code, found, "Draft")]


def _check_draft(code: str, draft: Any) -> Draft:
    if not isinstance(draft, Draft):
        raise _build_error(code, "a Draft", draft)
    if str(draft.code)[:2] != code[:2]:
        raise _build_error(code, "its own code", draft.code)
    if not isinstance(draft.message, str):
        raise _build_error(code, "text as message", draft.message)
    if not isinstance(draft.pointer, tuple | list):
        raise _build_error(code, "a tuple of steps as pointer", draft.pointer)
    return draft


def _check_iterable(code: str, found: Any, kind: str) -> Iterable[Any]:
    if not isinstance(found, Iterable) or isinstance(found, str | Draft):
        raise _build_error(code, f"an iterable of {kind}", found)
    return found


def _check_placed(code: str, found: Any, *_given: Any) -> list[tuple[Draft, Place]]:
    return [_check_pair(code, pair) for pair in _check_iterable(code, found, "Draft and Place")]


def _check_pair(code: str, pair: Any) -> tuple[Draft, Place]:
    if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[1], Place):
        raise _build_error(code, "a Draft and its Place", pair)
    return _check_draft(code, pair[0]), pair[1]


def _check_locator(code: str, found: Any, *_given: Any) -> OwnHook | None:
    if found is not None and not callable(found):
        raise _build_error(code, "a function or None", found)
    return None if found is None else OwnHook(found, code, _check_drafts)


def _return_as_is(_code: str, found: Any, *_given: Any) -> Any:
    return found


CHECKS: dict[str, Callable[..., Any]] = {
    "check": _check_drafts,
    "check_source": _check_drafts,
    "check_session": _check_placed,
    "suspect": _check_locator,
    "schema": _return_as_is,
    "revise": _return_as_is,
}
"""The check of what each hook returns."""
