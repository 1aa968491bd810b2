"""The commands: what each does, and where its module is; nothing is imported before it runs."""

# ruff: noqa: PLC0415, PLR0912  (a command is imported when it runs, by a statement of its own)

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from groupwise.evaluator.cli.arguments import CommandParser

Main: TypeAlias = Callable[[Sequence[str]], int]

COMMANDS = {
    "inspect": "say what a file is, and which command reads it",
    "evaluate": "score results against grouped ground truth",
    "compare": "compare runs, with intervals and significance",
    "power": "say how many queries it takes to see a difference",
    "explain": "say which groups a run missed, where they are, and why",
    "suggest": "propose what a ground truth may lack, and merge verdicts",
    "check": "compare fixtures with the scores they expect",
    "validate": "find errors in ground truth, run and corpus",
    "rule": "explain a finding of validate, and how to fix it",
    "fingerprint": "record in a data set which corpus it was judged on",
    "remap": "move ground truth to a corpus with other chunks",
    "convert": "convert data from one format to another",
    "metrics": "list the metrics, or explain one of them",
    "demo": "the whole idea on one screen",
    "completion": "complete commands with the tab key in your shell",
}
"""Every command, with its line on the front page."""


def load_command(name: str) -> Main:
    """Import a command and return its main function."""
    match name:
        case "inspect":
            from groupwise.evaluator.cli.inspect import main
        case "evaluate":
            from groupwise.evaluator.cli.evaluate import main
        case "compare":
            from groupwise.evaluator.cli.compare import main
        case "power":
            from groupwise.evaluator.cli.power import main
        case "explain":
            from groupwise.evaluator.cli.explain import main
        case "suggest":
            from groupwise.evaluator.cli.suggest import main
        case "check":
            from groupwise.evaluator.cli.check import main
        case "validate":
            from groupwise.evaluator.cli.validate import main
        case "rule":
            from groupwise.evaluator.cli.rule import main
        case "fingerprint":
            from groupwise.evaluator.cli.fingerprint import main
        case "remap":
            from groupwise.evaluator.cli.remap import main
        case "convert":
            from groupwise.evaluator.cli.convert import main
        case "metrics":
            from groupwise.evaluator.cli.metrics import main
        case "demo":
            from groupwise.evaluator.cli.demo import main
        case "completion":
            from groupwise.evaluator.cli.completion import main
        case _:
            raise KeyError(name)
    return main


def load_parser(name: str) -> "CommandParser":
    """Import a command and return its parser."""
    module = sys.modules[load_command(name).__module__]
    parser: CommandParser = vars(module)["_parser"]()
    return parser
