"""Lists and objects in cells: JSON, Python's literals, NumPy's arrays; nothing is evaluated."""

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.reading.literals import is_literal, parse_literal

SCALARS = st.one_of(
    st.text(), st.integers(-(10**30), 10**30), st.floats(allow_nan=False, allow_infinity=False),
    st.none(), st.booleans(),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)


@given(st.lists(VALUES))
def test_what_python_writes_is_read_as_python_reads_it(value: list[Any]) -> None:
    try:
        assert parse_literal(repr(value)) == ast.literal_eval(repr(value)) == value
    except ValueError as error:
        assert "surrogate" in str(error)  # noqa: PT017  (such a text has no bytes)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_what_numpy_writes_is_the_same_list(texts: list[str]) -> None:
    joined = "[" + " ".join(map(repr, texts)) + "]"
    assert parse_literal(joined) == texts


@given(st.text())
def test_any_text_is_a_value_or_a_value_error(text: str) -> None:
    try:
        parse_literal(f"[{text}")
    except ValueError as error:
        assert str(error)  # noqa: PT017  (the message is what is asked for)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[]", []),
        (" ['a']\n", ["a"]),
        ("['a' 'b']", ["a", "b"]),
        ("['a'\n 'b c'\n \"it's\"]", ["a", "b c", "it's"]),
        ("[1 2\n 3]", [1, 2, 3]),
        ("[0.5 1.]", [0.5, 1.0]),
        ("['a', 'b',]", ["a", "b"]),
        ("('u', 0)", ["u", 0]),
        ("('u',)", ["u"]),
        ("[('u', 0), ('v', 1)]", [["u", 0], ["v", 1]]),
        ("[np.str_('a'), np.int64(3)]", ["a", 3]),
        ("[None, True, null, false]", [None, True, None, False]),
        ("{'a': [1], \"b\": {}}", {"a": [1], "b": {}}),
        ('["a", "\\ud83d\\ude00"]', ["a", "\N{GRINNING FACE}"]),
        (r"['\x41\u00e9\U0001f600\n\'']", ["A\u00e9\N{GRINNING FACE}\n'"]),
    ],
)
def test_lists_and_objects(text: str, value: Any) -> None:
    assert is_literal(text)
    assert parse_literal(text) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("['a' 'b', 'c']", "a comma is missing"),
        ("('a' 'b')", "a comma is missing"),
        ("['a' ... 'b']", "NumPy left out elements"),
        ("[array(['a'], dtype=object)]", "NumPy's arrays of arrays"),
        ("[__import__('os')]", "got '__import__'"),
        ("[UUID('a')]", "got 'UUID'"),
        ("[a, b]", "got 'a'"),
        ("['a'", "the list is not closed"),
        ("['a]", 'the list is not closed|got "\'"'),
        ("['a'] 'b'", "expected the end"),
        ("{'a', 'b'}", "expected ':', got ','"),
        ("{1: 'b'}", "expected text as keys"),
        ("{'a': 1, 'a': 2}", "the key 'a' is repeated"),
        ('{"a": 1, "a": 2}', "the key 'a' is repeated"),
        (r"['\q']", "the escape"),
        (r"['\N{BULLET}']", "the escape"),
        (r"['\Uffffffff']", "the escape"),
        (r"['\ud800']", "a lone surrogate"),
        ("[" * 2000 + "]" * 2000, "nested deeper than 60 levels"),
        ("[1e999, 'a']", "got '1e999'"),
        ("[nan]", "got 'nan'"),
        ("[9" + "9" * 5000 + ", 'a']", "got '9999"),
    ],
)
def test_other_text_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_literal(text)


@pytest.mark.parametrize("start", ['"', "'", '["a", "', "[np.str_('"])
def test_an_unclosed_text_is_searched_once(start: str) -> None:
    """Where a text is not closed, every quote in it would be searched to the end."""
    for sign in ('\\"', "\\'"):
        with pytest.raises(ValueError):  # noqa: PT011  (whatever it says)
            parse_literal(start + sign * 400_000)
