"""Ids in the cells of a spreadsheet: readable, never a formula, and the same when read again.

Spreadsheets turn text into numbers, dates and formulas, and may read UTF-8 as something else. An
id that could suffer is written as a JSON string in ASCII, in quotes; all others as they are.
"""

import json
import re

SAFE = re.compile(r"[A-Za-z_/](?:[ -~]*[!-~])?|0|[1-9][0-9]{0,14}")
"""ASCII that begins like a word, or a whole number of as many digits as a spreadsheet keeps."""
MEANT_OTHERWISE = re.compile(
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ ./-]?[0-9]{1,4}"
    r"|true|false|na|n/a|nan|null|none|inf(?:inity)?",
    re.IGNORECASE,
)
"""What programs read as a date, a truth value, or as nothing."""

HALF = re.compile("[\ud800-\udfff]")


def encode_cell(text: str) -> str:
    r"""Return an id as the text of a cell.

    >>> encode_cell("doc-1"), encode_cell("=1+1"), encode_cell("007")
    ('doc-1', '"=1+1"', '"007"')
    """
    is_safe = SAFE.fullmatch(text) and not MEANT_OTHERWISE.fullmatch(text)
    return text if is_safe and "##[" not in text else json.dumps(text).replace("##[", "##\\u005b")


def decode_cell(cell: str) -> str:
    r"""Return the id that the text of a cell stands for, without surrounding space.

    Raises:
        ValueError: The cell begins with a quote and is not a JSON string, or one with half a
            character (a lone surrogate).

    >>> decode_cell(' doc-1 '), decode_cell('"=1+1"')
    ('doc-1', '=1+1')
    """
    text = cell.strip()
    if not text.startswith('"'):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, str) or HALF.search(value):
        raise ValueError(f"expected a JSON string, such as {json.dumps('a')}, got {cell!r}")
    return value
