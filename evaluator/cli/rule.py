"""``groupwise rule``: what a finding means, straight from the declarations."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.guard import DONE
from groupwise.evaluator.cli.usage import UsageError, add_choice, parser_of

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from groupwise.evaluator.validation.rules.registry import Rule

DESCRIPTION = """\
List all rules of `groupwise validate`; with CODE, say what one of them means,
why it matters, and what to write instead. A rule goes by its code or its name;
the beginning of a code, such as GT or GT01, lists all rules that begin so."""
EXAMPLE = """\
  $ groupwise rule
  $ groupwise rule GT004
  $ groupwise rule empty-group GT007
  $ groupwise rule CP --format json
"""
FIXES = {"safe": "safe: --fix", "unsafe": "unsafe: --unsafe-fixes", None: "by hand"}
WIDEST = 100


def main(arguments: Sequence[str]) -> int:
    """Show the list, or some rules."""
    words = _parser().parse_intermixed_args(arguments)
    asked = [_named(word) for word in words.code] or [_named("ALL")]
    rules = list({rule.code: rule for some in asked for rule in some}.values())
    if words.format == "json":
        streams.say(_as_json(rules))
    elif any(len(some) > 1 for some in asked):
        streams.say(_listing(rules))
    else:
        streams.say("\n".join(map(_page, rules)))
    return DONE


def _parser() -> "ArgumentParser":
    parser = parser_of("rule", DESCRIPTION, EXAMPLE)
    parser.add_argument(
        "code", nargs="*", metavar="CODE", help="a code or a name, such as GT004 or empty-group"
    )
    add_choice(parser, "--format", ("table", "json"), "form of the output (default: table)")
    return parser


def _named(word: str) -> list["Rule"]:
    from groupwise.evaluator.validation.settings.lookup import rules_named  # noqa: PLC0415

    try:
        return rules_named(word)
    except ValueError as error:
        raise UsageError(str(error), "rule") from error


def _bold(text: str) -> str:
    return streams.paint(text, "bold", sys.stdout)


def _listing(rules: list["Rule"]) -> str:
    from groupwise.evaluator.validation.rules.registry import FAMILIES  # noqa: PLC0415

    families = {family: [r for r in rules if r.family == family] for family in FAMILIES}
    parts = [_section(family, some) for family, some in families.items() if some]
    return "\n".join([*parts, "groupwise rule CODE   what it means, why, an example, the fix\n"])


def _section(family: str, rules: list["Rule"]) -> str:
    from groupwise.evaluator.validation.rules.registry import FAMILIES  # noqa: PLC0415

    name = max(len(rule.name) for rule in rules)
    lines = (
        f"  {r.code}  {r.name:<{name}}  {r.severity:<7}  {_fix_word(r)}".rstrip() for r in rules
    )
    return "\n".join([_bold(f"{family}: {FAMILIES[family]}"), *lines, ""])


def _fix_word(rule: "Rule") -> str:
    return f"{rule.fixable} fix" if rule.fixable else ""


def _page(rule: "Rule") -> str:
    facts = "".join(f"  {name:<12}{text}\n" for name, text in _facts(rule))
    prose = "\n\n".join(map(_filled, (rule.what, rule.why)))
    return f"{_bold(f'{rule.code} {rule.name}')}  {rule.severity}\n\n{prose}\n\n{facts}"


def _filled(text: str) -> str:
    from textwrap import fill  # noqa: PLC0415

    return fill(text, min(streams.width(), WIDEST), break_long_words=False, break_on_hyphens=False)


def _facts(rule: "Rule") -> Iterator[tuple[str, str]]:
    yield from _labelled("example", rule.example)
    yield from _labelled("instead", rule.instead)
    yield "fix", f"{rule.fix} ({FIXES[rule.fixable]})" if rule.fix else FIXES[None]


def _labelled(label: str, text: str) -> Iterator[tuple[str, str]]:
    first, *others = text.splitlines()
    yield label, first
    yield from (("", line) for line in others)


def _as_json(rules: list["Rule"]) -> str:
    import json  # noqa: PLC0415

    content = {"schema": "groupwise.rules/1", "rules": [_fields(rule) for rule in rules]}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _fields(rule: "Rule") -> dict[str, Any]:
    from dataclasses import asdict  # noqa: PLC0415

    return asdict(rule)
