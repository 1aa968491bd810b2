"""What could come next on a command line, from the parsers of the commands."""

import shlex
from argparse import Action
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from groupwise.evaluator.cli.commands import COMMANDS, load_parser

if TYPE_CHECKING:
    from groupwise.evaluator.cli.arguments import CommandParser

Candidate: TypeAlias = tuple[str, str]
"""What to type, and what it is for."""
FILES: list[Candidate] = [(":files", "")]
"""Tells a shell to complete the names of files."""
FREE = frozenset({
    "C", "D", "EXPR", "FIELD", "FIELD=PATH,…", "ID", "K", "LEVEL", "N", "NAME=VALUE", "P",
    "PATTERN", "S", "T",
})  # fmt: skip
"""What some arguments are called whose values only the user knows."""
REPEATABLE = ("_AppendAction", "_ExtendAction", "Merge")
LONGEST_HELP = 70


class _Line(NamedTuple):
    """A command line up to the word that is typed.

    Attributes:
        pending: The option whose value comes next, if any.
        places: How many arguments that are not options came before.
        given: The options that came before.
        is_plain: Whether there are no more options, after ``--``.
    """

    pending: Action | None
    places: int
    given: frozenset[str]
    is_plain: bool


def split_line(line: str) -> list[str]:
    """Return the words of a command line without the program; the last one is unfinished.

    >>> split_line("groupwise check 'my fi"), split_line("groupwise check ")
    (['check', 'my fi'], ['check', ''])
    """
    for end in ("", "'", '"'):
        try:
            words = shlex.split(f"{line}{end}")
        except ValueError:
            continue
        is_new = not end and line[-1:].isspace()
        return [*words[1:], *([""] if is_new or len(words) < 2 else [])]
    return []


def cut_at_break(word: str, breaks: str) -> int:
    """Return how much of a word a shell has cut off already: bash does so after ``=`` and ``:``."""
    return max((word.rfind(sign) + 1 for sign in breaks if not sign.isspace()), default=0)


def list_candidates(words: Sequence[str]) -> list[Candidate]:
    """Return what the last word, which is unfinished, could become."""
    *before, current = words or [""]
    if not before:
        options = [("--help", "what the commands are"), ("--version", "the version")]
        return _filter([*COMMANDS.items(), *options], current)
    if before[0] == "help":
        return _filter(COMMANDS.items(), current) if len(before) == 1 else []
    if before[0] not in COMMANDS:
        return []
    return _complete(load_parser(before[0]), before[1:], current)


def _complete(parser: "CommandParser", before: Sequence[str], current: str) -> list[Candidate]:
    line = _read_line(parser, before)
    is_optional = line.pending is not None and line.pending.nargs == "?"
    if line.pending is not None and not (is_optional and current.startswith("-")):
        return _list_values(line.pending, current)
    if current.startswith("-") and not line.is_plain:
        flag, sign, value = current.partition("=")
        if sign:
            return _prefix(_find_values(parser, flag, value), f"{flag}=")
        return _filter(_list_options(parser, line.given), current)
    places = [action for action in _actions(parser) if not action.option_strings]
    if not places or (line.places >= len(places) and places[-1].nargs not in ("+", "*")):
        return []
    return _list_values(places[min(line.places, len(places) - 1)], current)


def _read_line(parser: "CommandParser", before: Sequence[str]) -> _Line:
    known = {flag: action for action in _actions(parser) for flag in action.option_strings}
    pending, places, given, is_plain = None, 0, set[str](), False
    for word in before:
        action = None if is_plain else known.get(word.partition("=")[0])
        if pending is not None and not (action and pending.nargs == "?"):
            pending = None
        elif word == "--" and not is_plain:
            is_plain = True
        elif action is not None:
            given |= {*action.option_strings} if _is_once(action) else set()
            pending = action if action.nargs != 0 and "=" not in word else None
        else:
            places += is_plain or not word.startswith("-")
    return _Line(pending, places, frozenset(given), is_plain)


def _actions(parser: "CommandParser") -> list[Action]:
    return parser._actions  # noqa: SLF001  (argparse has no other list of them)


def _is_once(action: Action) -> bool:
    return type(action).__name__ not in REPEATABLE


def _list_options(parser: "CommandParser", given: Iterable[str]) -> Iterator[Candidate]:
    """Yield the options that may still come, each in its long form and its short one."""
    for action in _actions(parser):
        if action.option_strings and not {*action.option_strings} & {*given}:
            about = " ".join((action.help or "").replace("%%", "%").split())
            yield from ((flag, about[:LONGEST_HELP]) for flag in action.option_strings[::-1])


def _find_values(parser: "CommandParser", flag: str, value: str) -> list[Candidate]:
    found = (action for action in _actions(parser) if flag in action.option_strings)
    action = next(found, None)
    return [] if action is None or action.nargs == 0 else _list_values(action, value)


def _list_values(action: Action, current: str) -> list[Candidate]:
    """Return the values of an argument: names that are registered, files, or some words.

    What may be typed as it is, is in lower case in the help: ``--flat any|all``.
    """
    metavar = str(action.metavar or action.dest)
    if metavar.islower():
        return _filter(((word, "") for word in metavar.split("|")), current)
    source = NAMED.get(metavar, NAMED.get(action.dest))
    if source is not None:
        head, comma, part = current.rpartition(",")
        return _prefix(_filter(source(part), part), f"{head}{comma}")
    return [] if metavar in FREE else FILES


def _list_metrics(part: str) -> Iterator[Candidate]:
    """Yield the metrics, with their profile if one is typed."""
    from groupwise.evaluator.metrics.profiles import PROFILES  # noqa: PLC0415
    from groupwise.evaluator.metrics.registry import metrics_of  # noqa: PLC0415

    home, colon, _ = part.partition(":")
    profiles = [home] if colon and home in PROFILES else PROFILES
    head = f"{home}:" if colon else ""
    for profile in profiles:
        for name, metric in metrics_of(profile).items():
            yield f"{head}{name}", metric.summary.replace("``", "")


def _list_rules(_part: str) -> Iterator[Candidate]:
    from groupwise.evaluator.validation.rules.registry import every_rule  # noqa: PLC0415

    for code, rule in every_rule().items():
        yield code, rule.name


def _list_formats(_part: str) -> Iterator[Candidate]:
    from groupwise.evaluator.formats.registry import list_formats  # noqa: PLC0415

    yield from ((name, "") for name in list_formats())


def _list_matchers(_part: str) -> Iterator[Candidate]:
    from groupwise.evaluator.matching.registry import MATCHERS  # noqa: PLC0415

    yield from ((name, "") for name in MATCHERS.list_known())


NAMED: dict[str, Callable[[str], Iterable[Candidate]]] = {
    "NAMES": _list_metrics, "METRIC": _list_metrics, "name": _list_metrics,
    "CODE": _list_rules, "CODES": _list_rules, "FORMAT": _list_formats, "match": _list_matchers,
}  # fmt: skip
"""Where the values of arguments come from, by what they are called."""


def _filter(candidates: Iterable[Candidate], current: str) -> list[Candidate]:
    found = dict(candidate for candidate in candidates if candidate[0].startswith(current))
    return [*found.items()]


def _prefix(candidates: list[Candidate], head: str) -> list[Candidate]:
    return candidates if candidates is FILES else [(f"{head}{w}", about) for w, about in candidates]
