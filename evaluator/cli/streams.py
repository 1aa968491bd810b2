"""The ways out: results to standard output, all else to standard error, nothing raw from data."""

import os
import sys
from contextlib import suppress
from typing import Any

from groupwise.evaluator.text import printable

PLAIN_WIDTH = 100
LOOK_ALIKES = str.maketrans(
    {
        "─": "-", "\N{EN DASH}": "-", "…": "...", "→": "->", "·": "*", "≤": "<=", "≥": ">=",
        "≠": "!=", "Σ": "sum", "Π": "product", "∞": "inf", "∃": "exists", "∀": "all", "∈": "in",
        "█": "#",
    }
)  # fmt: skip
STYLES = {"error": "1;31", "failed": "31", "warning": "33", "met": "32", "bold": "1", "dim": "2"}


def say(text: str) -> None:
    """Show text for people on standard output."""
    emit(_encoded(text, getattr(sys.stdout, "encoding", None) or "utf-8"))


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(LOOK_ALIKES).encode(encoding, "backslashreplace")


def emit(data: bytes) -> None:
    """Write bytes to standard output; a reader that has gone away is no error.

    Raises:
        OutputError: They could not be written.
    """
    if sys.stdout is None:
        raise _cannot_write("it is closed")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _discard(sys.stdout)
    except OSError as error:
        _discard(sys.stdout)
        raise _cannot_write(error.strerror or str(error)) from error


def _cannot_write(reason: str) -> Exception:
    from groupwise.evaluator.errors import OutputError  # noqa: PLC0415

    return OutputError(f"standard output cannot be written: {reason}")


def _discard(stream: Any) -> None:
    """Send what is left in a stream nowhere, so that closing it at exit does not fail again."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def note(text: str, kind: str = "", style: str = "") -> None:
    """Show lines on standard error, sanitised, each after a word that says what it is."""
    head = f"{paint(f'{kind}:', style or kind, sys.stderr)} " if kind else ""
    lines = [f"{head}{printable(line)}\n" for line in text.removesuffix("\n").split("\n")]
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write("".join(lines))
        sys.stderr.flush()


def paint(text: str, style: str, stream: Any) -> str:
    """The text in a style, if the stream shows colours."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if style and has_colour(stream) else text


def has_colour(stream: Any) -> bool:
    """Whether to use colours: NO_COLOR forbids, FORCE_COLOR demands, else terminals have them."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def is_terminal(stream: Any) -> bool:
    """Whether a person reads this stream."""
    with suppress(ValueError, AttributeError):
        return bool(stream.isatty())
    return False


def width() -> int:
    """The columns to fill: those of the terminal, or a fixed number."""
    if not is_terminal(sys.stdout):
        return PLAIN_WIDTH
    from shutil import get_terminal_size  # noqa: PLC0415

    return get_terminal_size().columns
