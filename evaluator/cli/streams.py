"""Output streams: results go to stdout, everything else to stderr; text from data is sanitised."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from groupwise.evaluator.text import apply_style, fit_encoding, plural, printable

PLAIN_WIDTH = 100
SHOWN = 20
STYLE = re.compile(r"\x1b\[[\d;]*m")


def say(text: str) -> None:
    """Show text for people on standard output."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    emit(fit_encoding(text, encoding).encode(encoding))


def say_fitting(text: str) -> None:
    """Show text for people on standard output; on a terminal, long lines are wrapped."""
    say(fit(text, width()) if is_terminal(sys.stdout) else text)


def fit(text: str, columns: int) -> str:
    r"""Return text whose lines fit into so many columns, as far as words do.

    The rest of a line is indented; escapes that change the style take no room.

    >>> fit("warning: three words", 14)
    'warning: three\n  words'
    """
    return "\n".join(piece for line in text.split("\n") for piece in _wrap(line, columns))


def _wrap(line: str, columns: int) -> Iterator[str]:
    if len(line) <= columns // 2 or _measure(line) <= columns:
        yield line
        return
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    words = line.split(" ")
    piece = words[0]
    for word in words[1:]:
        longer = f"{piece} {word}"
        if _measure(longer) <= columns or not piece.strip():
            piece = longer
        else:
            yield piece
            piece = f"{indent}{word}"
    yield piece


def _measure(text: str) -> int:
    from rich.cells import cell_len  # noqa: PLC0415  (slow to load)

    return cell_len(STYLE.sub("", text))


def emit(data: bytes) -> None:
    """Write bytes to standard output; a closed pipe is not an error.

    Raises:
        OutputError: They cannot be written.
    """
    if sys.stdout is None:
        raise _output_error("it is closed")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _discard(sys.stdout)
    except OSError as error:
        _discard(sys.stdout)
        raise _output_error(error.strerror or str(error)) from error


def _output_error(reason: str) -> Exception:
    from groupwise.evaluator.errors import OutputError  # noqa: PLC0415

    return OutputError(f"standard output cannot be written: {reason}")


def _discard(stream: Any) -> None:
    """Redirect a stream to the null device, so that closing it at exit does not fail again."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def note_first(texts: Iterable[str], count: int, noun: str, kind: str = "error") -> None:
    """Show the first texts on standard error, each on one line, and how many more there are.

    Args:
        texts: What to show.
        count: How many there are.
        noun: What each of them is, in the singular.
        kind: What stands in front of each line.
    """
    for text in islice(texts, SHOWN):
        note(text.replace("\n", "\\n"), kind)
    if count > SHOWN:
        note(f"… and {plural(count - SHOWN, f'more {noun}')}", kind)


def note(text: str, kind: str = "", style: str = "") -> None:
    """Show sanitised lines on standard error, each with its kind in front, such as ``error:``."""
    head = f"{paint(f'{kind}:', style or kind, sys.stderr)} " if kind else ""
    shown = [f"{head}{printable(line)}" for line in text.removesuffix("\n").split("\n")]
    if is_terminal(sys.stderr):
        shown = [fit(line, _terminal_width()) for line in shown]
    lines = [f"{line}\n" for line in shown]
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write("".join(lines))
        sys.stderr.flush()


def paint(text: str, style: str, stream: Any = None) -> str:
    """Return the text in a style, if the stream, by default standard output, shows colour."""
    return apply_style(text, style) if style and has_colour(stream or sys.stdout) else text


def bold(text: str) -> str:
    """Return the text in bold, if standard output shows colour."""
    return paint(text, "bold")


def has_colour(stream: Any) -> bool:
    """Whether to use colour: never with NO_COLOR, always with FORCE_COLOR, else on terminals."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def is_terminal(stream: Any) -> bool:
    """Whether a stream is a terminal."""
    with suppress(ValueError, AttributeError):
        return bool(stream.isatty())
    return False


def width() -> int:
    """Return the width of the terminal in columns, or a fixed number for other outputs."""
    return _terminal_width() if is_terminal(sys.stdout) else PLAIN_WIDTH


def _terminal_width() -> int:
    from shutil import get_terminal_size  # noqa: PLC0415

    return get_terminal_size().columns
