"""The command line: one file per command, imported when it is called.

Nothing is computed here, and nothing heavy is imported before it is needed: ``--help`` and
``--version`` answer at once.
"""

import os
from collections.abc import Sequence

from groupwise.evaluator.cli.commands import COMMANDS
from groupwise.evaluator.cli.usage import Usage, front_page, nearest

HELP = ("-h", "--help")


def run(argv: Sequence[str]) -> int:
    """Run a command as the shell does; the exit code is returned, nothing is raised."""
    from groupwise.evaluator.cli.guard import guarded  # noqa: PLC0415

    # Parquet is read in small batches: the allocator of the system is the quicker and smaller one.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    # To look for plugins of pydantic, which watch services, takes longer than to check most files.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    return guarded(lambda: _dispatch(list(argv)))


def _dispatch(argv: list[str]) -> int:
    from groupwise.evaluator.cli import streams  # noqa: PLC0415

    first, *others = argv or [""]
    if first == "--version":
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
    return _command(first, others)


def _command(name: str, arguments: list[str]) -> int:
    if name not in COMMANDS:
        what = "option" if name.startswith("-") else "command"
        raise Usage(f"no {what} {name!r}; {nearest(name, [*COMMANDS, '--help', '--version'])}")
    return COMMANDS[name].load()(arguments)
