"""Parsers of commands, and types of arguments: text of the command line to values."""

import re
from argparse import (
    SUPPRESS,
    Action,
    ArgumentError,
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
    RawDescriptionHelpFormatter,
)
from collections.abc import Callable, Container, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.text import suggest

if TYPE_CHECKING:
    from groupwise.evaluator.statistics.gates import Gate

Value = TypeVar("Value")
LONGEST_NUMBER = 18
RANGE = f"from 1 on, of up to {LONGEST_NUMBER} digits"
PLUGIN = "--plugin"
UNKNOWN = "unrecognized arguments: "
SEPARATOR = "--"
OPTION = re.compile(r"(-[^\d\s=-])\S*|--[^\s=]+")
"""An option; its first group is the short option that the rest may be the value of."""
MARK = "\0"
"""Put before words that are not options; no word of a command line contains it."""


class StoreOnce(Action):
    """Store the value of an option; given again, it must have the same value."""

    given: tuple[Any, ...] | None = None

    def __call__(
        self, parser: ArgumentParser, namespace: Namespace, values: Any, option: str | None = None
    ) -> None:
        """Store the value, unless another was stored before."""
        if option and self.given is not None and self.given != (values,):
            raise ArgumentError(self, f"given twice: {self.given[0]!r} and {values!r}")
        self.given = (values,)
        setattr(namespace, self.dest, values)


class Merge(Action):
    """Merge the settings of an option that may be repeated; two values for one are an error."""

    def __call__(
        self, parser: ArgumentParser, namespace: Namespace, values: Any, option: str | None = None
    ) -> None:
        """Add the settings to those stored before."""
        merged = dict(getattr(namespace, self.dest) or {})
        for name, value in values.items():
            if merged.setdefault(name, value) != value:
                raise ArgumentError(self, f"{name} given twice: {merged[name]!r} and {value!r}")
        setattr(namespace, self.dest, merged)


