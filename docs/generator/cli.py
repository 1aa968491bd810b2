"""The page of commands, from their parsers.

It is built from the arguments and not from the text of --help, whose layout depends on the version
of Python.
"""

from argparse import Action, ArgumentParser
from collections.abc import Iterator

from groupwise.evaluator.cli.commands import COMMANDS, load_parser

HEAD = """\
# Command line

```text
groupwise COMMAND …
groupwise COMMAND --help
groupwise --version
```

`python -m groupwise` is the same. Results go to standard output, everything else to standard error.
The environment variable `NO_COLOR`, and an output that is not a terminal, turn colour off.

| exit | meaning |
|---|---|
| 0 | success |
| 1 | a failed gate, an expectation not met, findings, or a conversion that would lose data |
| 2 | usage error: the command line is invalid, or a plugin cannot be loaded |
| 3 | cannot evaluate: invalid input, no queries, nothing to score, an error in a plugin |
| 4 | internal error: a bug in groupwise, or the output cannot be written |
| 130, 143 | interrupted (Ctrl-C, SIGTERM) |
"""


def cli_page() -> str:
    """All commands with their arguments."""
    return "\n".join([HEAD, *(_command(name) for name in COMMANDS)])


def _command(name: str) -> str:
    parser = load_parser(name)
    return "\n".join([f"## `groupwise {name}`\n", *_lines(parser)])


def _lines(parser: ArgumentParser) -> Iterator[str]:
    actions = [action for action in parser._actions if action.dest != "help"]  # noqa: SLF001
    yield f"{' '.join((parser.description or '').split())}\n"
    yield "```text"
    yield _usage(parser.prog, actions)
    yield "```\n"
    if actions:
        yield "| | |"
        yield "|---|---|"
        yield from (f"| {_spell(action)} | {_explain(action)} |" for action in actions)
        yield ""
    if parser.epilog:
        yield "Example:\n"
        yield f"```text\n{_example(parser.epilog)}\n```\n"


def _usage(program: str, actions: list[Action]) -> str:
    options = any(action.option_strings for action in actions)
    words = [_positional(action) for action in actions if not action.option_strings]
    return " ".join([program, *(["[OPTION …]"] if options else []), *words])


def _positional(action: Action) -> str:
    name = str(action.metavar or action.dest)
    forms = {"?": f"[{name}]", "*": f"[{name} …]", "+": f"{name} …"}
    return forms.get(str(action.nargs), name)


def _spell(action: Action) -> str:
    if not action.option_strings:
        return f"`{_positional(action)}`"
    value = "" if action.nargs == 0 else f" {action.metavar or action.dest.upper()}"
    return ", ".join(f"`{flag}{value}`" for flag in action.option_strings).replace("|", "\\|")


def _explain(action: Action) -> str:
    return (action.help or "").replace("%%", "%").replace("|", "\\|")


def _example(epilog: str) -> str:
    lines = epilog.removeprefix("example:\n").rstrip().splitlines()
    return "\n".join(line.removeprefix("  ").rstrip() for line in lines)
