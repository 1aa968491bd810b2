"""Code of users: its errors name the extension that they come from."""

from collections.abc import Iterator
from contextlib import contextmanager

from groupwise.evaluator.errors import ExtensionError, GroupwiseError

NOTE = "raised by the "


@contextmanager
def name_in_errors(noun: str, name: str) -> Iterator[None]:
    """Name an extension in whatever its code raises.

    An ExtensionError gets the name in its message, an error of another kind in a note. The other
    errors of groupwise are about the data and stay as they are.
    """
    try:
        yield
    except ExtensionError as error:
        if repr(name) in str(error):
            raise
        raise ExtensionError(f"the {noun} {name!r}: {error}") from error
    except GroupwiseError:
        raise
    except Exception as error:
        error.add_note(f"{NOTE}{noun} {name!r}")
        raise


def extension_in(error: BaseException) -> str | None:
    """Return the extension that an error came from, such as ``metric 'mine'``; None if unknown."""
    notes = [note for note in getattr(error, "__notes__", ()) if note.startswith(NOTE)]
    return notes[0].removeprefix(NOTE) if notes else None
