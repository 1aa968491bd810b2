"""The words of a call: how they are read, and what is said when they are off."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from groupwise.evaluator.cli.commands import COMMANDS

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Usage(Exception):  # noqa: N818  (a call, not a failure of ours)
    """The words of the call are off; ``command`` is the one whose help says more."""

    def __init__(self, message: str, command: str = "") -> None:
        super().__init__(message)
        self.command = command


def front_page() -> str:
    """The help of the program itself."""
    lines = (f"  {name:<11} {command.summary}" for name, command in COMMANDS.items())
    commands = "\n".join(lines)
    return f"""\
usage: groupwise COMMAND …

Evaluates retrieval results against grouped ground truth: a query is answered
when every group is met, and a group is met by any of its alternatives.

commands:
{commands}

  groupwise COMMAND --help   options and an example
  groupwise --version

example:
  $ groupwise demo

exit codes: 0 done; 1 a gate or an expectation is not met, there are findings,
or a conversion would lose something; 2 the call's words are off; 3 the input
cannot be evaluated; 4 a bug of ours, or the output cannot be written; 130, 143
interrupted
"""


def nearest(word: str, known: Sequence[str]) -> str:
    """A suggestion, or all there is."""
    from difflib import get_close_matches  # noqa: PLC0415

    near = get_close_matches(word.lower(), known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"


def parser_of(command: str, description: str, example: str) -> "ArgumentParser":
    """A parser whose mistakes are ours to tell, and whose help ends with an example."""
    import argparse  # noqa: PLC0415

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            raise Usage(message, command)

        def print_help(self, file: Any = None) -> None:
            from groupwise.evaluator.cli import streams  # noqa: PLC0415

            streams.say(self.format_help())

    return Parser(
        prog=f"groupwise {command}",
        description=description,
        epilog=f"example:\n{example.rstrip()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def one_of(*known: str) -> Callable[[str], str]:
    """A type of argument that takes one of some words and suggests the nearest."""

    def checked(word: str) -> str:
        if word not in known:
            import argparse  # noqa: PLC0415

            raise argparse.ArgumentTypeError(f"{word!r}; {nearest(word, known)}")
        return word

    return checked


def add_choice(parser: Any, flag: str, choices: Sequence[str], explained: str, **more: Any) -> None:
    """Add an option that takes one of some words."""
    shown = "|".join(choices)
    parser.add_argument(flag, type=one_of(*choices), metavar=shown, help=explained, **more)
