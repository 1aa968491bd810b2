"""The one sanitiser: text from data, made safe to show.

Ids, queries and file names are written by others. On a terminal they could move the cursor, colour
or reorder what a person reads; in a spreadsheet be formulas, in Markdown links. Every character
that acts instead of being seen is shown as its escape, and each form escapes the signs it knows.
"""

import re
from collections.abc import Iterable

UNSEEN = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction of writing
    "\xad\u034f\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\ufeff"  # no width
    "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # letters without ink
    "\u2028\u2029\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # breaks, notes, tags
    "\ud800-\udfff"  # halves of a pair
    "]"
)
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")  # noqa: RUF001
MARKDOWN = re.compile(r"[\\`*_{}\[\]<>|#~!&$]")


def printable(text: str) -> str:
    r"""The text with every unseen character as an escape.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return UNSEEN.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def json_safe(text: str) -> str:
    r"""JSON text with every unseen character as a JSON escape: the same data, safe to show.

    >>> json_safe('"\x7f"')
    '"\\u007f"'
    """
    return UNSEEN.sub(_json_escape, text)


def _json_escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))


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


def shortened(text: str, limit: int) -> str:
    """Printable text of at most so many characters.

    >>> shortened("abcdef", 4)
    'abc…'
    """
    shown = printable(text)
    return shown if len(shown) <= limit else f"{shown[: limit - 1]}…"


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
