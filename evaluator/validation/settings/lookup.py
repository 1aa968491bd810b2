"""Rules by code, by name, by the beginning of codes, or ALL."""

from groupwise.evaluator.text import suggest
from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.evaluator.validation.rules.rule import Rule

EVERY = "ALL"


def find_rules(word: str) -> list[Rule]:
    """Return the rules that a word stands for, in the order of their codes.

    >>> [rule.name for rule in find_rules("gt004")]
    ['empty-group']
    >>> len(find_rules("IO01"))
    1

    Raises:
        ValueError: The word names no rule; the message suggests the nearest codes and names.
    """
    prefix = get_prefix(word)
    found = [rule for rule in every_rule().values() if rule.code.startswith(prefix)]
    if not found:
        raise ValueError(f"no rule {word!r}; {_suggest(word)}")
    return found


def get_prefix(word: str) -> str:
    """Return the common beginning of the codes that a word stands for; blank for ALL."""
    name = word.strip()
    if name.upper() == EVERY:
        return ""
    by_name = {rule.name: rule.code for rule in every_rule().values()}
    return by_name.get(name.lower(), name.upper()) or "no code"


def _suggest(word: str) -> str:
    rules = every_rule().values()
    shown = {rule.code.lower(): repr(rule.code) for rule in rules}
    shown |= {rule.name: repr(rule.name) for rule in rules}
    otherwise = f"'groupwise rule' lists all {len(rules)}"
    return suggest(word, shown, shown=shown.__getitem__, most=3, otherwise=otherwise)
