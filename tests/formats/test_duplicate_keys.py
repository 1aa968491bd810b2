"""A key is called repeated where the standard library's pairs have it twice, and nowhere else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, evaluate
from groupwise.evaluator.native.loader import COMPILED, walk
from groupwise.evaluator.reading.duplicate_keys import (
    count_repeated_keys,
    find_repeated_keys,
    may_repeat_keys,
)
from tests.formats import strict_json
from tests.formats.reading import BLOCKS, file_of, read

TEXTS = st.lists(st.sampled_from(['"', ":", " ", "a", "b", "\\", "é", '":', "\n"]), max_size=3).map(
    "".join
)
SPACES = st.sampled_from(["", " ", "\n", "\t "])


@st.composite
def json_text(draw: st.DrawFn, depth: int = 3) -> str:
    """JSON with any spacing, in which objects may repeat their keys."""
    kind = draw(st.sampled_from(["text", "list", "object", "object"] if depth else ["text"]))
    if kind == "text":
        return json.dumps(draw(TEXTS), ensure_ascii=draw(st.booleans()))
    space = draw(SPACES)
    if kind == "list":
        parts = draw(st.lists(json_text(depth - 1), max_size=3))
        return f"[{space}" + f"{space},".join(parts) + "]"
    pairs = draw(st.lists(st.tuples(TEXTS, json_text(depth - 1)), max_size=3))
    members = [f"{spelled(draw, key)}{space}:{draw(SPACES)}{value}" for key, value in pairs]
    return f"{{{space}" + f"{space},{space}".join(members) + "}"


def spelled(draw: st.DrawFn, key: str) -> str:
    """The key as JSON, at times with an escape where none is needed."""
    text = json.dumps(key, ensure_ascii=draw(st.booleans()))
    return text.replace("a", "\\u0061") if draw(st.booleans()) else text


@given(json_text())
def test_repeated_keys_are_found_where_there_are_any_and_only_there(text: str) -> None:
    raw = text.encode()
    value = strict_json.loads(raw, repeats_allowed=True)
    found = find_repeated_keys(raw) if may_repeat_keys(raw, value) else []
    assert bool(found) is strict_json.repeats_keys(raw)


@given(json_text())
def test_both_places_of_a_repeated_key_hold_that_key(text: str) -> None:
    for key, first, later in find_repeated_keys(text.encode()):
        assert first < later
        for place in (first, later):
            assert json.JSONDecoder().raw_decode(text, place)[0] == key


@given(json_text())
def test_repeated_keys_are_counted_as_they_are_found(text: str) -> None:
    raw = text.encode()
    assert count_repeated_keys(raw) == len(find_repeated_keys(raw))
    assert walk.count_repeated_keys(raw) in (None, len(find_repeated_keys(raw)))


@given(st.lists(json_text(), max_size=4))
def test_texts_that_lost_keys_are_those_that_have_lost_some_by_themselves(texts: list[str]) -> None:
    lines = [text.encode() for text in texts]
    values = [strict_json.loads(line, repeats_allowed=True) for line in lines]
    pairs = enumerate(zip(lines, values, strict=True))
    assert walk.find_lost_keys(lines, values) == [
        row for row, (line, value) in pairs if may_repeat_keys(line, value)
    ]


@pytest.mark.skipif(not COMPILED, reason="the compiled part was not built")
@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('{"a": 1, "a": 2, "a": 3}', 2),
        ('{"a": {"x": 1, "x": 2}, "a": 1}', 2),
        ('{"a": [{"b": 1}, {"b": 2}], "c": {"a": 1}}', 0),
        ('{"a": {"b": {}}, "b": 1, "a" : [], "b"\t: 2}', 2),
        ('{"a": "\\"a\\": ", "b": "a", "a": ":"}', 1),
        ("[" * 64 + "]" * 64, 0),
        ("[" * 65 + "]" * 65, None),
        ('{"\\u0061": 1, "a": 2}', None),
        ("{" + ", ".join(f'"{n}": {n}' for n in range(256)) + "}", 0),
        ("{" + ", ".join(f'"{n}": {n}' for n in range(257)) + "}", None),
        ('{"a": "', None),
        ('{"a": "\\', None),
        ('"a": 1', None),
        ("}", None),
    ],
)
def test_repeated_keys_are_counted_in_c_unless_that_is_unsure(text: str, count: int | None) -> None:
    assert walk.count_repeated_keys(text.encode()) == count


@given(parts=st.lists(json_text(2), min_size=1, max_size=4), block=st.sampled_from(BLOCKS))
def test_a_list_of_any_size_names_its_repeated_keys(parts: list[str], block: int) -> None:
    text = "[" + ", ".join(parts) + "]"
    problems = read(text, block=block).problems
    assert bool(problems) is strict_json.repeats_keys(text.encode())


@pytest.mark.parametrize("queries", [2, 30_000])
def test_a_query_id_that_a_map_repeats_is_refused(queries: int) -> None:
    members = [
        f'"q{number}": {{"ground_truth": [["a"]], "results": []}}' for number in range(queries)
    ]
    text = "{" + ",\n".join([*members, members[0]]) + "}"
    refused = pytest.raises(InputError, match=rf":{queries + 1}:7: query 'q0': .* is repeated")
    with file_of(text) as path, refused:
        evaluate(path)
