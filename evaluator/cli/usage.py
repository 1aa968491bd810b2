"""The command line: how it is parsed, and what is said about one that is invalid."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from groupwise.evaluator.cli.commands import COMMANDS
from groupwise.evaluator.text import suggest

if TYPE_CHECKING:
    from argparse import ArgumentParser

PLUGIN = "--plugin"


class UsageError(Exception):
    """The command line is invalid; ``command`` is the one whose help says more."""

    def __init__(self, message: str, command: str = "") -> None:
        super().__init__(message)
        self.command = command


def front_page() -> str:
    """Return the help of the program itself."""
    commands = "\n".join(f"  {name:<11} {summary}" for name, summary in COMMANDS.items())
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

exit codes: 0 success; 1 a gate failed, an expectation is not met, there are
findings, or a conversion would lose data; 2 usage error; 3 the input cannot be
evaluated; 4 internal error, or the output cannot be written; 130, 143 interrupted
"""


def parser_of(
    command: str, description: str, example: str, *, plugins: bool = True
) -> "ArgumentParser":
    """Return a parser that raises usage errors, loads plugins, and ends its help with an example.

    Args:
        command: The name of the command.
        description: What it does.
        example: Commands that run, one per line.
        plugins: Whether it takes ``--plugin``.
    """
    import argparse  # noqa: PLC0415

    class Parser(argparse.ArgumentParser):
        def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
            if plugins:
                load_plugins(args or ())
            return super().parse_known_args(args, namespace)

        def error(self, message: str) -> NoReturn:
            raise UsageError(message, command)

        def print_help(self, file: Any = None) -> None:
            from groupwise.evaluator.cli import streams  # noqa: PLC0415

            streams.say(self.format_help())

    parser = Parser(
        prog=f"groupwise {command}",
        description=description,
        epilog=f"example:\n{example.rstrip()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    if plugins:
        parser.add_argument(PLUGIN, action="append", metavar="MODULE",
            help="load metrics, formats, rules … of your own from a module or a .py file; "
                 "may be repeated")  # fmt: skip
    return parser


def load_plugins(words: Sequence[str]) -> None:
    """Load the plugins that a command line names, before any other word is given a meaning."""
    for position, word in enumerate(words):
        flag, sign, value = word.partition("=")
        if flag == PLUGIN:
            from groupwise.evaluator.plugins.loading import load_plugin  # noqa: PLC0415

            for plugin in [value] if sign else words[position + 1 : position + 2]:
                load_plugin(plugin)


def one_of(*known: str) -> Callable[[str], str]:
    """Return a type of argument that takes one of some words, and suggests the nearest."""

    def check_word(word: str) -> str:
        if word not in known:
            import argparse  # noqa: PLC0415

            raise argparse.ArgumentTypeError(f"{word!r}; {suggest(word, known)}")
        return word

    return check_word


def add_choice(parser: Any, flag: str, choices: Sequence[str], explained: str, **more: Any) -> None:
    """Add an option that takes one of some words."""
    shown = "|".join(choices)
    parser.add_argument(flag, type=one_of(*choices), metavar=shown, help=explained, **more)
