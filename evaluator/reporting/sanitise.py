"""The sanitiser: text from data, made safe to show.

Others write ids, queries and file names. On a terminal they could move the cursor, or colour and
reorder what a person reads; in a spreadsheet they could be formulas, in Markdown links. Control
characters are shown as escapes, and each form escapes the signs that have a meaning in it.
"""

import re
from collections.abc import Iterable
from html import escape

from groupwise.evaluator.text import Spellings, is_formula, printable

NONCHARACTERS = re.compile("[\ufffe\uffff]")
MARKDOWN = frozenset(r"\`*_{}[]<>|#~!&$")
MARKDOWN_FORMS = Spellings(lambda sign: f"\\{sign}" if sign in MARKDOWN else sign)
WEB = re.compile(r"(?<=www)\.", re.IGNORECASE)
MENTION = re.compile(r"(?<!\w)@(?=\w)")
LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"{\char34}",
    "`": r"\textasciigrave{}", "–": "--",  # noqa: RUF001
}  # fmt: skip
"""The signs that have a meaning in LaTeX, or another look in its older fonts."""
LATEX_FORMS = Spellings(lambda sign: LATEX.get(sign, sign))


def spreadsheet_safe(text: str) -> str:
    """Return text that no spreadsheet reads as a formula; a number stays a number.

    >>> spreadsheet_safe("=HYPERLINK(1)"), spreadsheet_safe("-5")
    ("'=HYPERLINK(1)", '-5')
    """
    shown = printable(text)
    return f"'{shown}" if is_formula(text) else shown


def markdown_safe(text: str) -> str:
    r"""Return text that Markdown shows literally.

    GitHub would make a link of an address, and notify the user whose name follows an @: an empty
    comment keeps the two apart.

    >>> markdown_safe("a|b")
    'a\\|b'
    >>> markdown_safe("@user")
    '@<!-- -->user'
    """
    shown = printable(text).translate(MARKDOWN_FORMS).replace("://", "\\://")
    if "." in shown:
        shown = WEB.sub(r"\\.", shown)
    return MENTION.sub("@<!-- -->", shown) if "@" in shown else shown


def latex_safe(text: str) -> str:
    r"""Return text that LaTeX shows literally.

    A line that begins with a bracket would be read as an option of the line break before it.

    >>> latex_safe("a_b & 5 %")
    'a\\_b \\& 5 \\%'
    """
    shown = printable(text).translate(LATEX_FORMS)
    return f"{{}}{shown}" if shown.startswith(("[", "*")) else shown


def xml_safe(text: str) -> str:
    """Return text that XML allows: it forbids control characters and two noncharacters."""
    return NONCHARACTERS.sub(lambda match: f"\\u{ord(match[0]):04x}", printable(text))


def html_safe(text: str) -> str:
    """Return text that HTML shows literally, in an element and in a quoted attribute.

    >>> html_safe('<a b="c">')
    '&lt;a b=&quot;c&quot;&gt;'
    """
    return escape(xml_safe(text))


def annotation_safe(text: str) -> str:
    """Return text for the message of a GitHub annotation.

    >>> annotation_safe("50%: a, b")
    '50%25: a, b'
    """
    return printable(text).replace("%", "%25")


def annotation_property(text: str) -> str:
    """Return text for a property of a GitHub annotation, such as its file.

    >>> annotation_property("a,b:c")
    'a%2Cb%3Ac'
    """
    return annotation_safe(text).replace(":", "%3A").replace(",", "%2C")


def tidy(lines: Iterable[str]) -> str:
    r"""Return lines as text, without trailing blanks and repeated blank lines.

    >>> tidy(["", "a ", "", "", "b", ""])
    'a\n\nb\n'
    """
    kept: list[str] = []
    for line in lines:
        stripped = line.rstrip()
        if stripped or (kept and kept[-1]):
            kept.append(stripped)
    return "\n".join(kept).rstrip() + "\n"
