"""Library and command line take the same, under one set of names."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from groupwise import check_fixture, evaluate
from groupwise.evaluator.cli import check as check_command
from groupwise.evaluator.cli import evaluate as evaluate_command

SHELL_ONLY = {"help", "output", "files", "paths", "plugin"}
"""Inputs are positional, the methods of a report are for output, and plugins are imported."""
NAME_OF = {
    "--map": "fields",
    "--from": "format",
    "--match": "matching",
    "--match-option": "matching",
    "--gate": "gates",
    "--no-per-query": "per_query",
    "--cutoffs": "k",
}
LIBRARY_ONLY = {"ground_truth", "results", "progress", "retriever", "workers", "timeout"}


def names_of_options(parser: Any) -> set[str]:
    """What the options of a command are called in the library; --format is of the output."""
    options = [
        action.option_strings[-1] for action in parser._actions
        if action.dest not in SHELL_ONLY and action.option_strings != ["--format"]
    ]  # fmt: skip
    return {NAME_OF.get(one, one.removeprefix("--").replace("-", "_")) for one in options}


@pytest.mark.parametrize(
    ("function", "command", "beyond"),
    [
        (evaluate, evaluate_command, LIBRARY_ONLY),
        (check_fixture, check_command, {"path"}),
    ],
)
def test_a_function_takes_what_its_command_takes(
    function: Callable[..., Any], command: Any, beyond: set[str]
) -> None:
    taken = set(inspect.signature(function).parameters)
    assert names_of_options(command._parser()) == taken - beyond
