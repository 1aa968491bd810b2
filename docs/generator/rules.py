"""The page of validation rules, from their declarations."""

from collections.abc import Iterator

from groupwise.evaluator.validation.rules.registry import FAMILIES, every_rule
from groupwise.evaluator.validation.rules.rule import Rule

HEAD = """\
# Rules

What `groupwise validate` checks. `groupwise rule CODE` shows the same in a terminal. How to run it,
select rules and accept known findings: [validate ground truth](../how-to/validate.md). Rules of
your own: [extend groupwise](../how-to/extend.md).

An error makes scores wrong or impossible; a warning is probably a mistake; a note (`info`) is worth
knowing and never fails a run. `--fix` applies safe fixes, which leave every score unchanged or say
where they do not; `--unsafe-fixes` also applies those that may change what is measured.
"""


def rules_page() -> str:
    """All rules by family."""
    families = {family: [*_of(family)] for family in FAMILIES}
    return "\n".join(
        [HEAD, *(part for family, rules in families.items() for part in _family(family, rules))]
    )


def _of(family: str) -> Iterator[Rule]:
    yield from (rule for rule in every_rule().values() if rule.family == family)


def _family(family: str, rules: list[Rule]) -> Iterator[str]:
    yield f"## {family}: {FAMILIES[family]}\n"
    yield "| code | name | | fix |"
    yield "|---|---|---|---|"
    for rule in rules:
        yield f"| [{rule.code}](#{_anchor(rule)}) | {rule.name} | {rule.severity} | {_fix(rule)} |"
    yield ""
    yield from ("\n".join(_lines(rule)) for rule in rules)


def _anchor(rule: Rule) -> str:
    """The anchor that Markdown gives to the title."""
    return f"{rule.code.lower()}-{rule.name}"


def _fix(rule: Rule) -> str:
    return rule.fixable or ""


def _lines(rule: Rule) -> Iterator[str]:
    yield f"### {rule.code} {rule.name}\n"
    yield f"{rule.what} ({rule.severity})\n"
    yield f"{rule.why}\n"
    yield f"```text\n{rule.example}\n```\n"
    yield f"Instead:\n\n```text\n{rule.instead}\n```\n"
    if rule.fix:
        yield f"Fix, {rule.fixable}: {rule.fix}\n"
