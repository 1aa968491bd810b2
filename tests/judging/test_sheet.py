"""Judging sheets: ids survive spreadsheets, and what is wrong is named with its line."""

import csv
import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, Sheet, Suggestion
from groupwise.evaluator.judging.sheet_reader import FilledSheet, SheetRow, read_sheet
from groupwise.evaluator.reading.csv import decode_cell, encode_cell
from groupwise.schemas.judging import COLUMNS

HOSTILE = [
    "=cmd|' /C calc'!A0", "+1", "-1", "@x", "\ttab", "a\nb", "a\r\nb", 'say "hi"', "a,b;c", "'a",
    "nul\0", "\u202eevil", "\x1b[31m", "007", "1e5", "1-2", "MAR1", "true", "NA", "Zürich", "日本",
    "12345678901234567890", " padded ", "##[group]", "::error", '"', "\\", "\U0001d54f", "é", "é",
]  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")
IDS = st.text(min_size=1).filter(lambda text: text.strip() and _is_encodable(text))


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def save(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def problems_of(path: Path) -> list[str]:
    with pytest.raises(InputError) as caught:
        read_sheet(path)
    return [str(problem).removeprefix(f"{path}:") for problem in caught.value.problems]


@given(IDS)
def test_any_id_comes_back_from_a_cell_of_plain_ascii(text: str) -> None:
    cell = encode_cell(text)
    assert decode_cell(cell) == text
    assert cell.isascii()
    assert cell.isprintable()
    assert not cell.startswith(FORMULA)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_hostile_ids_come_back_from_a_file(tmp_path: Path, text: str, ending: str) -> None:
    row = Suggestion(query=text, candidate=text, group=2, why=text, text=text, judge="a")
    path = tmp_path / f"sheet.{ending}"
    Sheet.model_validate([row]).save(path)
    (found,) = read_sheet(path).rows
    assert (found.query, found.candidate, found.group, found.judge) == (text, text, 2, "a")
    for sign in ("\x1b", "\u202e", "\0"):
        assert sign not in path.read_text("utf-8")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_cell_is_a_formula(text: str) -> None:
    sheet = Sheet.model_validate(
        [Suggestion(query=text, candidate=text, why=text, text=text, judge=text)]
    )
    _, cells = csv.reader(io.StringIO(sheet.to_csv()))
    assert len(cells) == len(COLUMNS)
    for cell in cells:
        assert not cell.startswith(FORMULA[:-1]) or cell.lstrip("+-").isdigit()


def test_groups_are_counted_from_1_in_csv_and_from_0_in_json() -> None:
    sheet = Sheet.model_validate([Suggestion(query="q", candidate=7, group=0)])
    assert sheet.to_csv() == "query,candidate,group,why,text,judge,verdict\nq,7,1,,,,\n"
    assert json.loads(sheet.to_jsonl()) == {
        "query": "q", "candidate": 7, "group": 0, "why": "", "text": None, "judge": None,
        "verdict": None,
    }  # fmt: skip


@pytest.mark.parametrize("text", ["- a list", "=1+1 is two", "'tis", "-5", "plain"])
def test_a_text_that_looks_like_a_formula_comes_back(tmp_path: Path, text: str) -> None:
    """It may become the text of an alternative, which is then looked for in results."""
    sheet = Sheet.model_validate([Suggestion(query="q", candidate="a", text=text)])
    assert read_sheet(save(tmp_path / "sheet.csv", sheet.to_csv())).rows[0].text == text


EXCEL = (
    "\ufeffQuery;Candidate;Group;Why;Text;Judge;Verdict\r\n"
    'q1;"""=1""";1;;"two\r\nlines";Ann;Yes\r\n'
    "q1;b;1,0;;;;\r\n"
    "q2;c\r\n"
    ";;;;;;\r\n"
    "q2;d;2;;;bob; NO \r\n"
)


def test_a_sheet_that_a_spreadsheet_saved(tmp_path: Path) -> None:
    found = read_sheet(save(tmp_path / "sheet.csv", EXCEL))
    assert [(row.candidate, row.group, row.judge, row.verdict) for row in found.rows] == [
        ("=1", 0, "Ann", "yes"),
        ("b", 0, "", None),
        ("c", None, "", None),
        ("d", 1, "bob", "no"),
    ]
    assert [row.line for row in found.rows] == [2, 4, 5, 7]


def test_pandas_may_fill_it_in(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "sheet.csv"
    rows = [{"query": "q1", "candidate": "a", "group": 1}, {"query": "q2", "candidate": "b"}]
    Sheet.model_validate(rows).save(path)
    frame = pandas.read_csv(path)
    frame["verdict"] = "yes"
    frame.to_csv(path, index=False)
    assert [(row.group, row.verdict) for row in read_sheet(path).rows] == [
        (1, "yes"),
        (None, "yes"),
    ]


HEAD = "query,candidate,group,verdict\n"
BROKEN: list[tuple[str, list[str]]] = [
    (HEAD + "q,a,1,maybe\n", ["2: verdict: expected yes, no or nothing, got 'maybe'"]),
    (HEAD + "q,a,x,\n", ["2: group: expected a number from 1 on, or nothing; got 'x'"]),
    (HEAD + "q,a,0,\n", ["2: group: expected a number from 1 on, or nothing; got '0'"]),
    (HEAD + "q,,1,yes\n", ["2: candidate: expected an id, got nothing"]),
    (HEAD + ",a,1,yes\n", ["2: query: expected an id, got nothing"]),
    (HEAD + "q,a,1,yes,no\n", ["2: expected 4 cells, got 5"]),
    (HEAD + 'q,"""a",1,yes\n', ['2: candidate: expected a JSON string, such as "a", got \'"a\'']),
    (HEAD + 'q,"""\\ud800""",1,yes\n', ["2: candidate: expected a JSON string"]),
    ("query,candidate,verdict\n", ["1: no column 'group'; expected query, candidate, group"]),
    ("query,candidate,group,verdct\n", ["1: no column 'verdict'; expected", "did you mean"]),
    ("query,candidate,group,verdict,verdict\n", ["1: two columns 'verdict'"]),
    ("just words\n", ["1: no column 'query'"]),
    ("  \n", ["the file is empty"]),
    ("", ["the file is empty"]),
    ("[1]\n", ["1: expected an object with query"]),
    ('{"query": "q"}\n', ["1: no field 'candidate'"]),
    ('{"query": "q", "candidate": "a", "group": 0, "verdct": "yes"}\n', ["verdict", "'verdct'"]),
    ('{"query": "q", "candidate": 1.5, "group": 0, "verdict": null}\n', ["1: candidate: expected"]),
    ('{"query": "q", "candidate": 1, "group": -1, "verdict": null}\n', ["1: group: expected"]),
    ('{"query": "q", "candidate": 1, "group": 0, "verdict": true}\n', ["1: verdict: expected"]),
    ('{"query": "q", "query": "r"}\n', ["the key 'query' is repeated"]),
    ('{"query": \n', ["1:"]),
]


@pytest.mark.parametrize(("content", "expected"), BROKEN)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, content: str, expected: list[str]
) -> None:
    found = problems_of(save(tmp_path / "sheet", content))
    assert all(text in "\n".join(found) for text in expected), found


@pytest.mark.parametrize(
    "content",
    [b"\x89PNG\r\n\x1a\n" + bytes(40), b"PK\x03\x04xl/workbook", b"\xff\xfeq\0", b"query\xff,a\n"],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    assert problems_of(save(tmp_path / "sheet.csv", content))


def test_all_problems_are_listed_at_once(tmp_path: Path) -> None:
    path = save(tmp_path / "sheet.csv", HEAD + "q,a,x,\nq,b,1,ja\n,c,,\n")
    assert len(problems_of(path)) == 3


def test_columns_of_a_person_are_ignored_and_named(tmp_path: Path) -> None:
    found = read_sheet(
        save(tmp_path / "s.csv", "notes,verdict,group,candidate,query\nx,no,1,a,q\n")
    )
    assert found.rows == [SheetRow("q", "a", 0, verdict="no", line=2)]
    assert found.warnings == (f"{found.name}: ignored columns: 'notes'",)


def test_verdicts_are_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    empty = Sheet.model_validate([Suggestion(query="q", candidate="a")])
    empty.save(path)
    empty.save(path)
    filled = Sheet.model_validate([Suggestion(query="q", candidate="a", verdict="yes")])
    filled.save(path)
    before = path.read_bytes()
    with pytest.raises(InputError, match="1 verdict in this sheet would be lost; apply the sheet"):
        empty.save(path)
    assert path.read_bytes() == before


def test_an_unknown_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no format has the suffix '.xlsx'"):
        Sheet().save(tmp_path / "sheet.xlsx")


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_give_rows_or_an_input_error(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = save(Path(folder) / "sheet", content)
        try:
            found: Any = read_sheet(path)
        except InputError:
            return
        assert isinstance(found, FilledSheet)
