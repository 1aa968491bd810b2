"""The command line: one file per command, imported when it runs.

Nothing is computed here, and nothing heavy is imported before it is needed: ``--help`` and
``--version`` answer at once.
"""

import os
from collections.abc import Sequence
from typing import Any

from groupwise.evaluator import text
from groupwise.evaluator.cli.commands import COMMANDS, load_command
from groupwise.evaluator.cli.usage import UsageError, front_page

HELP = ("-h", "--help")
VERSION = ("-V", "--version")
LONG_OPTIONS = ("--help", "--version")


def run(argv: Sequence[str]) -> int:
    """Run a command as the shell does; return its exit code and raise nothing."""
    from groupwise.evaluator.cli.guard import run_guarded  # noqa: PLC0415

    # Parquet is read in small batches, for which the system's allocator is faster and smaller.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    # Searching for pydantic's plugins, which monitor services, takes longer than most commands.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    return run_guarded(lambda: _dispatch(list(argv)))


def _dispatch(argv: list[str]) -> int:
    from groupwise.evaluator.cli import streams  # noqa: PLC0415

    first, *others = argv or [""]
    if first in VERSION:
        from groupwise import __version__  # noqa: PLC0415

        streams.say(f"groupwise {__version__}\n")
        return 0
    if first in HELP or (first == "help" and not others):
        streams.say(front_page())
        return 0
    if not first:
        streams.note(front_page())
        return 2
    if first == "help":
        first, others = others[0], ["--help"]
    return _run_command(first, others)


def _run_command(name: str, arguments: list[str]) -> int:
    if name not in COMMANDS:
        raise UsageError(_describe_unknown(name, arguments))
    try:
        return load_command(name)(arguments)
    except UsageError as error:
        error.command = name
        raise
    except ValueError as error:
        if not getattr(error, "hints", ()):
            raise
        return _explain_refusal(error, name, arguments)


def _explain_refusal(error: Any, name: str, arguments: list[str]) -> int:
    """Show why a file was refused, and the commands that would read it."""
    from groupwise.evaluator.cli.guard import INVALID_INPUT  # noqa: PLC0415
    from groupwise.evaluator.cli.hints import tell_refusal  # noqa: PLC0415

    tell_refusal(error, name, arguments)
    return INVALID_INPUT


def _describe_unknown(name: str, others: list[str]) -> str:
    """Return what is wrong with a first argument that is no command."""
    if not name.startswith("-"):
        hint = text.suggest(
            name, [*COMMANDS, *LONG_OPTIONS], otherwise=f"choose from {', '.join(COMMANDS)}"
        )
        return f"no command {name!r}; {hint}"
    command = next((word for word in others if word in COMMANDS), None)
    if command is not None:
        return f"options come after the command, such as 'groupwise {command} {name}'"
    return f"no option {name!r}; {text.suggest(name, LONG_OPTIONS)}"
