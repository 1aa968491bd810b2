"""Whatever a file or its name holds: no traceback, no control character, no false command."""

import gzip
import json
import re
import shlex
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, inspect
from groupwise.evaluator.cli import run
from tests.inspection.shapes import groups_in, type_in

UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
ESCAPE = "\x1b]8;;http://example.com\x07click\x1b]8;;\x07\u202egnp.exe"


def write(folder: Path, content: Any, name: str = "golden.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(content), "utf-8")
    return path


def show(path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the command prints to both streams."""
    capsys.readouterr()
    assert run(["inspect", str(path), *words]) in (0, 3)
    printed = capsys.readouterr()
    return printed.out + printed.err


@pytest.mark.parametrize("place", ["key", "question", "id", "wrapper", "file"])
@pytest.mark.parametrize("form", ["table", "json"])
def test_control_characters_never_reach_a_terminal(
    place: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = {part: ESCAPE if part == place else "" for part in ("key", "question", "id")}
    record = {
        f"relevant_doc_ids{odd['key']}": [f"a{odd['id']}", "b"],
        "question": f"Who is it{odd['question']}?",
        f"more{odd['key']}": 1,
    }
    wrapper = f"cases{ESCAPE}" if place == "wrapper" else "cases"
    name = "golden\x1b[31m\u202e.json" if place == "file" else "golden.json"
    path = write(tmp_path, {wrapper: [record, record]}, name)
    shown = show(path, capsys, "--format", form)
    assert not UNSEEN.search(shown)
    assert run(["validate", str(path)]) == 1
    printed = capsys.readouterr()
    assert not UNSEEN.search(printed.out + printed.err)


def test_a_field_that_cannot_be_typed_is_not_proposed(tmp_path: Path) -> None:
    for key in (f"relevant_ids{ESCAPE}", "gold,ids", "expected_ids ", "relevant_ids" * 40):
        found = inspect(write(tmp_path, [{"question": "Who is it?", key: ["a", "b"]}]))
        assert found.proposals == (), key


@pytest.mark.parametrize(
    "key",
    ["relevant docs", "relevant.docs", "relevant'docs", 'gold "ids"', "gold=ids", "$(gold_ids)"],
)
def test_an_odd_name_is_quoted_so_that_the_command_works(key: str, tmp_path: Path) -> None:
    write(tmp_path, [{"question": "Who is it?", key: "a"}, {"question": "What?", key: "b"}])
    (proposal,) = inspect(tmp_path / "golden.json").proposals
    words = shlex.split(proposal.command)
    assert words[:2] == ["groupwise", "validate"]
    done = type_in(
        tmp_path, shlex.join(["groupwise", "convert", "golden.json", "out.jsonl", *words[3:]])
    )
    assert done.code == 0, done.err
    assert groups_in(tmp_path / "out.jsonl") == {"1": [["a"]], "2": [["b"]]}


@pytest.mark.parametrize("name", ["-m.json", "my golden set.json", "it's.json", "a;rm -rf x.json"])
def test_an_odd_file_name_is_quoted_so_that_the_command_works(name: str, tmp_path: Path) -> None:
    write(tmp_path, [{"question": "Who is it?", "gold_id": "a"}], name)
    printed = type_in(tmp_path, shlex.join(["groupwise", "inspect", "--", name, "--"][:4]))
    commands = [line.strip() for line in printed.out.splitlines() if "groupwise validate" in line]
    assert len(commands) == 1
    assert type_in(tmp_path, commands[0]).code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]


@pytest.mark.parametrize(
    "content",
    [
        {"k" * 1_000_000: [{"question": "Who?", "gold_ids": ["a"]}]},
        [{"question": "Who?" * 100_000, "gold_ids": ["a" * 400_000]}],
        [{f"field {number}": number for number in range(50_000)}],
        {f"q{number}": {"question": "Who?", "gold_ids": ["a"]} for number in range(5000)},
        [[[[]]]], [None, 1, "a"], [{}], {}, [], [{"gold_ids": []}], {"a": {"b": {"c": {}}}},
        [{"question": None, "gold_ids": None}], [{"": "", " ": [" "]}], {"": [{"": ""}]},
        [{"gold_ids": [True, None, 1.5]}], [{"question": "Who?", "gold_ids": [["a", 1, None]]}],
        [{"question": "Who?", "*": ["a"], "#": "b", "[]": ["c"], "0": ["d"]}],
        [{"question": "Who?", "gold_ids": [{"id": {"id": {"id": "a"}}}]}],
        {"data": [{"items": [{"q": "Who?", "gold_id": "a"}]}, {"items": 7}, {"items": {"a": 1}}]},
    ],
    ids=lambda content: str(content)[:30],
)  # fmt: skip
def test_odd_content_gives_an_inspection(
    content: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = inspect(write(tmp_path, content))
    assert len(found.to_json()) < 200_000
    assert "a bug" not in show(tmp_path / "golden.json", capsys)


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000, b'{"a":' * 100_000, b"[" * 100 + b"]" * 100, b"{", b'[{"question": "Wh',
        b'[{"question": "Who?", "gold_ids": ["a"]},', b'{"a": NaN}', b'{"a": 1e999}', b'"a"', b"7",
        b'[{"question": "\xff\xfe", "gold_ids": ["a"]}]', b"\x00" * 1000, b"\xff" * 1000,
        b'{"a": "\\ud800"}', b'{"q": 1}\n{"q": \n', b'question,gold_ids\n"', b"a,b\r1,2\r",
        b"PAR1" + b"\x00" * 50 + b"PAR1", b"PARE", b"\x1f\x8b\x08garbage", b"question\tids\n\n",
    ],
    ids=lambda data: repr(data[:24]),
)  # fmt: skip
@pytest.mark.parametrize("suffix", ["json", "jsonl", "csv", "txt", "parquet"])
def test_broken_data_is_refused_or_inspected(
    data: bytes, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"golden.{suffix}"
    path.write_bytes(data)
    assert "a bug" not in show(path, capsys)
    with suppress(InputError):
        inspect(path)


@pytest.mark.parametrize("data", [b'[{"a": ' * 300_000, b'{"a": [' * 300_000, b"[[" * 600_000])
def test_nesting_that_is_cut_off_is_looked_at(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_bytes(data)
    assert inspect(path).proposals == ()


@pytest.mark.parametrize("form", ["table", "json"])
def test_halves_of_surrogate_pairs_are_escaped(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "golden.json"
    record = '{"question\\ud800": "Who\\udfff?", "gold_ids": ["a\\ud800"], "text": "\\ud83d"}'
    path.write_text(f"[{record}]")
    shown = show(path, capsys, "--format", form)
    assert "ud800" in shown
    shown.encode()
    inspect(path).to_json().encode()


def test_a_bomb_is_looked_at_without_being_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    record = b'{"question": "Who is it?", "gold_ids": ["a", "b"]}\n'
    path.write_bytes(gzip.compress(record * 3_000_000, 9))
    found = inspect(path)
    assert not found.whole
    assert [proposal.flat for proposal in found.proposals] == ["any", "all"]


@pytest.mark.parametrize(
    "text",
    ['{"id": "q", "id": "q", "ground_truth": [["a"]]}\n', '{"q": "a", "q": "b", "gold": ["x"]}\n'],
    ids=["of a known format", "of none"],
)
def test_a_repeated_key_is_told(text: str, tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text(text)
    notes = inspect(path).notes
    assert any("1 problem of the text" in note and "is repeated" in note for note in notes)
