"""Only the beginning of a file is looked at, and the inspection says so."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest

from groupwise import Inspection, inspect
from groupwise.evaluator.inspection.beginnings import decode_beginning
from groupwise.evaluator.reading.detection import SAMPLE_BYTES

RECORDS = [
    {"question": f"What is the meaning of number {number}?", "gold_ids": [f"d{number}", "x"]}
    for number in range(20_000)
]
GARBAGE = b"\xff\x00}]garbage" * 100_000


def lines(records: list[Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def table(records: list[Any]) -> bytes:
    rows = [f"{record['question']},{record['gold_ids'][0]}\n" for record in records]
    return "".join(["question,gold_id\n", *rows]).encode()


DOCUMENTS = {
    "golden.jsonl": lines(RECORDS),
    "golden.json": json.dumps(RECORDS).encode(),
    "wrapped.json": json.dumps({"version": 1, "cases": RECORDS}).encode(),
    "by-id.json": json.dumps({f"q{n}": record for n, record in enumerate(RECORDS)}).encode(),
    "golden.csv": table(RECORDS * 2),
    "qrels.txt": "".join(f"q{n} 0 d{n} 1\n" for n in range(100_000)).encode(),
}


def proposals(found: Inspection, name: str) -> list[str]:
    return [proposal.command.replace(found.file, name) for proposal in found.proposals]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_follows_the_beginning_is_not_read(name: str, tmp_path: Path) -> None:
    """The rest of the file is garbage, which no reader would accept."""
    data = DOCUMENTS[name]
    assert len(data) > SAMPLE_BYTES
    path = tmp_path / name
    path.write_bytes(data)
    whole = inspect(path)
    path.write_bytes(data[: SAMPLE_BYTES + 10] + GARBAGE)
    cut = inspect(path)
    assert proposals(cut, name) == proposals(whole, name) != []
    assert (cut.records, cut.fields) == (whole.records, whole.fields)
    assert not cut.whole
    assert not whole.whole


@pytest.mark.parametrize("name", DOCUMENTS)
def test_compressed_data_is_unpacked_no_further(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.gz"
    packed = gzip.compress(DOCUMENTS[name] * 2, 0)
    path.write_bytes(packed[: SAMPLE_BYTES * 3 // 2])
    assert inspect(path).proposals


def test_a_parquet_file_is_read_no_further_than_its_first_rows(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow, an extra, is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow, an extra, is not installed")
    stream = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(RECORDS), stream, row_group_size=2000)
    data = bytearray(stream.getvalue())
    second = parquet.ParquetFile(io.BytesIO(data)).metadata.row_group(1).column(0)
    start = second.dictionary_page_offset or second.data_page_offset
    data[start : start + 2000] = b"\xff" * 2000
    path = tmp_path / "golden.parquet"
    path.write_bytes(data)
    found = inspect(path)
    assert (found.records, found.whole) == (200, False)
    assert [proposal.flat for proposal in found.proposals] == ["any", "all"]


def test_a_short_file_is_seen_whole(tmp_path: Path) -> None:
    path = tmp_path / "golden.jsonl"
    path.write_bytes(lines(RECORDS[:12]))
    found = inspect(path)
    assert (found.records, found.whole) == (12, True)
    path.write_bytes(lines(RECORDS[:1001]))
    assert (inspect(path).records, inspect(path).whole) == (1000, False)


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(lines(RECORDS[:3])))
    monkeypatch.setattr("sys.stdin", stream)
    found = inspect("-")
    assert found.file == "<stdin>"
    assert found.proposals[0].command.startswith("groupwise validate - --map")


def test_every_cut_of_a_document_is_decoded_as_far_as_it_goes() -> None:
    whole = {"cases": [{"q": "a", "ids": [1, 2]}, {"q": 'b"\\', "ids": []}], "n": None}
    text = json.dumps(whole)
    for end in range(1, len(text) + 1):
        found = decode_beginning(text[:end])
        assert is_beginning(found, whole), (end, found)
    assert decode_beginning(text) == whole


def is_beginning(part: Any, whole: Any) -> bool:
    """Whether a value is another one without some of its last entries."""
    if isinstance(whole, dict):
        keys = list(whole)[: len(part)]
        return list(part) == keys and all(is_beginning(part[key], whole[key]) for key in keys)
    if isinstance(whole, list):
        pairs = zip(part, whole, strict=False)
        return len(part) <= len(whole) and all(is_beginning(*pair) for pair in pairs)
    return bool(part == whole)
