"""Fixes for what validation finds in a file."""

import os
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Literal

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.evaluation.arguments import checks_arguments
from groupwise.evaluator.formats.opening import records_in
from groupwise.evaluator.reading.file import File, unwrap
from groupwise.evaluator.reading.limits import limiting_records
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.text_file import refuse_special_file
from groupwise.evaluator.validation.engine.fixing import (
    Fixed,
    Wants,
    explain,
    fix_text,
    select_fixing_rules,
)
from groupwise.evaluator.validation.engine.line_fixing import FixedFile, LineFixer
from groupwise.evaluator.validation.engine.request_builder import build_request
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.rules.registry import are_built_in
from groupwise.evaluator.validation.settings.selection import Selection, select_rules


@checks_arguments
def fix(
    path: str | os.PathLike[str] | File,
    *,
    unsafe: bool = False,
    write: bool = True,
    select: Iterable[str] | Selection | None = None,
    ignore: Iterable[str] = (),
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
) -> Fixed:
    """Fix what ``validate`` finds in a JSON or JSON Lines file; all other characters stay.

    The text is held in memory, before and after; ``fix_in_place`` does without.

    Args:
        path: The file, which is replaced atomically, if it has not changed meanwhile. Invalid
            records and other formats are not changed.
        unsafe: Whether to apply all fixes, including those that may change what is measured.
        write: Whether to write the file; if not, only return what would change.
        select: The rules whose findings to fix, as for ``validate``.
        ignore: The rules whose findings to skip.
        flat: What a flat list of ids means, so that it can be written as groups.
        ids: ``"text"`` compares all ids as strings.

    Returns:
        The text before (``old``) and after (``new``), how many findings of each code were fixed
        (``by_code``), and what was not fixed and why (``notes``).

    Raises:
        InputError: There is no such file, its format is unknown, or it is a pipe.
        OutputError: The file cannot be written, or changed meanwhile; nothing is written.
    """
    request = build_request(None, "autorag", (), flat, ids)
    wants = select_rules(select, ignore).wants
    place, options = unwrap(path)
    with limiting_records(options.max_record_bytes):
        fixed = fix_text(os.fspath(place), request, wants, options, unsafe=unsafe)
    if write and fixed.has_changed and fixed.file is not None:
        fixed.file.write(fixed.new)
    return fixed


@checks_arguments
def fix_in_place(
    path: str | os.PathLike[str] | File,
    *,
    unsafe: bool = False,
    select: Iterable[str] | Selection | None = None,
    ignore: Iterable[str] = (),
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    progress: Callable[[int], None] | None = None,
) -> FixedFile:
    """Fix what ``validate`` finds in a file as ``fix`` does; JSON Lines may be of any length.

    They are read line by line and written to a temporary file beside the old one, which takes its
    place at the end. JSON documents are held in memory.

    Args:
        path: The file, which is replaced atomically, if it has not changed meanwhile.
        unsafe: Whether to apply all fixes, including those that may change what is measured.
        select: The rules whose findings to fix, as for ``validate``.
        ignore: The rules whose findings to skip.
        flat: What a flat list of ids means, so that it can be written as groups.
        ids: ``"text"`` compares all ids as strings.
        progress: Called from time to time with the number of records read; JSON Lines only.

    Returns:
        How many findings of each code were fixed (``by_code``), whether that is any
        (``has_changed``), and what was not fixed and why (``notes``).

    Raises:
        InputError: There is no such file, its format is unknown, or it is a pipe.
        OutputError: The file cannot be written, or changed meanwhile; nothing is written.
    """
    request = build_request(None, "autorag", (), flat, ids)
    place, options = unwrap(path)
    name, wants = os.fspath(place), select_rules(select, ignore).wants
    with limiting_records(options.max_record_bytes):
        return _fix_in_place(name, request, wants, options, progress, unsafe=unsafe)


def _fix_in_place(
    name: str,
    request: Request,
    wants: Wants,
    options: Options,
    progress: Callable[[int], None] | None,
    *,
    unsafe: bool,
) -> FixedFile:
    try:
        fixer = _find_line_fixer(name, request, wants, options, unsafe=unsafe)
        if fixer is not None:
            fixer.progress = progress
            return fixer.fix(Source(name, options.max_bytes))
    except InputError as error:
        if not all(problem.code for problem in error.problems):
            raise
        notes = explain(name, error.problems[0].message)
        return FixedFile(Counter(), notes, len(notes), is_readable=False)
    fixed = fix_text(name, request, wants, options, unsafe=unsafe)
    if fixed.has_changed and fixed.file is not None:
        fixed.file.write(fixed.new)
    found = fixed.by_code, fixed.notes, len(fixed.notes), fixed.has_changed, fixed.is_readable
    return FixedFile(*found)


def _find_line_fixer(
    path: str, request: Request, wants: Wants, options: Options, *, unsafe: bool
) -> LineFixer | None:
    """Return what fixes a file line by line; None if that takes the whole text.

    A rule of your own may rewrite a text as it likes.
    """
    refuse_special_file(path)
    rules = select_fixing_rules(path, wants, unsafe=unsafe)
    rewriting = [rule for rule in rules.values() if rule.fix and rule.fix.rewrite]
    form = records_in(path, options).editable
    is_by_line = form == "jsonl" and are_built_in(rewriting)
    return LineFixer(path, request, rules) if is_by_line else None
