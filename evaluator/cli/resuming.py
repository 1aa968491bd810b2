"""The journal of a long evaluation on the command line."""

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.interruption import Interrupted
from groupwise.evaluator.cli.output import check_target, is_file, list_inputs
from groupwise.evaluator.cli.usage import UsageError

HOW = "run the same command again to go on where it stopped; what was done is in {journal}"


def check_journal(words: Namespace) -> None:
    """Raise a usage error for a journal that cannot be written, or is another file of the call."""
    if words.resume is None:
        return
    if words.jobs > 1:
        raise UsageError("--resume: the journal is written by one process; it goes without --jobs")
    check_target("--resume", words.resume, list_inputs(words))
    output = words.output if is_file(words.output) else None
    if output is not None and os.path.realpath(output) == os.path.realpath(words.resume):
        raise UsageError("--resume and -o name the same file; the journal needs one of its own")


@contextmanager
def say_how_to_resume(journal: str | None) -> Iterator[None]:
    """Say how to go on if the work is interrupted and has a journal."""
    try:
        yield
    except (Interrupted, KeyboardInterrupt):
        if journal is not None:
            streams.note(HOW.format(journal=journal))
        raise
