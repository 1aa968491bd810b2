"""The registry of rules: those of groupwise, and those that users add."""

import re
from collections.abc import Iterable
from typing import TypeVar

from groupwise.evaluator.errors import ExtensionError
from groupwise.evaluator.plugins.registry import Registry, check_kind
from groupwise.evaluator.validation.rules import corpus, gates, io, run, truth
from groupwise.evaluator.validation.rules.rule import Rule

FAMILIES = {
    "IO": "the text and its shape",
    "GT": "the ground truth",
    "CP": "ground truth beside the corpus (--corpus)",
    "RN": "results, and ground truth beside them (--run)",
    "ST": "gates (--gate)",
}
"""The meaning of the first letters of a code."""

CODE = re.compile(r"[A-Z]{2}[0-9]{3}")
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

T = TypeVar("T")

RULES: Registry[Rule] = Registry(
    "rule",
    lambda: {
        rule.code: rule for family in (io, truth, corpus, run, gates) for rule in family.RULES
    },
)


def every_rule() -> dict[str, Rule]:
    """Return all rules by code, in the order of the reference page; added ones come last.

    Those of installed plugins are among them: a rule that is installed is applied.
    """
    return RULES.list_all()


def add_rule(rule: Rule) -> Rule:
    """Add a rule of your own; ``validate`` applies it from then on.

    A rule that was added before under the same code is replaced.

    Returns:
        The rule.

    Raises:
        ExtensionError: The code is not two capital letters and three digits, the name is not
            lower-case words with hyphens, another rule has one of them, or a hook is not a
            function.
    """
    from groupwise.evaluator.validation.rules.own import check_own  # noqa: PLC0415

    check_kind(rule, Rule)
    if not CODE.fullmatch(str(rule.code)):
        raise ExtensionError(
            f"the code {rule.code!r}: expected two capital letters and three digits"
        )
    if not NAME.fullmatch(str(rule.name)):
        raise ExtensionError(f"the name {rule.name!r}: expected lower-case words with hyphens")
    for other in RULES.list_known().values():
        if rule.name == other.name and rule.code != other.code:
            raise ExtensionError(f"{rule.code} {rule.name}: {other.code} has that name already")
    RULES.add(rule.code, check_own(rule))
    return rule


def describe_family(family: str) -> str:
    """Return the meaning of the first letters of a code."""
    return FAMILIES.get(family, "added rules")


def list_distinct(hooks: Iterable[T | None]) -> list[T]:
    """Return the hooks that are declared, each once: rules may share them."""
    return list(dict.fromkeys(hook for hook in hooks if hook is not None))


def are_built_in(rules: Iterable[Rule]) -> bool:
    """Whether all these rules are those of groupwise, whose hooks are known."""
    return all(RULES.built_in.get(rule.code) is rule for rule in rules)
