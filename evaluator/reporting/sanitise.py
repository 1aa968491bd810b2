"""The one sanitiser: text from data, made safe to show.

Ids, queries and file names are written by others. On a terminal they could move the cursor, colour
or reorder what a person reads; in a spreadsheet be formulas, in Markdown links. Every character
that acts instead of being seen is shown as its escape, and each form escapes the signs it knows.
"""

import re
from collections.abc import Iterable

from groupwise.evaluator.text import printable

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")  # noqa: RUF001
MARKDOWN = re.compile(r"[\\`*_{}\[\]<>|#~!&$]")


def spreadsheet_safe(text: str) -> str:
    """A cell of text that no spreadsheet takes for a formula; what is a number stays one.

    >>> spreadsheet_safe("=HYPERLINK(1)"), spreadsheet_safe("-5")
    ("'=HYPERLINK(1)", '-5')
    """
    shown = printable(text)
    is_formula = text.lstrip(" ").startswith(FORMULA) and not NUMBER.fullmatch(text)
    return f"'{shown}" if is_formula else shown


def markdown_safe(text: str) -> str:
    r"""Text that Markdown shows as it is.

    >>> markdown_safe("a|b")
    'a\\|b'
    """
    return MARKDOWN.sub(r"\\\g<0>", printable(text))


def annotation_safe(text: str) -> str:
    """Text for the message of a GitHub annotation.

    >>> annotation_safe("50%: a, b")
    '50%25: a, b'
    """
    return printable(text).replace("%", "%25")


def annotation_property(text: str) -> str:
    """Text for a property of a GitHub annotation, such as its file.

    >>> annotation_property("a,b:c")
    'a%2Cb%3Ac'
    """
    return annotation_safe(text).replace(":", "%3A").replace(",", "%2C")


def tidied(lines: Iterable[str]) -> str:
    r"""Lines as text, without blanks at their ends and blank lines in a row.

    >>> tidied(["", "a ", "", "", "b", ""])
    'a\n\nb\n'
    """
    kept: list[str] = []
    for line in lines:
        stripped = line.rstrip()
        if stripped or (kept and kept[-1]):
            kept.append(stripped)
    return "\n".join(kept).rstrip() + "\n"
