"""A JSON document has the same records, places and first fault, however it is cut into pieces."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, evaluate
from groupwise.evaluator.reading.json import PIECE_BYTES, DocumentBatch, JsonDocument
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import MemorySource
from tests.formats import strict_json
from tests.formats.reading import BLOCKS, pointers, read

GROUPS = [["a", "é"], {"alternatives": [{"id": "b", "grade": 2}], "weight": 1.5}]
RECORDS: list[dict[str, Any]] = [
    {"id": "q1", "ground_truth": GROUPS, "results": [{"id": "x", "text": "y {"}, {"id": "}, {"}]},
    {"id": 2, "results": [1, 2, -3], "scores": [0.5, 1e-3, -2e5]},
    {"id": "q3", "ground_truth": {"a": 1}, "metadata": {"é\u2028": [None, True, {"😀": []}]}},
]
LISTS = st.lists(st.sampled_from(RECORDS), max_size=5)
DOCUMENTS = st.one_of(
    LISTS,
    LISTS.map(lambda records: {f"k{n}": record for n, record in enumerate(records)}),
    LISTS.map(lambda records: {"name": "n", "queries": records, "expected": {"recall": 0.5}}),
    st.sampled_from(RECORDS),
)
ODD = (
    b",", b"[", b"]", b"{", b"}", b'"', b":", b"\\", b"'", b"//", b"\n", b"\0", b"-", b"12",
    b"NaN", b"Infinity", b"1e999", b"tru", b"\xff", b"\xc3", b"\\ud800", b'"a": 1, "a": 2,',
)  # fmt: skip


@st.composite
def document(draw: st.DrawFn) -> bytes:
    """A document, often with something missing, inserted or repeated."""
    indent = draw(st.sampled_from([None, None, 1]))
    text = json.dumps(draw(DOCUMENTS), indent=indent, ensure_ascii=draw(st.booleans())).encode()
    for _ in range(draw(st.sampled_from([0, 1, 1, 2]))):
        start, end = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
        change = draw(st.sampled_from(["cut", "drop", "insert", "repeat"]))
        parts = {
            "cut": text[:start],
            "drop": text[:start] + text[min(end, start + 9) :],
            "insert": text[:start] + draw(st.sampled_from(ODD)) + text[start:],
            "repeat": text[:end] + text[start : start + 40] + text[end:],
        }
        text = parts[change]
    return text


@given(document())
def test_a_document_is_the_same_in_pieces_of_any_size(data: bytes) -> None:
    whole = read(data)
    for size in BLOCKS:
        assert read(data, block=size) == whole


@given(document())
def test_a_document_is_read_as_the_standard_library_reads_it(data: bytes) -> None:
    outcome = read(data)
    try:
        value: Any = strict_json.loads(data, repeats_allowed=True)
    except ValueError:
        assert outcome.problems
        return
    assert all("repeated" in each or "in 'queries'" in each for each in outcome.problems)
    if isinstance(value, list):
        assert outcome.values == value
    elif isinstance(value, dict):
        listed = value["queries"] if outcome.head else [value, *value.values()]
        assert all(record in listed for record in outcome.values)


@given(st.lists(st.sampled_from(RECORDS), min_size=1), st.booleans())
def test_places_lead_to_what_is_there(records: list[Any], spaced: bool) -> None:
    text = json.dumps(records, indent=1 if spaced else None, ensure_ascii=False)
    lines = text.split("\n")
    for size in BLOCKS:
        for record in read(text, block=size).records:
            for way in pointers(record.value):
                line, column = record.places[way]
                value: Any = record.value
                for step in way:
                    value = value[step]
                rest = "\n".join([lines[line - 1][column - 1 :], *lines[line:]])
                assert json.JSONDecoder().raw_decode(rest)[0] == value


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('[{"id": "a"} {"id": "b"}, NaN]', "1:14", "',' or ']' is missing here"),
        ('[{"id": "a"},\n {"id": "b"},]', "2:14", "a trailing comma before ']'"),
        ('[{"id": "a"},, {"id": "b"}]', "1:14", "invalid JSON"),
        ('[{"id": "a", {"id": "b"}, nothing]', "1:12", "the record is not closed"),
        ('[{"id": "a"}, {"id": NaN}, {"id": "b",}]', "1:22", "NaN is not JSON"),
        ('{"q1": [["a"]], "q2" [["b"]]}', "1:22", "':' is missing here"),
        ('{"q1": [["a"]], q2: [["b"]]}', "1:17", "invalid JSON"),
        ('[{"id": "a"}] []', "1:15", "a second document"),
        ('[{"id": "a"}, {"id": "\\ud800"}]', "1:23", "a lone surrogate"),
        ('[{"id": "a"}, {"id": 1e999}]', "1:22", "a number out of range"),
        (f'[{{"id": "a"}}, {{"id": {"9" * 5000}}}]', "1:22", "a number out of range"),
        (f'[{{"id": "a"}}, {{"id": {"[" * 100_000}}}]', "1:84", "nested deeper than 64 levels"),
        (f'[{{"id": "a"}}, {{"id": {"[" * 300}1{"]" * 300}}}]', "1:85", "nested deeper"),
    ],
)  # fmt: skip
def test_a_broken_document_names_its_first_fault(text: str, place: str, message: str) -> None:
    (problem,) = read(text, block=7).problems
    assert problem.startswith(f"{place}: ")
    assert message in problem


def test_bytes_that_are_no_utf_8_are_placed_in_characters() -> None:
    text = '[{"id": "é"},\n {"id": "é'.encode() + b'\xff"}]'
    for size in BLOCKS:
        assert read(text, block=size).problems == [
            "2:11: not UTF-8: the byte 0xff; save the file as UTF-8"
        ]


def test_problems_of_records_before_a_fault_are_named(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text('[{"id": "q1", "ground_truth": [[]], "results": ["a"]},\n{"id": "q2",}]')
    with pytest.raises(InputError) as caught:
        evaluate(path)
    assert [problem.line for problem in caught.value.problems] == [1, 2]


def test_no_more_than_a_few_pieces_are_in_memory() -> None:
    records = [{"id": f"q{number}", "results": ["a" * 36] * 100} for number in range(1000)]
    source = MemorySource("data.json", json.dumps(records).encode())
    batches = list(JsonDocument(source).batches(Reading()))
    texts = [len(batch.excerpt.text) for batch in batches if isinstance(batch, DocumentBatch)]
    assert sum(len(batch.values) for batch in batches) == 1000
    assert len(texts) > 10
    assert max(texts) <= 2 * PIECE_BYTES
