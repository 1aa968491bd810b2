"""The checks that apply to a source, from the rules that are selected for it."""

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from groupwise.evaluator.validation.facts.case import Case
from groupwise.evaluator.validation.facts.draft import Draft
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.rules.registry import RULES
from groupwise.evaluator.validation.rules.rule import Rule

T = TypeVar("T")


def list_distinct(hooks: Iterable[T | None]) -> list[T]:
    """Return the hooks that are declared, each once: rules may share them."""
    return list(dict.fromkeys(hook for hook in hooks if hook is not None))


class Checklist:
    """The checks that apply to the records of a source."""

    def __init__(self, rules: Iterable[Rule], request: Request) -> None:
        checking = [rule for rule in rules if rule.check is not None]
        self._request = request
        self._checks = list_distinct(rule.check for rule in checking)
        self._overrides = {rule.code: rule.overrides for rule in checking if rule.overrides}

    def check(self, case: Case, most: int) -> tuple[list[Draft], Counter[str]]:
        """Return what is wrong with a record: at most so many drafts of a code, and how many more.

        One record may have millions of findings.
        """
        drafts: list[Draft] = []
        times: Counter[str] = Counter()
        for check in self._checks:
            for draft in check(case, self._request):
                times[draft.code] += 1
                if times[draft.code] <= most:
                    drafts.append(draft)
        return drafts, Counter({code: n - most for code, n in times.items() if n > most})

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
