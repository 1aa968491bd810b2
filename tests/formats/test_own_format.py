"""A format of one's own: read, detected, written and named like the built-in ones."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from groupwise import Dataset, File, Format, InputError, LossyConversion, add_format, convert, read
from groupwise.evaluator.errors import ExtensionError

pytestmark = pytest.mark.usefixtures("nothing_added")


def parse(stream: BinaryIO) -> Iterator[dict[str, Any]]:
    for line in stream:
        query, *ids = line.decode().split()
        if not ids:
            raise ValueError(f"no ids for {query!r}")
        yield {"id": query, "ground_truth": [ids]}


def write(records: Iterable[Any], path: str) -> None:
    Path(path).write_text("".join(f"{one['id']} {one['ground_truth'][0][0]}\n" for one in records))


@pytest.fixture
def words() -> Format:
    return add_format(Format("words", parse=parse, write=write, suffixes=(".words",)))


@pytest.mark.usefixtures("words")
def test_it_is_detected_by_its_suffix_or_named(tmp_path: Path) -> None:
    path = tmp_path / "a.words"
    path.write_text("q1 a b\nq2 c\n" + "".join(f"r{n} x\n" for n in range(600)))
    found = read(path)
    assert isinstance(found, Dataset)
    assert len(found) == 602
    assert found.queries[0].ground_truth.truth() == [["a", "b"]]
    other = path.rename(tmp_path / "a.txt")
    assert len(read(File(other, format="words"), role="ground_truth")) == 602


@pytest.mark.usefixtures("words")
def test_what_the_parser_raises_is_a_problem_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.words"
    path.write_text("q1 a\nq2\n")
    with pytest.raises(InputError, match=r"a\.words:2: no ids for 'q2'"):
        read(path)


@pytest.mark.usefixtures("words")
def test_it_is_written_and_loses_what_it_does_not_carry(tmp_path: Path) -> None:
    source, target = tmp_path / "a.jsonl", tmp_path / "b.words"
    source.write_text('{"id": "q", "ground_truth": [["a"]], "query": "why?"}\n')
    with pytest.raises(LossyConversion, match="the text of queries"):
        convert(source, target)
    assert convert(source, target, lossy=True).target == "words"
    assert target.read_text() == "q a\n"


def test_it_recognises_files_before_the_built_in_ones(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text("q1 0 a 1\n")
    with pytest.raises(InputError, match="any"):
        read(path)
    add_format(Format("mine", parse=parse, recognises=lambda sample: sample.start[:2] == b"q1"))
    found = read(path, role="ground_truth")
    assert found.queries[0].ground_truth.truth() == [["0", "a", "1"]]


def test_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(ExtensionError, match="built-in format 'json'"):
        add_format(Format("json", parse=parse))


def test_a_format_needs_one_reader() -> None:
    with pytest.raises(TypeError, match="either read or parse"):
        Format("none")
