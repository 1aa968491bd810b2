"""Refusals end with the command lines that would read the refused files."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.guard import tell_problems
from groupwise.evaluator.inspection.commands import PROGRAM, spell_command, spell_map
from groupwise.evaluator.inspection.runs import merge_maps
from groupwise.evaluator.reading.options import AUTO
from groupwise.evaluator.text import printable

if TYPE_CHECKING:
    from groupwise.evaluator.errors import Hint, InputError

REPLACED = ("--map", "--flat")
SEPARATOR = "--"
TAKE_MAPS = {
    "check", "compare", "convert", "evaluate", "explain", "power", "remap", "suggest", "validate",
}  # fmt: skip


def tell_refusal(error: "InputError", command: str, arguments: Sequence[str]) -> None:
    """Show the problems, and then the commands that would read the files."""
    tell_problems(error)
    tell_hints(error.hints, command, arguments)


def tell_hints(hints: Sequence["Hint"], command: str, arguments: Sequence[str]) -> None:
    """Show the commands that would read refused files, each with its reason."""
    lines = list(_list_commands(hints, command, arguments))
    if lines:
        streams.note("\n".join(["try:", *lines]))


def _list_commands(
    hints: Sequence["Hint"], command: str, arguments: Sequence[str]
) -> Iterator[str]:
    sources = list(dict.fromkeys(hint.source for hint in hints))
    ways = [[hint for hint in hints if hint.source == source] for source in sources]
    if command not in TAKE_MAPS or any(not hint.fields for hint in hints):
        yield from (f"  {spell_command('inspect', [source])}" for source in sources)
        return
    others = [way[0].fields for way in ways[1:] if len(way) == 1]
    if len(others) < len(ways) - 1:
        yield from (f"  {spell_command('inspect', [source])}" for source in sources[1:])
    for hint in ways[0]:
        fields: Mapping[str, str] | str = hint.fields
        for other in others:
            fields = AUTO if isinstance(fields, str) else merge_maps(fields, other)
        yield f"  {_spell(command, arguments, fields, hint.flat)}"
        if hint.why:
            yield f"      {hint.why}"


def _spell(
    command: str, arguments: Sequence[str], fields: Mapping[str, str] | str, flat: str | None
) -> str:
    """Return the command line that was typed, with another map."""
    kept = list(_drop_options(arguments))
    added = ["--map", fields if isinstance(fields, str) else spell_map(fields)]
    added += ["--flat", flat] if flat else _find_flat(arguments)
    words = [*added, *kept] if SEPARATOR in kept else [*kept, *added]
    return " ".join(shlex.quote(printable(word)) for word in (PROGRAM, command, *words))


def _find_flat(arguments: Sequence[str]) -> list[str]:
    given = [word for number, word in enumerate(arguments) if arguments[number - 1] == "--flat"]
    return ["--flat", given[0]] if given else []


def _drop_options(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the words of a command line without the options that are replaced."""
    skip = False
    for number, word in enumerate(arguments):
        if SEPARATOR in arguments[:number]:
            yield word
        elif skip:
            skip = False
        elif word in REPLACED:
            skip = True
        elif not word.startswith(tuple(f"{option}=" for option in REPLACED)):
            yield word
