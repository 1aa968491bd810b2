"""Rules by what people call them: a code, a name, the beginning of codes, or ALL."""

from groupwise.evaluator.validation.rules.registry import Rule, every_rule

EVERY = "ALL"


def rules_named(word: str) -> list[Rule]:
    """The rules that a word stands for, in the order of their codes.

    >>> [rule.name for rule in rules_named("gt004")]
    ['empty-group']
    >>> len(rules_named("IO01"))
    1

    Raises:
        ValueError: No rule goes by that word; the nearest codes and names are given.
    """
    rules = every_rule().values()
    prefix = codes_meant(word)
    found = [rule for rule in rules if rule.code.startswith(prefix)]
    if not found:
        raise ValueError(f"no rule {word!r}; {_suggestion(word, [*rules])}")
    return found


def codes_meant(word: str) -> str:
    """The beginning that all codes have which a word stands for; none at all for ALL."""
    told = word.strip()
    if told.upper() == EVERY:
        return ""
    by_name = {rule.name: rule.code for rule in every_rule().values()}
    return by_name.get(told.lower(), told.upper()) or "no code"


def _suggestion(word: str, rules: list[Rule]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  (only needed when words are off)

    near = get_close_matches(word.upper(), [rule.code for rule in rules], n=3, cutoff=0.75)
    near += get_close_matches(word.lower(), [rule.name for rule in rules], n=3)
    if near:
        return f"did you mean {' or '.join(map(repr, near))}?"
    return f"'groupwise rule' lists all {len(rules)}"
