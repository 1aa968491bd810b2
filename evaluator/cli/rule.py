"""``groupwise rule``: what a finding means, from the declaration of its rule."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import CommandParser
from groupwise.evaluator.cli.guard import DONE
from groupwise.evaluator.cli.output import say_json
from groupwise.evaluator.cli.usage import UsageError

if TYPE_CHECKING:
    from groupwise.evaluator.validation.rules.rule import Rule

DESCRIPTION = """\
List all rules of `groupwise validate`; with CODE, explain one of them: what
breaks it, why it matters, and what to write instead. CODE is a code or a name;
a prefix, such as GT or GT01, lists all rules whose codes begin with it."""
EXAMPLE = """\
  $ groupwise rule
  $ groupwise rule GT004
  $ groupwise rule empty-group GT007
  $ groupwise rule CP --format json
"""
FIXES = {"safe": "safe: --fix", "unsafe": "unsafe: --unsafe-fixes", None: "by hand"}
TEXTS = ("code", "name", "severity", "what", "why", "example", "instead")
WIDEST = 100


def main(arguments: Sequence[str]) -> int:
    """Print the list of rules, or the pages of some."""
    words = _parser().parse_words(arguments)
    chosen = [_find_rules(word) for word in words.code or ["ALL"]]
    rules = list({rule.code: rule for found in chosen for rule in found}.values())
    if words.format == "json":
        say_json({"schema": "groupwise.rules/1", "rules": [_describe(rule) for rule in rules]})
    elif any(len(found) > 1 for found in chosen):
        streams.say(_render_list(rules))
    else:
        streams.say("\n".join(map(_render_page, rules)))
    return DONE


def _parser() -> CommandParser:
    parser = CommandParser("rule", DESCRIPTION, EXAMPLE)
    parser.add_argument(
        "code", nargs="*", metavar="CODE", help="a code or a name, such as GT004 or empty-group"
    )
    parser.add_choice("--format", ("table", "json"), "output format (default: table)")
    return parser


def _find_rules(word: str) -> list["Rule"]:
    from groupwise.evaluator.validation.settings.selection import find_rules  # noqa: PLC0415

    try:
        return find_rules(word)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _render_list(rules: list["Rule"]) -> str:
    from groupwise.evaluator.validation.rules.registry import every_rule  # noqa: PLC0415

    families: dict[str, list[Rule]] = {}
    for rule in every_rule().values():
        if rule in rules:
            families.setdefault(rule.family, []).append(rule)
    sections = [_render_family(family, members) for family, members in families.items()]
    return "\n".join([*sections, "groupwise rule CODE   what it means, why, an example, the fix\n"])


def _render_family(family: str, rules: list["Rule"]) -> str:
    from groupwise.evaluator.validation.rules.registry import describe_family  # noqa: PLC0415

    width = max(len(rule.name) for rule in rules)
    fixes = [f"{rule.fixable} fix" if rule.fixable else "" for rule in rules]
    lines = (
        f"  {rule.code}  {rule.name:<{width}}  {rule.severity:<7}  {fix}".rstrip()
        for rule, fix in zip(rules, fixes, strict=True)
    )
    return "\n".join([streams.bold(f"{family}: {describe_family(family)}"), *lines, ""])


def _render_page(rule: "Rule") -> str:
    facts = "".join(f"  {label:<12}{text}\n" for label, text in _list_facts(rule))
    prose = "\n\n".join(_fill(text) for text in (rule.what, rule.why) if text)
    return f"{streams.bold(f'{rule.code} {rule.name}')}  {rule.severity}\n\n{prose}\n\n{facts}"


def _fill(text: str) -> str:
    from textwrap import fill  # noqa: PLC0415

    return fill(text, min(streams.width(), WIDEST), break_long_words=False, break_on_hyphens=False)


def _list_facts(rule: "Rule") -> Iterator[tuple[str, str]]:
    yield from _label_lines("example", rule.example)
    yield from _label_lines("instead", rule.instead)
    yield "fix", f"{rule.fix} ({FIXES[rule.fixable]})" if rule.fix else FIXES[None]


def _label_lines(label: str, text: str) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(text.splitlines()):
        yield ("" if number else label), line


def _describe(rule: "Rule") -> dict[str, Any]:
    texts = {name: getattr(rule, name) for name in TEXTS}
    return {**texts, "fix": str(rule.fix or ""), "fixable": rule.fixable}
