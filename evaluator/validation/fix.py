"""Fixes for what validation finds in a file."""

import os
from collections.abc import Iterable
from typing import Literal

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
    max_bytes: int | None = None,
) -> Fixed:
    """Fix what ``validate`` finds in a JSON or JSON Lines file; all other characters stay.

    Args:
        path: The file, which is replaced atomically, if it has not changed meanwhile. Invalid
            records and other formats are not changed.
        unsafe: Whether to apply all fixes, including those that may change what is measured.
        write: Whether to write the file; if not, only return what would change.
        select: The rules whose findings to fix, as for ``validate``.
        ignore: The rules whose findings to skip.
        flat: What a flat list of ids means, so that it can be written as groups.
        ids: ``"text"`` compares all ids as strings.
        max_bytes: The size limit of the text; None: 1 GiB.

    Returns:
        The text before (``old``) and after (``new``), how many findings of each code were fixed
        (``by_code``), and what was not fixed and why (``notes``).

    Raises:
        InputError: There is no such file, its format is unknown, or it is a pipe.
        OutputError: The file cannot be written, or changed meanwhile; nothing is written.
    """
    request = build_request(None, "autorag", (), flat, ids)
    wants = select_rules(select, ignore).wants
    fixed = fix_text(os.fspath(path), request, wants, unsafe=unsafe, max_bytes=max_bytes)
    if write and fixed.has_changed and fixed.file is not None:
        fixed.file.write(fixed.new)
    return fixed
