"""GitHub workflow commands: a line each, shown beside the lines of files."""

from collections.abc import Mapping

from groupwise.evaluator.reporting.sanitise import annotation_property, annotation_safe

MOST = 10
"""GitHub shows this many errors, warnings and notices of a step."""


def format_command(name: str, properties: Mapping[str, object], text: str) -> str:
    """Return a command; properties that are None are left out.

    >>> format_command("error", {"file": "a.json", "line": 3, "col": None}, "50 %")
    '::error file=a.json,line=3::50 %25'
    """
    given = {key: str(value) for key, value in properties.items() if value is not None}
    shown = ",".join(f"{key}={annotation_property(value)}" for key, value in given.items())
    return f"::{name} {shown}::{annotation_safe(text)}"
