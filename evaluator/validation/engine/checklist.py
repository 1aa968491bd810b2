"""The checks that apply to a source, from the rules that are selected for it."""

from collections.abc import Iterable
from typing import Any, TypeVar

from groupwise.evaluator.validation.facts.case import Case
from groupwise.evaluator.validation.facts.draft import Draft
from groupwise.evaluator.validation.facts.plain import PlainRecords
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.rules.registry import RULES
from groupwise.evaluator.validation.rules.rule import Check, Limits, Rule

T = TypeVar("T")


def list_distinct(hooks: Iterable[T | None]) -> list[T]:
    """Return the hooks that are declared, each once: rules may share them."""
    return list(dict.fromkeys(hook for hook in hooks if hook is not None))


class Checklist:
    """The checks that apply to the records of a source.

    Attributes:
        limits: The limits of the sweep; None if a rule does not declare that the sweep covers it.
        checks: All checks, each once.
        are_built_in: Whether all rules with a check are those of groupwise.
    """

    def __init__(self, rules: Iterable[Rule], request: Request) -> None:
        checking = [rule for rule in rules if rule.check is not None]
        self.request = request
        self.limits = _combine_limits(checking, request)
        self.are_built_in = are_built_in(checking)
        self.checks = list_distinct(rule.check for rule in checking)
        self._screens = _group_checks(checking)
        self._overrides = {rule.code: rule.overrides for rule in checking if rule.overrides}

    def check(self, case: Case, checks: Iterable[Check] | None = None) -> list[Draft]:
        """Return what these checks report about a record; by default, all."""
        chosen = self.checks if checks is None else checks
        return [draft for check in chosen for draft in check(case, self.request)]

    def screen(self, plain: PlainRecords) -> dict[int, list[Check]]:
        """Return the checks that plain records may fail, by the numbers of these records.

        A check without ``bulk`` is for all of them.
        """
        found: dict[int, list[Check]] = {}
        numbers: dict[Check, set[int]] = {}
        for screen, checks in self._screens.items():
            some = range(len(plain.queries)) if screen is None else screen(plain, self.request)
            if suspects := {*some}:
                for check in checks:
                    numbers.setdefault(check, set()).update(suspects)
        for check in self.checks if numbers else ():
            for number in numbers.get(check, ()):
                found.setdefault(number, []).append(check)
        return found

    def is_overridden(self, draft: Draft, others: Iterable[Draft]) -> bool:
        """Whether another draft with the same pointer overrides this one."""
        return any(
            draft.code in self._overrides.get(other.code, ())
            and tuple(draft.pointer) == tuple(other.pointer)
            for other in others
        )


def are_built_in(rules: Iterable[Rule]) -> bool:
    """Whether all these rules are those of groupwise, whose hooks are known."""
    return all(RULES.built_in.get(rule.code) is rule for rule in rules)


def _group_checks(rules: list[Rule]) -> dict[Any, list[Check]]:
    """Return the checks by the screen that they are declared with; None: without any."""
    groups: dict[Any, list[Check]] = {}
    for rule in rules:
        if rule.check is not None and rule.check not in groups.setdefault(rule.bulk, []):
            groups[rule.bulk].append(rule.check)
    return groups


def _combine_limits(rules: list[Rule], request: Request) -> Limits | None:
    """Return the narrowest limits of all rules; None if one of them has none."""
    declared: list[Any] = [rule.sweep for rule in rules]
    if None in declared:
        return None
    limits = [Limits(), *(limit(request) for limit in declared)]
    return Limits(*map(min, zip(*limits, strict=True)))
