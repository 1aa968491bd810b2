"""Changes to JSON text: what is meant changes, and not one character beside it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.reading.editing import Changes, Edit, apply_edits, without_overlaps
from tests.formats.reading import pointers

SPACES = st.sampled_from(["", "", " ", "  ", "\n", "\r\n  ", "\t", "\n\n "])
KEYS = st.sampled_from(["id", "a", "b", "é", 'q"uote', "\\", "a:b", "[", "\u2028"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | KEYS | st.sampled_from(["", "}", ",", '"']),
    lambda part: st.lists(part, max_size=4) | st.dictionaries(KEYS, part, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(KEYS, VALUES, min_size=1, max_size=4)


@st.composite
def spelled(draw: st.DrawFn, value: Any) -> str:
    """The value as JSON with white space and escapes in all the places that allow them."""

    def gap() -> str:
        return draw(SPACES)

    def text(part: Any) -> str:
        if isinstance(part, dict):
            body = ",".join(
                f"{gap()}{text(key)}{gap()}:{gap()}{text(one)}{gap()}" for key, one in part.items()
            )
            return f"{{{body or gap()}}}"
        if isinstance(part, list):
            return f"[{','.join(f'{gap()}{text(one)}{gap()}' for one in part) or gap()}]"
        return json.dumps(part, ensure_ascii=draw(st.booleans()))

    return text(value)


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, int, Any]:
    """A text with something before and behind a record, where the record begins, and the record."""
    value = draw(OBJECTS)
    before = draw(st.sampled_from(["", "\ufeff", '[{"id": "é"},\r\n', "\n\n"]))
    behind = draw(st.sampled_from(["", "\r\n", ', {"a": [1,2]}]']))
    return before + draw(spelled(value)) + behind, len(before), value


def applied(text: str, start: int, changes: Changes) -> str:
    return apply_edits(text, changes.edits(text, start))


def parsed(text: str, start: int) -> tuple[Any, str]:
    """The value that begins there, and what is behind it."""
    value, end = json.JSONDecoder().raw_decode(text, start)
    return value, text[end:]


def at(value: Any, way: tuple[Any, ...]) -> Any:
    for step in way:
        value = value[step]
    return value


def copied(value: Any) -> Any:
    return json.loads(json.dumps(value))


def check(text: str, start: int, changes: Changes, expected: Any) -> str:
    """The record is as expected, all around it as it was; the new text."""
    new = applied(text, start, changes)
    value, behind = parsed(new, start)
    assert value == expected
    assert list(value) == list(expected)
    assert new[:start] == text[:start]
    assert behind == parsed(text, start)[1]
    return new


@given(texts(), st.data())
def test_parts_are_removed_with_their_commas(given_text: Any, draw: st.DataObject) -> None:
    text, start, value = given_text
    homes = [way for way in pointers(value) if isinstance(at(value, way), dict | list)]
    homes = [way for way in homes if at(value, way)]
    home = draw.draw(st.sampled_from(homes))
    content = at(value, home)
    names = list(content) if isinstance(content, dict) else list(range(len(content)))
    gone = draw.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    expected = copied(value)
    inner = at(expected, home)
    for name in sorted(gone, reverse=True) if isinstance(content, list) else gone:
        del inner[name]
    changes = Changes(removed={(*home, name) for name in gone})
    check(text, start, changes, expected)


@given(texts(), st.data())
def test_replaced_and_wrapped_values_leave_all_others_alone(
    given_text: Any, draw: st.DataObject
) -> None:
    text, start, value = given_text
    way = draw.draw(st.sampled_from([way for way in pointers(value) if way]))
    *home, last = way
    replaced, wrapped = copied(value), copied(value)
    at(replaced, tuple(home))[last] = "new"
    at(wrapped, tuple(home))[last] = [[at(value, way)]]
    new = check(text, start, Changes(replaced={way: '"new"'}), replaced)
    old_span = len(text) - len(new) + len('"new"')
    place = new.index('"new"')
    assert text[:place] == new[:place]
    assert text[place + old_span :] == new[place + len('"new"') :]
    around = check(text, start, Changes(wrapped={way: ("[[", "]]")}), wrapped)
    assert len(around) == len(text) + 4


@given(texts(), st.data())
def test_a_key_is_renamed_and_a_member_added(given_text: Any, draw: st.DataObject) -> None:
    text, start, value = given_text
    key = draw.draw(st.sampled_from(list(value)))
    renamed = {"fresh" if name == key else name: one for name, one in value.items()}
    check(text, start, Changes(renamed={(key,): "fresh"}), renamed)
    new = check(text, start, Changes(added={"fresh": False}), {**value, "fresh": False})
    assert len(new.splitlines()) <= len(text.splitlines()) + 2


@given(texts(), st.data())
def test_many_changes_at_once(given_text: Any, draw: st.DataObject) -> None:
    """Of changes one within the other the outer one holds; the text stays JSON."""
    text, start, value = given_text
    ways = [way for way in pointers(value) if way]
    some = st.lists(st.sampled_from(ways), max_size=3, unique=True)
    changes = Changes(
        removed={*draw.draw(some)},
        replaced=dict.fromkeys(draw.draw(some), "0"),
        wrapped=dict.fromkeys(draw.draw(some), ("[", "]")),
    )
    new = applied(text, start, changes)
    _, behind = parsed(new, start)
    assert new[:start] == text[:start]
    assert behind == parsed(text, start)[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"id": "q1", "x": 1}', '{"id": "q1", "x": 1, "answerable": false}'),
        ('{"id":"q1","x":1}', '{"id":"q1","x":1,"answerable":false}'),
        ('{\n  "id": "q1",\n  "x": 1\n}', '{\n  "id": "q1",\n  "x": 1,\n  "answerable": false\n}'),
        ('{"id": "q1"}', '{"id": "q1", "answerable": false}'),
        ("{}", '{"answerable": false}'),
    ],
)
def test_a_new_member_is_spaced_as_the_others_are(text: str, expected: str) -> None:
    assert applied(text, 0, Changes(added={"answerable": False})) == expected


def test_of_edits_that_overlap_the_outer_one_is_kept() -> None:
    assert without_overlaps([Edit(2, 4, ""), Edit(0, 9, "x"), Edit(9, 9, "y")]) == [
        Edit(0, 9, "x"),
        Edit(9, 9, "y"),
    ]
