"""What the program says about itself: its front page, and usage errors."""

from groupwise.evaluator.cli.commands import COMMANDS


class UsageError(Exception):
    """The command line is invalid; ``command`` is the one whose help says more."""

    command = ""


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
  groupwise --version        or -V

example:
  $ groupwise demo

exit codes: 0 success; 1 a gate failed, an expectation is not met, there are
findings, or a conversion would lose data; 2 usage error; 3 the input cannot be
evaluated; 4 internal error, or the output cannot be written; 130, 143 interrupted
"""
