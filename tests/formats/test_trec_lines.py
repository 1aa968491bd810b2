"""TREC's lines are read many at a time; each means what it means by itself."""

import io
import math
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, convert, evaluate, read
from groupwise.evaluator.formats import trec
from groupwise.evaluator.formats.mapping.long_form import LongRecords, Row
from groupwise.evaluator.formats.trec import QRELS, RUN
from groupwise.evaluator.formats.trec_lines import LineShape, read_queries, read_rows
from groupwise.evaluator.reading import lines
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import Source
from tests.strategies import FEWER

SCORES = ["1", "2.5", "-3", "1e3", "0", ".5", "007", "9007199254740993", "1_0", "nan", "inf", "x"]
CELLS = st.sampled_from(["q1", "q2", "Q0", "dé", "d\u00a0e", "d\x1ce", "\ufeffa", "0", "1"])
SPACES = st.sampled_from([" ", "\t", "  ", " \t ", "\x0b", "\r"])
COMMENTS = ["#\n", "# 0 d 1\n", " #q Q0 d 1 2 t\n", "#q 0 d 1\n", "# see page 4\n#\n"]
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", "\n\n", "\n \n"])


@st.composite
def texts(draw: st.DrawFn, shape: LineShape) -> bytes:
    """Lines that mostly have the right columns."""
    text = ""
    for _ in range(draw(st.integers(0, 8))):
        cells = [draw(CELLS) for _ in shape.names]
        cells[shape.number] = draw(st.sampled_from(SCORES[:8]) | st.sampled_from(SCORES))
        cells = cells[: draw(st.sampled_from([9, 9, 9, 9, 3]))]
        cells += draw(st.sampled_from([[], [], [], [], ["more"], ["\0"], ["a", "#b"]]))
        text += draw(SPACES).join(cells) + draw(ENDS)
        text += draw(st.sampled_from(["", "", "", *COMMENTS]))
    return (text if draw(st.booleans()) else text.rstrip("\n")).encode()


def one_by_one(text: bytes, shape: LineShape) -> tuple[list[Any], list[int]]:
    """What the lines say, and the numbers of those that are wrong."""
    rows: list[Any] = []
    wrong = []
    for number, line in enumerate(text.split(b"\n"), 1):
        cells = [cell.decode() for cell in line.split()]
        if not cells or cells[0][0] == "#":
            continue
        more = len(cells) - len(shape.names)
        has_columns = more == 0 or (more > 0 and shape.names[-1] == "tag")
        try:
            value = float(cells[shape.number]) if has_columns else math.nan
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


@pytest.mark.parametrize("shape", [QRELS, RUN], ids=["qrels", "run"])
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
            list(records.batches(Reading()))
    assert looked.call_count == 1


COMMENTED = """\
# a comment
q1 0 a#1 1
  # another, indented
# see page 4
q1 0 b 0
#q1 0 c 1
q2 0 #d 1
"""


def test_lines_that_begin_with_a_number_sign_are_comments(tmp_path: Path) -> None:
    """In trec_eval 10 too; a number sign elsewhere is a character of an id."""
    path = tmp_path / "judged"
    path.write_text(COMMENTED)
    first, second = read(path, role="ground_truth", flat="any")
    assert first.judged_ids() == ["a#1", "b"]
    assert second.judged_ids() == ["#d"]


@pytest.mark.parametrize("comments", [1, 30, 3000])
def test_a_file_is_detected_behind_its_comments(comments: int, tmp_path: Path) -> None:
    run, qrels = tmp_path / "run", tmp_path / "qrels"
    run.write_text("# of a system\n" * comments + "q Q0 a 1 2.5 tag and more\n")
    qrels.write_text("# 4 words and 1\n" * comments + "q 0 a 1\n")
    report = evaluate(qrels, run, profile="trec", metrics="map")
    assert (report.scores["map"], report.counts.queries) == (1.0, 1)


def test_words_after_the_tag_of_a_run_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("q Q0 b 1 2 tag reserved for future\nq Q0 a 2 3 tag # too\n")
    (query,) = read(path, role="run")
    assert (query.ids(), query.given_scores()) == (["a", "b"], [3.0, 2.0])


def test_a_query_whose_line_would_be_a_comment_is_not_written(tmp_path: Path) -> None:
    data = tmp_path / "a.json"
    data.write_text('{"#1": [["a"]]}')
    with pytest.raises(InputError, match="begins with #, which begins TREC's comments"):
        convert(data, tmp_path / "a.qrels", lossy=True)
    assert not (tmp_path / "a.qrels").exists()