class CommandParser(ArgumentParser):
    """A parser that raises usage errors, loads plugins, and ends its help with an example.

    Args:
        command: The name of the command.
        description: What it does.
        example: Commands that run, one per line.
        plugins: Whether it takes ``--plugin``.
    """

    def __init__(
        self, command: str, description: str, example: str, *, plugins: bool = True
    ) -> None:
        super().__init__(
            prog=f"groupwise {command}",
            description=description,
            epilog=f"example:\n{example.rstrip()}",
            formatter_class=RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self.register("action", None, StoreOnce)
        self.register("action", "store", StoreOnce)
        self.register("action", "merge", Merge)
        self.plugins = plugins
        if plugins:
            self.add_argument(PLUGIN, action="append", metavar="MODULE",
                help="load your own metrics, formats, rules, … from a module or a .py file; "
                     "may be repeated")  # fmt: skip

    def parse_words(self, arguments: Sequence[str]) -> Namespace:
        """Parse options and other arguments in any order, after loading the plugins they name.

        After ``--`` there are no options. argparse parses such a command line twice, and the second
        time the ``--`` is gone.
        """
        if "" in arguments:
            self.error("an argument is empty; is a variable of the shell not set?")
        place = arguments.index(SEPARATOR) if SEPARATOR in arguments else len(arguments)
        options = arguments[:place]
        self._check_options(options)
        if self.plugins:
            _load_plugins(options)
        if place == len(arguments):
            return self.parse_intermixed_args(arguments)
        plain = [f"{MARK}{word}" for word in arguments[place + 1 :]]
        # The option keeps an option with an optional value from taking what follows.
        self.add_argument(f"--{MARK}", action="store_true", dest=MARK, help=SUPPRESS)
        words = self.parse_intermixed_args([*options, f"--{MARK}", *plain])
        return Namespace(**{name: _remove_mark(value) for name, value in vars(words).items()})

    def error(self, message: str) -> NoReturn:
        """Raise a usage error."""
        if message.startswith(UNKNOWN):
            message = f"unexpected arguments: {message.removeprefix(UNKNOWN)}"
        raise UsageError(message.replace(MARK, ""))

    def _check_options(self, words: Sequence[str]) -> None:
        """Raise a usage error for an option that does not exist, whatever else is wrong."""
        known = self._option_string_actions
        found = [match for match in map(OPTION.match, words) if match]
        wrong = [match[0] for match in found if not _is_known(match, known)]
        if wrong and not {"-h", "--help"} & set(words):
            from groupwise.evaluator.evaluation.arguments import WITHDRAWN  # noqa: PLC0415

            if instead := WITHDRAWN.get(wrong[0].removeprefix("--").replace("-", "_")):
                raise UsageError(f"{wrong[0]} is withdrawn: {instead}")
            hint = suggest(wrong[0], known, otherwise=" ").strip()
            raise UsageError(f"no option {wrong[0]!r}" + (f"; {hint}" if hint else ""))

    def print_help(self, file: Any = None) -> None:
        """Print the help to standard output, in any encoding."""
        streams.say(self.format_help())

    def add_quiet(self, omitted: str) -> None:
        """Add the option that leaves out what is not a result."""
        self.add_argument("-q", "--quiet", action="store_true", help=f"leave out {omitted}")

    def add_choice(
        self, flag: str, choices: Sequence[str], explanation: str, **options: Any
    ) -> None:
        """Add an option that takes one of some words, and suggests the nearest."""

        def check_word(word: str) -> str:
            if word not in choices:
                raise ArgumentTypeError(f"invalid value {word!r}; {suggest(word, choices)}")
            return word

        shown = "|".join(choices)
        self.add_argument(flag, type=check_word, metavar=shown, help=explanation, **options)


def _is_known(option: re.Match[str], known: Container[str]) -> bool:
    """Whether an option exists; ``-output`` is a slip for ``--output``, and not ``-o utput``."""
    is_joined = option[1] in known and f"-{option[0]}" not in known
    return option[0] in known or is_joined


def _remove_mark(value: Any) -> Any:
    if isinstance(value, list):
        return [_remove_mark(part) for part in value]
    return value.removeprefix(MARK) if isinstance(value, str) else value


def _load_plugins(words: Sequence[str]) -> None:
    for position, word in enumerate(words):
        flag, sign, value = word.partition("=")
        if flag == PLUGIN:
            from groupwise.evaluator.plugins.loading import load_plugin  # noqa: PLC0415

            for plugin in [value] if sign else words[position + 1 : position + 2]:
                if sign or not plugin.startswith("-"):
                    load_plugin(plugin)


def argument(parse: Callable[[str], Value]) -> Callable[[str], Value]:
    """Return a type of argument whose ValueErrors are shown to the user as they are."""

    def parse_argument(text: str) -> Value:
        try:
            return parse(text)
        except ValueError as error:
            raise ArgumentTypeError(str(error)) from None

    return parse_argument


@argument
def split_names(text: str) -> list[str]:
    """Return the names between commas; a comma within parentheses separates parameters."""
    depth, ends = 0, [-1]
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth <= 0:
            ends.append(place)
    names = [text[start + 1 : end] for start, end in pairwise([*ends, len(text)])]
    if not all(map(str.strip, names)):
        raise ValueError(f"{text!r} has an empty name; expected names such as recall,ndcg@10")
    return [name.strip() for name in names]


@argument
def parse_cutoffs(text: str) -> list[int]:
    """Return the whole numbers, from 1 on, between commas."""
    cutoffs = [_parse_whole(part.strip()) for part in text.split(",")]
    if not all(cutoffs):
        raise ValueError(f"expected whole numbers {RANGE}, such as 1,3,5,10, got {text!r}")
    return cutoffs


def _parse_whole(text: str) -> int:
    """Return a whole number, or 0 for any other text and for numbers that are too long."""
    digits = text.lstrip("0") if text.isascii() and text.isdigit() else ""
    return int(digits) if 0 < len(digits) <= LONGEST_NUMBER else 0


@argument
def parse_count(text: str) -> int:
    """Return a whole number from 1 on."""
    count = _parse_whole(text.strip())
    if not count:
        raise ValueError(f"expected a whole number {RANGE}, such as 20, got {text!r}")
    return count


@argument
def parse_positive(text: str) -> float:
    """Return a number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise ValueError(f"expected a number above 0, such as 4, got {text!r}")
    return value


@argument
def parse_level(text: str) -> float:
    """Return the level of a confidence interval."""
    try:
        level = float(text)
    except ValueError:
        level = 0.0
    if not 0 < level < 1:
        percent = f"; for {text} %, write {level / 100:g}" if 1 < level < 100 else ""
        raise ValueError(f"expected a number between 0 and 1, such as 0.95, got {text!r}{percent}")
    return level


@argument
def parse_setting(text: str) -> dict[str, str]:
    """Return the value of ``NAME=VALUE`` by its name."""
    name, sign, value = text.partition("=")
    if not (name.strip() and sign):
        raise ValueError(f"expected NAME=VALUE, such as threshold=0.5, got {text!r}")
    return {name.strip(): value.strip()}


@argument
def read_gate(text: str) -> "Gate":
    """Return the gate that a text such as ``recall@5>=0.8`` spells."""
    from groupwise.evaluator.statistics.gates import parse_gate  # noqa: PLC0415

    return parse_gate(text)
