"""TREC's lines are read many at a time; each means what it means by itself."""

import io
import math
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, evaluate, read
from groupwise.evaluator.formats import trec
from groupwise.evaluator.formats.mapping.long_form import LongRecords, Row
from groupwise.evaluator.formats.trec import QRELS, RUN
from groupwise.evaluator.formats.trec_lines import LineShape, read_queries, read_rows
from groupwise.evaluator.reading import lines
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.source import Source
from tests.strategies import FEWER

SCORES = ["1", "2.5", "-3", "1e3", "0", ".5", "007", "9007199254740993", "1_0", "nan", "inf", "x"]
CELLS = st.sampled_from(["q1", "q2", "Q0", "dé", "d\u00a0e", "d\x1ce", "\ufeffa", "0", "1"])
SPACES = st.sampled_from([" ", "\t", "  ", " \t ", "\x0b", "\r"])
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", "\n\n", "\n \n"])


@st.composite
def texts(draw: st.DrawFn, shape: LineShape) -> bytes:
    """Lines that mostly have the right columns."""
    text = ""
    for _ in range(draw(st.integers(0, 8))):
        cells = [draw(CELLS) for _ in shape.names]
        cells[shape.number] = draw(st.sampled_from(SCORES[:8]) | st.sampled_from(SCORES))
        cells = cells[: draw(st.sampled_from([9, 9, 9, 9, 3]))]
        cells += draw(st.sampled_from([[], [], [], [], ["more"], ["\0"]]))
        text += draw(SPACES).join(cells) + draw(ENDS)
    return (text if draw(st.booleans()) else text.rstrip("\n")).encode()


def one_by_one(text: bytes, shape: LineShape) -> tuple[list[Any], list[int]]:
    """What the lines say, and the numbers of those that are wrong."""
    rows: list[Any] = []
    wrong = []
    for number, line in enumerate(text.split(b"\n"), 1):
        cells = [cell.decode() for cell in line.split()]
        if not cells:
            continue
        try:
            value = float(cells[shape.number]) if len(cells) == len(shape.names) else math.nan
        except ValueError:
            value = math.nan
        if math.isfinite(value):
            query, *others = [cells[place] for place in shape.texts]
            exact = int(cells[shape.number]) if cells[shape.number].isdigit() else value
            rows.append((query, number, *others, exact))
        else:
            wrong.append(number)
    return rows, wrong


def line_by_line(rows: list[Row]) -> list[Any]:
    """Each line of rows that stand for several; only the first one of them has its number."""
    return [
        (query, line if not place else None, *cells)
        for query, line, *columns in rows
        for place, cells in enumerate(zip(*columns, strict=True))
    ]


@pytest.mark.parametrize(
    "shape", [QRELS, RUN, replace(RUN, walk=None)], ids=["qrels", "run", "run-in-python"]
)
def test_lines_mean_the_same_in_blocks_of_any_size(shape: LineShape) -> None:
    @given(texts(shape), st.sampled_from([1, 7, 40, 1 << 18]))
    @FEWER
    def mean_the_same(text: bytes, size: int) -> None:
        told: list[int] = []
        with mock.patch.object(lines, "BLOCK_BYTES", size):
            stream, tell = io.BytesIO(text), lambda _message, line: told.append(line)
            blocks = [*read_rows(stream, "x", tell, shape=shape)]
            queries = [*read_queries(io.BytesIO(text), "x")]
        found = [row for block in blocks for row in block]
        expected, wrong = one_by_one(text, shape)
        assert told == wrong
        if shape is not QRELS:
            found = line_by_line(found)
            pairs = list(zip(found, expected, strict=True))
            assert all(one[1] in (None, other[1]) for one, other in pairs)
            found = [(query, line, *cells) for (query, _, *cells), (_, line, *_) in pairs]
        assert found == expected
        assert {query.encode() for query, *_ in expected} <= {*queries}

    mean_the_same()


def test_what_is_not_utf8_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(b"q Q0 a 1 2 t\n" * 5 + b"q Q0 \xff 1 1 t\n")
    with pytest.raises(InputError) as error:
        read(path)
    (problem,) = error.value.problems
    assert (problem.line, problem.message) == (
        6,
        "not UTF-8: the byte 0xff; save the file as UTF-8",
    )


@pytest.mark.parametrize("again", [False, True])
def test_a_large_run_is_the_same_whether_queries_stand_together_or_not(
    again: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groupwise.evaluator.formats.mapping.long_form.LARGE_BYTES", 100)
    monkeypatch.setattr(lines, "BLOCK_BYTES", 64)
    rows = [f"q{query} Q0 d{rank} {rank} {9 - rank} t" for query in range(9) for rank in (1, 2, 3)]
    rows.sort(key=lambda line: line.split()[3] if again else line.split()[0])
    run = tmp_path / "a.run"
    run.write_text("\n".join(rows))
    truth = {f"q{query}": [["d2"], ["d9"]] for query in range(9)}
    assert evaluate(truth, run, metrics="mrr").scores == {"mrr": 0.25}


def test_a_reading_that_is_given_up_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groupwise.evaluator.formats.mapping.long_form.LARGE_BYTES", 10)
    path = tmp_path / "a.csv"
    path.write_text("query_id,rank,id\n" + "".join(f"q{n},1,a\n" for n in range(2000)))
    with mock.patch("sys.unraisablehook") as hook:
        assert len(read(path).queries) == 2000
    assert hook.mock_calls == []


def test_a_file_is_looked_through_once_however_often_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groupwise.evaluator.formats.mapping.long_form.LARGE_BYTES", 10)
    path = tmp_path / "a.run"
    path.write_text("q Q0 a 1 2 t\n" * 5)
    with mock.patch.object(trec, "read_queries", side_effect=read_queries) as looked:
        records = trec._read_run(Source(path), Options())
        assert isinstance(records, LongRecords)
        for _ in range(3):
            list(records.batches(mock.Mock()))
    assert looked.call_count == 1
