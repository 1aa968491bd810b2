"""Command lines that are ready to be typed: quoted, and free of invisible characters."""

import shlex
from collections.abc import Mapping, Sequence

from groupwise.evaluator.text import printable

RUN = "RUN"
TRUTH = "GROUND_TRUTH"
PROGRAM = "groupwise"


def spell_command(
    command: str,
    files: Sequence[str],
    fields: Mapping[str, str] | str | None = None,
    flat: str | None = None,
    options: Sequence[str] = (),
) -> str:
    """Return a command line.

    >>> spell_command("validate", ["my set.json"], {"id": "#", "ground_truth": "docs"}, "any")
    "groupwise validate 'my set.json' --map 'id=#,ground_truth=docs' --flat any"
    """
    words = [PROGRAM, command, *map(_spell_file, files), *options]
    if fields:
        words += ["--map", fields if isinstance(fields, str) else spell_map(fields)]
    if flat:
        words += ["--flat", flat]
    return " ".join(shlex.quote(printable(word)) for word in words)


def _spell_file(name: str) -> str:
    return f"./{name}" if name.startswith("-") and name != "-" else name


def spell_map(fields: Mapping[str, str]) -> str:
    """Return the value of ``--map``."""
    return ",".join(f"{field}={path}" for field, path in fields.items())
