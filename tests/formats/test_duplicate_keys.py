"""A key is called repeated where the standard library's pairs have it twice, and nowhere else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, evaluate
from groupwise.evaluator.reading.scan import repeated_keys
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
    assert bool([*repeated_keys(text)]) is strict_json.repeats_keys(text.encode())


@given(json_text())
def test_both_places_of_a_repeated_key_hold_that_key(text: str) -> None:
    for key, first, later in repeated_keys(text):
        assert first < later
        for place in (first, later):
            assert json.JSONDecoder().raw_decode(text, place)[0] == key


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
