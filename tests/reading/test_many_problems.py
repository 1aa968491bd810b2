"""Problems of the text beyond those that are described: counted the same, and at little cost."""

import json
from collections import Counter
from pathlib import Path
from typing import Any
from unittest import mock

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groupwise import InputError, evaluate, inspect, validate
from groupwise.evaluator import errors
from groupwise.evaluator.reading import jsonl, recovery
from groupwise.evaluator.reading.diagnosis import explain
from groupwise.evaluator.reading.duplicate_keys import (
    REPEATED_KEY,
    count_repeated_keys,
    find_repeated_keys,
    report_repeated_keys,
)
from groupwise.evaluator.reading.hopeless import are_certain, drop_hopeless, is_certain
from groupwise.evaluator.reading.json import JsonDocument
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.scan import end_of_value, is_json
from groupwise.evaluator.reading.source import MemorySource
from tests.formats.reading import blocks_of, file_of
from tests.strategies import FEWER

GOOD = '{"id": "%s", "ground_truth": [["a"]], "results": ["a"]}'
PIECES = st.sampled_from(
    [*'{}[]",:-01e.tfn ', "NaN", "Infinity", "-inf", "1e999", "9" * 400, "true", "null", "a", "//",
     "é", "\x00", "\\", '"id": ', '["a"]', "[" * 70, "'", "\t", "\ud7ff", GOOD % "q"]
)  # fmt: skip
LINES = st.one_of(
    st.lists(PIECES, min_size=1, max_size=6).map("".join).map(str.encode),
    st.binary(min_size=1, max_size=12).map(lambda line: line.replace(b"\n", b"")),
)


@given(LINES)
@example(b'{"a": NaN')
@example(b"[1e999")
@example(b"x" + b"[" * 70)
def test_a_hopeless_line_is_no_json_and_breaks_that_rule(line: bytes) -> None:
    if not line.strip():
        return
    left, dropped = drop_hopeless([(1, line)])
    assert len(left) + dropped == 1
    if dropped:
        with pytest.raises(orjson.JSONDecodeError) as caught:
            orjson.loads(line)
        assert explain(line, caught.value).code == "IO001"


@given(st.lists(LINES.filter(bytes.strip), max_size=8))
def test_lines_are_dropped_together_as_alone(lines: list[bytes]) -> None:
    left, dropped = drop_hopeless([*enumerate(lines)])
    alone = [drop_hopeless([pair]) for pair in enumerate(lines)]
    assert left == [pair for kept, _ in alone for pair in kept]
    assert dropped == sum(count for _, count in alone)


@given(LINES)
@example(b'{"id": "5e1", "a": [9e')
@example(b'"5e1\\" 1e999')
@example("[\u0131nf\u0131n\u0131ty".encode())
@example(b"[INFINITY")
def test_where_it_is_certain_no_other_rule_is_broken(text: bytes) -> None:
    if is_certain(text) and not is_json(text):
        with pytest.raises(orjson.JSONDecodeError) as caught:
            orjson.loads(text)
        assert explain(text, caught.value).code == "IO001"


@given(st.lists(LINES, max_size=6))
def test_of_texts_together_it_is_certain_only_if_it_is_of_each(texts: list[bytes]) -> None:
    assert not are_certain(texts) or all(map(is_certain, texts))


KEYS = st.sampled_from(['"a"', '"b"', r'"\u0061"', '"\\""', '":"', '"é"'])
VALUES = st.recursive(
    st.sampled_from(["1", "1e400000", '"a\\": b"', "null", "-0.5"]).filter("1e400000".__ne__),
    lambda values: st.one_of(
        st.lists(values, max_size=3).map(lambda each: f"[{', '.join(each)}]"),
        st.lists(st.tuples(KEYS, values).map(": ".join), max_size=4).map(
            lambda each: f"{{{', '.join(each)}}}"
        ),
    ),
)


