"""Library and command line take the same, under one set of names."""

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import pytest

from groupwise import (
    File,
    apply_sheet,
    check_fixture,
    compare,
    convert,
    evaluate,
    explain,
    fix,
    fix_in_place,
    power,
    remap,
    suggest,
    validate,
)
from groupwise import inspect as inspect_file
from groupwise.evaluator.cli.commands import COMMANDS
from groupwise.evaluator.validation.corpus.annotation import annotate

NAME_OF = {
    "--from": "format",
    "--match": "matching",
    "--match-option": "matching",
    "--gate": "gates",
    "--no-per-query": "per_query",
    "--cutoffs": "k",
    "-k": "k",
    "--unsafe-fixes": "unsafe",
}
OF_EVERY_COMMAND = {"help", "plugin"}
OF_OUTPUT = {"format", "output", "quiet", "worst"}
"""Reports have methods for these, and ``format`` is that of the input."""
NOT_OF_CALLS = OF_EVERY_COMMAND | OF_OUTPUT


class Counterpart(NamedTuple):
    """What does in the library what a command does.

    ``positional`` are the arguments that the command takes as words without a name;
    ``library_only`` those that make no sense in a shell; ``shell_only`` the options of printing,
    writing, folders and exit codes, which the caller of a function decides on its own.
    """

    functions: tuple[Callable[..., Any], ...]
    positional: frozenset[str]
    library_only: frozenset[str] = frozenset()
    shell_only: frozenset[str] = frozenset()


COUNTERPARTS = {
    "inspect": Counterpart((inspect_file,), frozenset({"path", "run"})),
    "evaluate": Counterpart(
        (evaluate,),
        frozenset({"ground_truth", "results"}),
        frozenset({"progress", "retriever", "workers", "timeout"}),
        frozenset({"no_config", "plot"}),
    ),
    "compare": Counterpart(
        (compare,),
        frozenset({"ground_truth", "runs"}),
        frozenset({"progress"}),
        frozenset({"plot"}),
    ),
    "power": Counterpart((power,), frozenset({"ground_truth", "runs"}), frozenset({"progress"})),
    "explain": Counterpart(
        (explain,), frozenset({"ground_truth", "run"}), frozenset({"progress", "worst"})
    ),
    "suggest": Counterpart(
        (suggest, apply_sheet),
        frozenset({"ground_truth", "sheet", "output"}),
        shell_only=frozenset({"apply"}),
    ),
    "check": Counterpart(
        (check_fixture,), frozenset({"path"}), shell_only=frozenset({"require_expected", "exclude"})
    ),
    "validate": Counterpart(
        (validate, fix, fix_in_place),
        frozenset({"dataset", "more", "path"}),
        frozenset({"progress", "write"}),
        frozenset({"fix", "diff", "statistics", "fail_on", "no_config"}),
    ),
    "remap": Counterpart(
        (remap,),
        frozenset({"ground_truth"}),
        frozenset({"progress"}),
        shell_only=frozenset({"report"}),
    ),
    "convert": Counterpart((convert,), frozenset({"source", "target"}), frozenset({"progress"})),
    "fingerprint": Counterpart(
        (annotate,), frozenset({"path"}), shell_only=frozenset({"in_place", "check"})
    ),
}
PRINTING = {"profile", "fixture", "retrievers", "install", "uninstall"}
"""Options of commands that only print something, or set up a shell, and have no counterpart."""


def library_names(command: str) -> set[str]:
    """What the options of a command are called in the library."""
    parser = import_module(f"groupwise.evaluator.cli.{command}")._parser()
    flags = [
        action.option_strings[-1]
        for action in parser._actions
        if action.option_strings and action.dest not in NOT_OF_CALLS
    ]
    return {NAME_OF.get(flag, flag.removeprefix("--").replace("-", "_")) for flag in flags}


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - COUNTERPARTS.keys()))
def test_a_command_without_a_counterpart_has_no_options_for_data(command: str) -> None:
    assert library_names(command) <= PRINTING


def test_every_counterpart_has_its_command() -> None:
    assert COUNTERPARTS.keys() <= COMMANDS.keys()


@pytest.mark.parametrize("command", COUNTERPARTS)
def test_a_function_takes_what_its_command_takes(command: str) -> None:
    counterpart = COUNTERPARTS[command]
    signatures = map(inspect.signature, counterpart.functions)
    taken = {name for signature in signatures for name in signature.parameters}
    named = taken - counterpart.positional - counterpart.library_only
    said_of_files = inspect.signature(File).parameters.keys()
    assert library_names(command) - counterpart.shell_only - said_of_files == named
