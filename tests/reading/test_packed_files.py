"""Packed rankings change nothing: reports, findings and errors are those of parsed records."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, evaluate, validate
from groupwise.evaluator.native.loader import COMPILED
from groupwise.evaluator.reading import json as documents
from groupwise.evaluator.reading import jsonl, packing

pytestmark = pytest.mark.skipif(not COMPILED, reason="the compiled part was not built")

NAMES = ["recall@2", "ndcg@5", "trec:map", "mrr"]
ODD: list[dict[str, Any]] = [
    {"results": []},
    {"results": ["a", "a"]},
    {"results": ["a", " b", "c "]},
    {"results": ["é", "a"]},
    {"results": ['"', "\\", "a"]},
    {"results": [1, 2]},
    {"results": ["a", 1]},
    {"results": ["a", ""]},
    {"results": ["a", None]},
    {"results": None},
    {"results": "a"},
    {"results": [{"id": "a", "score": 1.5}]},
    {"results": ["x", "a"], "scores": [1.0, 2.0]},
    {"ground_truth": []},
    {"ground_truth": ["a", "b"]},
    {"ground_truth": [["a", "a"]]},
    {"ground_truth": [["A"]], "results": ["a"]},
    {"ground_truth": [[1]]},
    {"ground_truth": [[{"id": "a", "grade": 2}]]},
    {"id": "same"},
    {"id": 7},
    {"query": 'what\n"results":["a"]?'},
    {"metadata": {"results": ["a"]}},
    {"metadata": {"language": "en"}},
    {"surprise": 1},
]
LINES = [
    "",
    "{",
    '{"id":"b1","ground_truth":[["a"]],"results":["a"],"results":["b"]}',
    "[1]",
    "null",
]


def good(number: int) -> dict[str, Any]:
    """A plain record with long ids."""
    draw = random.Random(number)  # noqa: S311
    ids = [f"document-{draw.randrange(10**20):020}" for _ in range(draw.randrange(1, 9))]
    return {"id": f"q{number}", "ground_truth": [ids[:1], ["other"]], "results": ids}


def mixed(name: str) -> list[dict[str, Any] | str]:
    """Good records with a few others among them."""
    draw = random.Random(name)  # noqa: S311
    found: list[dict[str, Any] | str] = []
    for number in range(60):
        record: dict[str, Any] | str = good(number)
        if draw.random() < 0.1:
            odd: list[Any] = [*({**good(number), **odd} for odd in ODD), *LINES]
            record = draw.choice(odd)
        found.append(record)
    return found


def write_lines(path: Path, records: list[Any], ends: str = "\n") -> Path:
    lines = [one if type(one) is str else json.dumps(one) for one in records]
    path.write_bytes(ends.join([*lines, ""]).encode())
    return path


def write_array(path: Path, records: list[Any], indent: int | None = None) -> Path:
    parts = [one if type(one) is str else json.dumps(one, indent=indent) for one in records]
    path.write_text(f"[{', '.join(parts)}]")
    return path


def observe(path: Path) -> list[Any]:
    """Everything that is said about a file."""
    found: list[Any] = []
    for work in (
        lambda: evaluate(path, metrics=NAMES).to_json(),
        lambda: evaluate(path, metrics=NAMES, by="groups", ties="report").to_json(),
        lambda: [str(finding) for finding in validate(path).findings],
    ):
        try:
            found.append(work())
        except InputError as error:
            found.append(str(error))
    return found


@pytest.fixture(params=[200, 1000, 1 << 19])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The size of a block, in bytes; patience is without end, so that many are packed."""
    for module in (jsonl, documents):
        monkeypatch.setattr(module, "PACKED_BYTES", request.param)
    monkeypatch.setattr(packing, "PATIENCE", 1000)
    size: int = request.param
    return size


def compare(path: Path, monkeypatch: pytest.MonkeyPatch, packs: list[Any]) -> None:
    found, packed = observe(path), len(packs)
    with monkeypatch.context() as patch:
        patch.setattr(packing.Packer, "_pack_field", lambda *_given: None)
        patch.setattr(packing, "sort_lines", lambda *_given, **_options: None)
        assert observe(path) == found
    assert len(packs) == packed, "something was packed though nothing should be"


@pytest.fixture
def packs(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every batch that is packed from now on."""
    made: list[Any] = []
    build = packing.Packer.build_batch

    def note(*given: Any) -> Any:
        made.append(build(*given))
        return made[-1]

    monkeypatch.setattr(packing.Packer, "build_batch", note)
    return made


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize("odd", [*ODD, *LINES], ids=str)
def test_one_odd_record_among_good_ones(
    odd: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packs: list[Any]
) -> None:
    records: list[Any] = [good(number) for number in range(30)]
    records[17] = odd if type(odd) is str else {**good(17), **odd}
    compare(write_lines(tmp_path / "r.jsonl", records), monkeypatch, packs)
    compare(write_array(tmp_path / "r.json", records), monkeypatch, packs)


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize("seed", range(6))
def test_files_of_all_sorts(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packs: list[Any]
) -> None:
    records = mixed(f"seed {seed}")
    compare(write_lines(tmp_path / "r.jsonl", records), monkeypatch, packs)
    compare(write_lines(tmp_path / "crlf.jsonl", records, "\r\n"), monkeypatch, packs)
    compare(write_array(tmp_path / "r.json", records), monkeypatch, packs)
    compare(write_array(tmp_path / "indented.json", records, 1), monkeypatch, packs)
    path = tmp_path / "r.jsonl.gz"
    path.write_bytes(gzip.compress((tmp_path / "r.jsonl").read_bytes()))
    compare(path, monkeypatch, packs)


def test_a_good_file_is_packed_in_every_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packs: list[Any]
) -> None:
    records = [good(number) for number in range(9000)]
    for path in (
        write_lines(tmp_path / "r.jsonl", records),
        write_lines(tmp_path / "crlf.jsonl", records, "\r\n"),
        write_array(tmp_path / "r.json", records),
        write_array(tmp_path / "indented.json", records, 1),
    ):
        packs.clear()
        compare(path, monkeypatch, packs)
        assert len(packs) > 3
        # Validation asks where the first record is in its document.
        assert sum("whole" in vars(batch) for batch in packs) <= 1


def test_places_in_packed_blocks_are_those_in_the_file(tmp_path: Path) -> None:
    records = [good(number) for number in range(3000)]
    records[2000]["ground_truth"] = [[records[2000]["results"][0], 5]]
    path = write_lines(tmp_path / "r.jsonl", records)
    with pytest.raises(InputError, match=":2001:"):
        evaluate(path)
    array = tmp_path / "r.json"
    array.write_text("[\n" + ",\n".join(map(json.dumps, records)) + "\n]")
    with pytest.raises(InputError, match=":2002:"):
        evaluate(array)