@given(VALUES)
@example('{"a":' * 1000 + '{"b": 1, "b": 2}' + "}" * 1000)
def test_repeated_keys_are_counted_as_they_are_found(text: str) -> None:
    assert count_repeated_keys(text.encode()) == len(find_repeated_keys(text.encode()))


def describe_repeated(key: str, first: int, later: int) -> errors.Problem:
    return errors.Problem(f"{key} at {first} and {later}", code=REPEATED_KEY)


@given(VALUES, st.integers(0, 4))
@example('{"a": 1, "a": 2, "a": 3, "b": 4, "b": 5}', 2)
def test_repeated_keys_are_described_up_to_the_limit_and_counted_beyond(
    text: str, most: int
) -> None:
    described: list[errors.Problem] = []
    reading = Reading(lambda _code: len(described) >= most, described)
    report_repeated_keys(text.encode(), reading, describe_repeated)
    expected = [describe_repeated(*found) for found in find_repeated_keys(text.encode())]
    assert reading.problems == expected[:most]
    assert reading.counts[REPEATED_KEY] == len(expected[most:])
    assert reading.described[REPEATED_KEY] == len(expected[:most])


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_one_object_that_repeats_a_key_is_not_described_beyond_the_limit(suffix: str) -> None:
    repeated = ", ".join(['"a": 1'] * 50)
    text = (GOOD % "q").removesuffix("}") + f', "metadata": {{{repeated}}}}}'
    with (
        file_of(text, suffix) as path,
        mock.patch.object(errors, "KEPT_PROBLEMS", 3),
        mock.patch.object(errors.Problem, "__new__", wraps=errors.Problem.__new__) as made,
        pytest.raises(InputError) as caught,
    ):
        evaluate(path, k=1)
    assert (len(caught.value.problems), caught.value.count) == (3, 49)
    assert made.call_count < 30


REPEATED = '{"id": "%s", "id": "%s", "ground_truth": [["a"]], "results": ["a"]}'
RECORDS = st.lists(
    st.one_of(
        st.sampled_from([GOOD % "x", GOOD % "y", REPEATED % ("p", "q"), "a", "{", "[1", "NaN", ""]),
        LINES.map(lambda line: line.decode("utf-8", "surrogateescape")),
    ),
    min_size=1,
    max_size=12,
)


def outcome_of(path: Path, kept: int) -> tuple[Any, ...]:
    try:
        report = evaluate(path, k=1).model_dump_json()
    except InputError as error:
        return error.count, error.problems[:kept]
    return (report,)


@FEWER
@given(RECORDS, st.sampled_from([0, 1, 3]), st.sampled_from([".json", ".jsonl"]))
def test_what_is_counted_is_what_would_be_kept(lines: list[str], kept: int, suffix: str) -> None:
    text = ",\n".join(lines) if suffix == ".json" else "\n".join(lines)
    data = (f"[{text}]" if suffix == ".json" else text).encode("utf-8", "surrogateescape")
    with file_of(data, suffix) as path, mock.patch.object(jsonl, "SOME_LINES", 2):
        with mock.patch.object(errors, "KEPT_PROBLEMS", kept):
            quick = outcome_of(path, kept)
        with mock.patch.object(Reading, "limited", side_effect=lambda *_: Reading()):
            careful = outcome_of(path, kept)
        few, many = validate(path, max_findings=kept), validate(path)
    assert quick == careful
    assert few.counts == many.counts
    assert Counter(each.code for each in few.findings) == {
        code: min(kept, count)
        for code, count in Counter(each.code for each in many.findings).items()
        if kept
    }


UNCLOSED = st.one_of(
    st.sampled_from(
        ['{"id": "q", "ground_truth": [["a"], ', '{"id": "q", "ground_truth": [["a"] ']
    ),
    st.sampled_from([GOOD % "x", '{"id": "q", "results": [', '{"id": 7, "ground_truth": [', "[[["]),
    PIECES.map('{"id": "q", "ground_truth": [["a"], %s'.__mod__),
)


