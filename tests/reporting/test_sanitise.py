import json
import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.reading.writing import dump_line
from groupwise.evaluator.reporting.sanitise import (
    annotation_property,
    annotation_safe,
    latex_safe,
    markdown_safe,
    spreadsheet_safe,
)
from groupwise.evaluator.text import UNSEEN, json_safe, printable, shorten

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain ä 漢字 😀 [red] |", "plain ä 漢字 😀 [red] |"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x9b", "\\x9b"),
        ("\x7f\x00\t\n\r", "\\x7f\\x00\\x09\\x0a\\x0d"),
        ("\u202e", "\\u202e"),
        ("\u200b\ufeff\u2028", "\\u200b\\ufeff\\u2028"),
        ("\ud800", "\\ud800"),
        ("\U000e0001", "\\U000e0001"),
    ],
)
def test_what_acts_is_shown_as_its_escape(raw: str, shown: str) -> None:
    assert printable(raw) == shown


@given(ANY_TEXT)
def test_nothing_unseen_is_left_and_nothing_else_is_changed(text: str) -> None:
    shown = printable(text)
    assert not UNSEEN.search(shown)
    assert printable(shown) == shown
    assert shown == "".join(printable(sign) if UNSEEN.match(sign) else sign for sign in text)
    assert shown.encode().decode() == shown


def _escape_naively(sign: str) -> str:
    if not UNSEEN.match(sign):
        return sign
    return (
        f"\\x{ord(sign):02x}"
        if sign < "\x80"
        else sign.encode("ascii", "backslashreplace").decode()
    )


def test_every_character_has_its_own_escape_also_beyond_those_remembered() -> None:
    characters = "".join(map(chr, range(sys.maxunicode + 1)))
    assert printable(characters) == "".join(map(_escape_naively, characters))


@pytest.mark.parametrize("category", ["Cc", "Cs", "Zl", "Zp"])
def test_whole_categories_are_unseen(category: str) -> None:
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)) == category:
            assert UNSEEN.fullmatch(chr(code))


@given(st.recursive(ANY_TEXT, lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner)))
def test_json_is_the_same_data(value: object) -> None:
    text = dump_line(value)
    assert not UNSEEN.search(text)
    assert json.loads(text) == value


def test_json_escapes_are_those_of_json() -> None:
    assert json_safe('"\x9b\U000e0001\ud800"') == r'"\u009b\udb40\udc01\ud800"'


@given(ANY_TEXT)
def test_no_cell_is_a_formula(text: str) -> None:
    cell = spreadsheet_safe(text)
    assert not UNSEEN.search(cell)
    if cell.lstrip(" ").startswith(("=", "+", "-", "@")):
        assert float(cell) is not None


@given(ANY_TEXT)
def test_markdown_signs_are_escaped(text: str) -> None:
    safe = markdown_safe(text)
    unescaped = safe.replace("\\\\", "").replace("@<!-- -->", "@")
    for sign in "`*_[]<>|":
        assert unescaped.count(sign) == unescaped.count(f"\\{sign}")


PIECES = ("http://", "HTTPS://", "www.", "wWw.", "@", "@me", ".", ":", "/", "é", "\n", "x")
SIGNS = '\\`*_{}[]<>|#~!&$%^"'
WORDS = st.lists(st.sampled_from((*PIECES, *SIGNS))).map("".join)


@given(WORDS | ANY_TEXT)
def test_markdown_marks_signs_addresses_and_mentions(text: str) -> None:
    marked = re.sub(r"(?i)[\\`*_{}\[\]<>|#~!&$]|:(?=//)|(?<=www)\.", r"\\\g<0>", printable(text))
    assert markdown_safe(text) == re.sub(r"(?<!\w)@(?=\w)", "@<!-- -->", marked)


@given(WORDS | ANY_TEXT)
def test_latex_spells_its_signs_one_by_one(text: str) -> None:
    shown = printable(f"x{text}")
    assert latex_safe(f"x{text}") == "".join(latex_safe(f"x{sign}")[1:] for sign in shown)


@given(ANY_TEXT)
def test_annotations_are_one_line(text: str) -> None:
    assert not {"\n", "\r"} & set(annotation_safe(text))
    assert not {":", ",", "\n"} & set(annotation_property(text))


@given(ANY_TEXT, st.integers(1, 20))
def test_shortened_text_is_no_longer_than_asked(text: str, limit: int) -> None:
    assert len(shorten(text, limit)) <= limit
