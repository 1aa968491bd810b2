"""Bytes of any kind give the records that are there, or an error of ours, never anything else."""

import gzip
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from groupwise import GroupwiseError, evaluate
from tests.formats import strict_json
from tests.formats.reading import BLOCKS, file_of, read

RECORD = {"id": "q1", "ground_truth": [["a", "é"], ["c"]], "results": ["a", {"id": "x"}]}
OTHER = {"id": "q2", "ground_truth": [{"a": 3, "b": 0}], "results": [], "expected": {"map": 0.5}}
DOCUMENTS: list[Any] = [
    [RECORD, OTHER],
    {"q1": [["a"], ["b"]], "q2": [["c"]]},
    {"name": "n", "queries": [RECORD, OTHER], "metrics": ["map"], "expected": {"map": 1}},
    RECORD,
]
TEXTS = [json.dumps(document, indent=indent) for document in DOCUMENTS for indent in (None, 1)]
LINES = "\n".join(map(json.dumps, (RECORD, OTHER, RECORD | {"id": "q3"})))
PIECES = [
    *(b"[", b"]", b"{", b"}", b",", b":", b'"', b"\\", b" ", b"\n", b"\x00", b"\xff", b"\xc3"),
    *(b"null", b"NaN", b"-Infinity", b"1e999", b"01", b"0.5", b"'", b"//", b'"id": 1', b"9" * 30),
    *(b'"\\ud800"', b'"queries": [', b'"a": 1', b"\xef\xbb\xbf", b"\xed\xa0\x80", b"[" * 70),
]
MARK = b"\xef\xbb\xbf"


@st.composite
def mutated(draw: st.DrawFn, texts: list[str]) -> bytes:
    """A sound document with a few cuts, insertions, doublings and swaps in it."""
    data = draw(st.sampled_from(texts)).encode()
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + draw(st.integers(0, 12)))))
        middle = draw(st.sampled_from([b"", data[start:end] * 2, *PIECES]))
        data = data[:start] + middle + data[end:]
    return data


def well_formed(data: bytes) -> tuple[bool, Any]:
    try:
        return True, strict_json.loads(data)
    except (ValueError, RecursionError):
        return False, None


def whole(document: Any) -> list[Any]:
    """The records of a document, however it holds them."""
    if isinstance(document, dict) and isinstance(document.get("queries"), list):
        return list(document["queries"])
    return document if isinstance(document, list) else [document]


@given(data=mutated(TEXTS), block=st.sampled_from(BLOCKS))
def test_a_document_is_read_iff_it_is_well_formed(data: bytes, block: int) -> None:
    assume(data.strip() and not data.startswith(MARK))
    sound, document = well_formed(data)
    outcome = read(data, block=block)
    if not sound:
        assert outcome.problems
    elif not outcome.problems:
        by_key = outcome.by_key if outcome.records and outcome.records[0].key else None
        assert by_key == document or outcome.values == whole(document) or document in ({}, [])


@given(data=mutated([LINES]), block=st.sampled_from(BLOCKS))
def test_lines_are_read_iff_each_is_well_formed(data: bytes, block: int) -> None:
    assume(data.strip() and not data.startswith(MARK))
    lines = [line for line in data.split(b"\n") if line.strip()]
    judged = [well_formed(line) for line in lines]
    outcome = read(data, ".jsonl", block=block)
    if all(sound for sound, _ in judged):
        assert (outcome.values, outcome.problems) == ([value for _, value in judged], [])
    else:
        assert outcome.problems


@pytest.mark.parametrize("suffix", [".json", ".jsonl", "", ".json.gz"])
@given(data=mutated([*TEXTS, LINES]) | st.binary(max_size=60))
def test_evaluating_any_bytes_ends_in_a_report_or_an_error_of_ours(
    data: bytes, suffix: str
) -> None:
    with file_of(data, suffix) as path, suppress(GroupwiseError):
        evaluate(path)


@given(data=mutated([gzip.compress(text.encode(), mtime=0).hex() for text in TEXTS[:2]]))
def test_damaged_gzip_ends_in_a_report_or_an_error_of_ours(data: bytes) -> None:
    digits = bytes(one for one in data if one in b"0123456789abcdef")
    raw = bytes.fromhex(digits[: len(digits) // 2 * 2].decode())
    with file_of(raw, ".json.gz") as path, suppress(GroupwiseError):
        evaluate(path)


@given(left=mutated(TEXTS), right=mutated([*TEXTS, LINES]))
def test_a_pair_of_any_two_files_ends_in_a_report_or_an_error_of_ours(
    left: bytes, right: bytes
) -> None:
    with file_of(left) as truth, file_of(right) as run, suppress(GroupwiseError):
        evaluate(truth, run)