def read_all(data: bytes, reading: Reading) -> tuple[Counter[str], list[Any]]:
    """Return how many problems of each code there are, and all records with their places."""
    found: list[Any] = []
    try:
        for batch in JsonDocument(MemorySource("a.json", data)).batches(reading):
            rows = range(len(batch.values))
            found += [(batch.values[row], batch.root(row), batch.place(row, ())) for row in rows]
    except InputError as error:
        found.append(error.count)
    described = Counter(problem.code for problem in reading.problems)
    return +(reading.counts + described), found


@given(
    st.lists(UNCLOSED, min_size=1, max_size=30),
    st.sampled_from([",", ", ", "\n"]),
    st.sampled_from([20, 100, 1 << 17]),
    st.booleans(),
)
def test_records_that_are_not_closed_are_counted_as_they_are_described(
    records: list[str], between: str, size: int, in_map: bool
) -> None:
    keyed = (f'"k{number}": {record}' for number, record in enumerate(records))
    text = "{" + between.join(keyed) if in_map else "[" + between.join(records)
    data = text.encode("utf-8", "surrogateescape")
    with mock.patch.object(recovery, "FAR", 0), blocks_of(size):
        counted = read_all(data, Reading(lambda _code: True))
        described = read_all(data, Reading())
    assert counted == described


@pytest.mark.parametrize("line", [b"a", b"//", b"{", b"", b"]", b'"'])
def test_of_many_broken_lines_the_described_ones_are_parsed(line: bytes, tmp_path: Path) -> None:
    path, calls = tmp_path / "broken.jsonl", []
    for number in (3_000, 9_000):
        path.write_bytes((GOOD % "q").encode() + b"\n" + number * (line + b"\n"))
        with mock.patch.object(jsonl, "explain", side_effect=explain) as explained:
            assert validate(path, max_findings=300).counts.error == (number if line else 0)
        calls.append(explained.call_count)
    assert calls[0] == calls[1]


@pytest.mark.parametrize("text", ['{"a": [["b"], , {"a": 1}', '[["a"], ', "nul", ""])
def test_a_value_that_is_missing_is_placed(text: str) -> None:
    """Reading goes on behind a fault only if it is known where that is."""
    with pytest.raises(json.JSONDecodeError) as caught:
        end_of_value(text, 0)
    with pytest.raises(json.JSONDecodeError) as expected:
        json.JSONDecoder().raw_decode(text)
    assert caught.value.pos == expected.value.pos


@pytest.mark.parametrize("in_map", [False, True])
def test_records_that_are_not_closed_are_parsed_a_few_times(in_map: bool, tmp_path: Path) -> None:
    text = "{" + '"k": {"id": ["q"], ' * 3_000 if in_map else "[" + '{"id": [["q"], ' * 3_000
    (tmp_path / "broken.json").write_text(text)
    with mock.patch.object(recovery, "end_of_value", side_effect=end_of_value) as parsed:
        counts = validate(tmp_path / "broken.json").counts
    assert counts.error >= 1
    assert parsed.call_count < 300


def test_repeats_of_query_ids_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "repeated.jsonl"
    path.write_text("\n".join(GOOD % f"q{number % 7}" for number in range(50)))
    with mock.patch.object(errors, "KEPT_PROBLEMS", 5), pytest.raises(InputError) as caught:
        evaluate(path, k=1)
    assert (caught.value.count, len(caught.value.problems)) == (43, 5)
    assert json.dumps(caught.value.problems[0].message) == (
        '"the query id is repeated (first at line 1)"'
    )


def test_an_inspection_counts_all_broken_lines(tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(GOOD % "q" + "\n" + 1_200 * "a\n")
    assert any("1,200 problems of the text" in note for note in inspect(path).notes)
