"""Fixes for what validation finds in a file."""

import os
from collections.abc import Iterable
from typing import Literal

from groupwise.evaluator.reading.text_file import write_text
from groupwise.evaluator.validation.engine.fixing import Fixed, fix_text
from groupwise.evaluator.validation.engine.requests import build_request
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
    """Fix what ``validate`` finds in a JSON or JSON Lines file; every other character stays.

    Args:
        path: The file; it is replaced whole or not at all. Unsound text and other formats are
            left as they are.
        unsafe: Whether to apply all fixes, also those that may change what is measured.
        write: Whether to write the file; if not, only look at what would change.
        select: The rules whose findings to fix, as for ``validate``.
        ignore: The rules whose findings to leave.
        flat: What a flat list of ids means, so that it can be written as groups.
        ids: ``"text"`` compares all ids as strings.

    Returns:
        The text before (``old``) and after (``new``), and how many findings of each code were
        fixed (``by_code``).

    Raises:
        InputError: There is no such file, or it is in no format that groupwise knows.
        OutputError: The file could not be written; the old one is untouched.
    """
    request = build_request(None, "autorag", (), flat, ids)
    fixed = fix_text(os.fspath(path), request, select_rules(select, ignore).wants, unsafe=unsafe)
    if write and fixed.has_changed:
        write_text(path, fixed.new)
    return fixed
