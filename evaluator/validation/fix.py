"""Fixes for what validation finds in a file."""

import os
from collections.abc import Iterable
from typing import Literal

from groupwise.evaluator.reading.text_file import write_text
from groupwise.evaluator.validation.engine.fixing import Fixed, fix_text
from groupwise.evaluator.validation.engine.request_builder import build_request
from groupwise.evaluator.validation.settings.selection import Selection, select_rules


def fix(
    path: str | os.PathLike[str],
    *,
    unsafe: bool = False,
    write: bool = True,
    select: Iterable[str] | Selection | None = None,
    ignore: Iterable[str] = (),
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
) -> Fixed:
    """Fix what ``validate`` finds in a JSON or JSON Lines file; all other characters stay.

    Args:
        path: The file, which is replaced atomically. Invalid text and other formats are not
            changed.
        unsafe: Whether to apply all fixes, including those that may change what is measured.
        write: Whether to write the file; if not, only return what would change.
        select: The rules whose findings to fix, as for ``validate``.
        ignore: The rules whose findings to skip.
        flat: What a flat list of ids means, so that it can be written as groups.
        ids: ``"text"`` compares all ids as strings.

    Returns:
        The text before (``old``) and after (``new``), and how many findings of each code were
        fixed (``by_code``).

    Raises:
        InputError: There is no such file, or its format is unknown.
        OutputError: The file cannot be written; it is unchanged.
    """
    request = build_request(None, "autorag", (), flat, ids)
    fixed = fix_text(os.fspath(path), request, select_rules(select, ignore).wants, unsafe=unsafe)
    if write and fixed.has_changed:
        write_text(path, fixed.new)
    return fixed
