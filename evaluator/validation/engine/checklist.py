"""The checks that apply to a source, from the rules that are selected for it."""

from collections.abc import Iterable
from typing import Any, TypeVar

from groupwise.evaluator.validation.facts.case import Case
from groupwise.evaluator.validation.facts.draft import Draft
from groupwise.evaluator.validation.facts.plain import PlainRecords
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.rules.rule import Limits, Rule

T = TypeVar("T")


def list_distinct(hooks: Iterable[T | None]) -> list[T]:
    """Return the hooks that are declared, each once: rules may share them."""
    return list(dict.fromkeys(hook for hook in hooks if hook is not None))


class Checklist:
    """The checks that apply to the records of a source.

    Attributes:
        limits: The limits of the sweep; None if a rule does not declare that the sweep covers it.
        unscreened: The checks without ``bulk``, which plain records go through, too.
    """

    def __init__(self, rules: Iterable[Rule], request: Request) -> None:
        checking = [rule for rule in rules if rule.check is not None]
        self.request = request
        self.limits = _combine_limits(checking, request)
        self.unscreened = list_distinct(rule.check for rule in checking if rule.bulk is None)
        self._checks = list_distinct(rule.check for rule in checking)
        self._screens = list_distinct(rule.bulk for rule in checking)
        self._overrides = {rule.code: rule.overrides for rule in checking if rule.overrides}

    def check(self, case: Case, *, is_screened: bool = False) -> list[Draft]:
        """Return what all checks report about a record; if it is screened, those without bulk."""
        checks = self.unscreened if is_screened else self._checks
        return [draft for check in checks for draft in check(case, self.request)]

    def screen(self, plain: PlainRecords) -> set[int]:
        """Return the numbers of the plain records that may break a rule with a check in bulk."""
        found: set[int] = set()
        for screen in self._screens:
            found.update(screen(plain, self.request))
        return found

    def is_overridden(self, draft: Draft, others: Iterable[Draft]) -> bool:
        """Whether another draft with the same pointer overrides this one."""
        return any(
            draft.code in self._overrides.get(other.code, ())
            and tuple(draft.pointer) == tuple(other.pointer)
            for other in others
        )


def _combine_limits(rules: list[Rule], request: Request) -> Limits | None:
    """Return the narrowest limits of all rules; None if one of them has none."""
    declared: list[Any] = [rule.sweep for rule in rules]
    if None in declared:
        return None
    limits = [Limits(), *(limit(request) for limit in declared)]
    return Limits(*map(min, zip(*limits, strict=True)))
