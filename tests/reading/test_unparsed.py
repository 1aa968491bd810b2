"""Lines whose lists are dropped: what is left of a record is what it has without them."""

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.native.loader import COMPILED, walk
from groupwise.evaluator.reading.jsonl import JsonLines
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.unparsed import drop_all_lists

SIGNS = st.sampled_from(
    [
        "[",
        "]",
        ",",
        '"a"',
        '"a b"',
        '""',
        '"' + "x" * 40 + '"',
        "7",
        "null",
        " ",
        "\t",
        '"\\n"',
        "é",
    ]
)
LISTS = st.lists(SIGNS, max_size=8).map("".join)
IDS = st.lists(st.text('ab\\"é ', max_size=20), max_size=3)
GROUPS = st.lists(IDS, max_size=3)
NAMES = st.sampled_from(["results", "ground_truth", "retrieval_gt", "id", "query", "x"])
RECORDS = st.dictionaries(NAMES, IDS | GROUPS | st.text('a:[]\\" ', max_size=9), max_size=5)


def parse(line: bytes) -> Any:
    """Return the value of a line; an exception if it has none."""
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return ValueError


@given(LISTS, st.sampled_from(["", " ", ', "id": "again"', ', "results": ["b"]']))
def test_a_line_is_json_without_its_lists_if_it_is_json_with_them(content: str, more: str) -> None:
    line = f'{{"id": "q", "results":[{content}]{more}}}'.encode()
    whole, rest = parse(line), parse(walk.drop_lists(line, b'"results"'))
    assert (whole is ValueError) == (rest is ValueError)
    if whole is not ValueError:
        assert rest["id"] == whole["id"]


@given(RECORDS, st.booleans())
def test_all_but_lists_is_as_it_was(record: dict[str, Any], is_ascii: bool) -> None:
    found = parse(drop_all_lists(json.dumps(record, ensure_ascii=is_ascii).encode()))
    assert found.keys() == record.keys()
    for name, value in record.items():
        is_dropped = name not in ("id", "query", "x") and isinstance(value, list)
        assert found[name] in ((value, []) if is_dropped else (value,))


@pytest.mark.skipif(not COMPILED, reason="the compiled part was not built")
@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ('{"results": ["a", "b" ], "id": "q"}', '{"results": [], "id": "q"}'),
        ('{"results":[["a"],[ ],[["b"]]]}', '{"results":[]}'),
        ('{"results": ["a", 7]}', None),
        ('{"results": ["a",]}', None),
        ('{"results": ["a" "b"]}', None),
        ('{"results": [,"a"]}', None),
        ('{"results": ["é"]}', None),
        ('{"results": "a", "x": ["a"]}', None),
        ('{"results": [' + "[" * 7 + "]" * 7 + "]}", '{"results": []}'),
        ('{"results": [' + "[" * 8 + "]" * 8 + "]}", None),
        ('{"results": ["a"', None),
        ('{"x": "\\"results\\": [", "y": []}', None),
    ],
)
def test_plain_lists_are_dropped_and_no_others(text: str, rest: str | None) -> None:
    assert walk.drop_lists(text.encode(), b'"results"') == (rest or text).encode()


LINES = st.sampled_from(
    [
        '{"id": "q1", "ground_truth": [["a"]], "results": ["b"]}',
        '{"id": "q2", "ground_truth": [["a"], []], "results": [null], "id": "q3"}',
        '{"qid": "q4", "retrieval_gt": [["a"]]}',
        '{"id": 7}',
        "[]",
        "",
        '{"id": "q5"',
    ]
)


@given(lines=st.lists(LINES, max_size=6))
def test_a_quiet_reading_has_the_same_records(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    path = tmp_path_factory.mktemp("data") / "data.jsonl"
    path.write_text("\n".join(lines))
    quiet, loud = (
        [*JsonLines(Source(str(path))).batches(reading)] for reading in (Reading.quiet(), Reading())
    )
    for name in ("id", "ground_truth", "results"):
        fields = [[batch.field(name) for batch in batches] for batches in (quiet, loud)]
        assert fields[0] == fields[1]
    assert [batch.count() for batch in quiet] == [batch.count() for batch in loud]
    assert [batch.values for batch in quiet] == [batch.values for batch in loud]
    for one, other in zip(quiet, loud, strict=True):
        for number in range(one.count()):
            assert one.place(number, ["id"]) == other.place(number, ["id"])
