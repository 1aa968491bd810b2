"""Text for messages: escaping, styles, shortening, quoting, counting, suggestions, JSON pointers.

Others write ids, queries and file names. On a terminal they could move the cursor, or colour and
reorder what a person reads. So control characters and invisible ones are shown as escapes; what a
form of output needs beyond that is in ``reporting.sanitise``.
"""

import re
from collections.abc import Callable, Iterable, Sequence

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
MOST_SPELLINGS = 10_000
"""Characters that a table remembers; there are a million."""

NUMBER = re.compile(r"[+-]?(\d++(\.\d*+)?|\.\d++)(e[+-]?\d++)?", re.IGNORECASE | re.ASCII)
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")  # noqa: RUF001

STYLES = {
    "error": "1;31", "failed": "31", "warning": "33", "met": "32", "info": "36", "bold": "1",
    "dim": "2", "blue": "34", "magenta": "35",
}  # fmt: skip

ASCII_FORMS = str.maketrans(
    {
        "─": "-", "\N{EN DASH}": "-", "…": "...", "→": "->", "·": "*", "≤": "<=", "≥": ">=",
        "≠": "!=", "Σ": "sum", "Π": "product", "∞": "inf", "∃": "exists", "∀": "all", "∈": "in",
        "∩": "&", "\N{UNION}": "|", "√": "sqrt ", "±": "+/-",
        "▁": ".", "▂": ":", "▃": "-", "▄": "=", "▅": "+", "▆": "*", "▇": "%", "█": "#",
    }
)  # fmt: skip
CUT = re.compile(r"\w\w…")
"""The end of a text that was cut: its ASCII form is as wide, so that tables keep their columns."""


def printable(text: str) -> str:
    r"""Return the text with every invisible character as an escape.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    is_visible = (text.isascii() and text.isprintable()) or not UNSEEN.search(text)
    shown = text if is_visible else text.translate(SHOWN)
    return _defuse(shown) if "::" in shown or "##[" in shown else shown


def _defuse(text: str) -> str:
    """Return text without the signs of a command that a runner of GitHub Actions would obey.

    It obeys lines that begin with ``::``, and ``##[`` anywhere in a line.
    """
    if "##[" in text:
        text = text.replace("##[", "##\\x5b")
    if "::" in text and text.lstrip().startswith("::"):
        text = text.replace(":", "\\x3a", 1)
    return text


def is_formula(text: str) -> bool:
    """Whether a spreadsheet reads a cell as a formula; a number is none.

    >>> is_formula("=HYPERLINK(1)"), is_formula("-5")
    (True, False)
    """
    return text.lstrip(" ").startswith(FORMULA) and not NUMBER.fullmatch(text)


class Spellings(dict[int, str]):
    r"""How characters are written, by their codes, for ``str.translate``.

    Each is spelled when it is first met: a table that has all characters of a text is several
    times as fast as one that lacks some.

    >>> "a\tb".translate(Spellings(lambda character: repr(character)[1:-1]))
    'a\\tb'
    """

    def __init__(self, spell: Callable[[str], str]) -> None:
        self._spell = spell

    def __missing__(self, code: int) -> str:
        spelled = self._spell(chr(code))
        if len(self) < MOST_SPELLINGS:
            self[code] = spelled
        return spelled


def _escape(character: str) -> str:
    if not UNSEEN.match(character):
        return character
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


SHOWN = Spellings(_escape)


def json_safe(text: str) -> str:
    r"""Return JSON text with every invisible character as a JSON escape: the same data.

    >>> json_safe('"\x7f"')
    '"\\u007f"'
    """
    return UNSEEN.sub(_json_escape, text).replace("##[", "##\\u005b")


def _json_escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))


def apply_style(text: str, style: str) -> str:
    """Return text with the escapes that show it in a style on a terminal."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m"


def fit_encoding(text: str, encoding: str) -> str:
    r"""Return text that an encoding can hold: signs in ASCII and letters as escapes if need be.

    >>> fit_encoding("0.5 ± 0.1 é", "ascii")
    '0.5 +/- 0.1 \\xe9'
    """
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        same_width = CUT.sub("...", text).translate(ASCII_FORMS)
        return same_width.encode(encoding, "backslashreplace").decode(encoding)
    return text


def cut(text: str, limit: int = 60) -> str:
    """Return text of at most ``limit`` characters; an ellipsis stands for the rest.

    >>> cut("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def quote(value: object) -> str:
    """Return a value as Python writes it, cut if it is long; its type if it cannot be written."""
    try:
        return cut(repr(value))
    except Exception:  # noqa: BLE001  (an integer of 5,000 digits; whatever classes of users do)
        return f"a value of type {type(value).__name__}"


def quote_id(value: str | int) -> str:
    """Return an id as both JSON and Python write it, cut if it is long."""
    if isinstance(value, int):
        return str(value)
    import json  # noqa: PLC0415  (slow to load, for messages only)

    return json.dumps(cut(value), ensure_ascii=False)


def shorten(text: str, limit: int) -> str:
    """Return printable text of at most ``limit`` characters.

    >>> shorten("abcdef", 4)
    'abc…'
    """
    return cut(printable(text), limit)


def capitalise(sentence: str) -> str:
    """Return a sentence that begins with a capital letter.

    >>> capitalise("one query")
    'One query'
    """
    return sentence[:1].upper() + sentence[1:]


def plural(count: int, noun: str, nouns: str = "") -> str:
    """Return a number and its noun.

    >>> plural(1, "entry", "entries"), plural(1000, "file")
    ('1 entry', '1,000 files')
    """
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def suggest(
    word: str,
    known: Iterable[str],
    *,
    shown: Callable[[str], str] = repr,
    most: int = 1,
    cutoff: float = 0.6,
    otherwise: str = "",
) -> str:
    """Return the nearest names to a word as a question, else ``otherwise``, else all names.

    >>> suggest("recal", ["recall", "ndcg"]), suggest("x", ["recall", "ndcg"])
    ("did you mean 'recall'?", 'choose from recall, ndcg')
    """
    from difflib import get_close_matches  # noqa: PLC0415  (only needed when a name is wrong)

    names = list(known)
    near = get_close_matches(word.lower(), names, n=most, cutoff=cutoff) if names else []
    if near:
        return f"did you mean {' or '.join(map(shown, near))}?"
    return otherwise or f"choose from {', '.join(names)}"


def json_pointer(steps: Sequence[str | int]) -> str | None:
    """Return the steps as a JSON pointer; None where there are none.

    >>> json_pointer(["a/b", 0])
    '/a~1b/0'
    """
    return "".join(f"/{_escape_step(step)}" for step in steps) or None


def _escape_step(step: str | int) -> str:
    return str(step).replace("~", "~0").replace("/", "~1")
