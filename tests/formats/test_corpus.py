"""A corpus is the same in all of its forms, and what is no document is named with its place."""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import groupwise
from groupwise import Corpus, InputError
from groupwise.evaluator.errors import Problem, Problems
from groupwise.evaluator.intake.documents import open_corpus
from tests.paths import FIXTURES

DOCUMENTS = [("a", "one two"), ("b-2", 'she said: "no",\tand left'), ("ü", "drei\nvier"), ("d", "")]
PLAIN = [("a", "one two"), ("b-2", 'she said: "no", and left'), ("ü", "drei vier"), ("d", "")]


def read(given: Any) -> tuple[list[tuple[Any, Any]], list[tuple[int, int]], list[Problem]]:
    """The documents, their places, and the problems."""
    problems = Problems()
    documents, places = [], []
    for batch in open_corpus(given).batches(problems):
        texts = batch.texts or [None] * len(batch.ids)
        documents += list(zip(batch.ids, texts, strict=True))
        places += [batch.place(number) for number in range(len(batch.ids))]
    return documents, places, problems.kept


def jsonl(documents: list[tuple[Any, Any]], one: str = "id", text: str = "text") -> str:
    return "".join(json.dumps({one: i, text: t}) + "\n" for i, t in documents)


def csv_cell(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


FORMS = {
    "c.jsonl": jsonl(DOCUMENTS),
    "c.ndjson": jsonl(DOCUMENTS, "_id", "contents"),
    "c.json": json.dumps([{"doc_id": i, "content": t, "title": "T"} for i, t in DOCUMENTS]),
    "map.json": json.dumps(dict(DOCUMENTS)),
    "records.json": json.dumps({i: {"page_content": t} for i, t in DOCUMENTS}),
    "pretty.json": json.dumps([{"docid": i, "text": t} for i, t in DOCUMENTS], indent=2),
    "no-ending": jsonl(DOCUMENTS),
    "c.csv": "document_id,x,text\r\n"
    + "".join(f"{csv_cell(i)},1,{csv_cell(t)}\r\n" for i, t in DOCUMENTS),
}


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("marked", [False, True])
@pytest.mark.parametrize("name", FORMS)
def test_every_form_holds_the_same(name: str, marked: bool, zipped: bool, tmp_path: Path) -> None:
    data = ("\ufeff" if marked else "").encode() + FORMS[name].encode()
    path = tmp_path / (f"{name}.gz" if zipped else name)
    path.write_bytes(gzip.compress(data) if zipped else data)
    documents, _, problems = read(path)
    assert problems == []
    assert documents == DOCUMENTS


@pytest.mark.parametrize("name", ["c.tsv", "table.txt"])
def test_tab_separated_values_know_no_quotes(name: str, tmp_path: Path) -> None:
    rows = "".join(f"{text}\t{one}\n" for one, text in PLAIN)
    path = tmp_path / name
    path.write_text(f"Text\tID\n{rows}", "utf-8")
    assert read(path) == (PLAIN, [(n, 1) for n in range(2, 6)], [])


@pytest.mark.parametrize("ending", ["parquet", "parquet.gz", "bin"])
def test_parquet_as_autorag_writes_it(ending: str, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet  # noqa: PLC0415

    ids, texts = zip(*DOCUMENTS, strict=True)
    path = tmp_path / f"corpus.{ending}"
    table = pyarrow.table({"doc_id": ids, "contents": texts, "metadata": [{"n": 1}] * 4})
    parquet.write_table(table, path)
    if ending.endswith("gz"):
        path.write_bytes(gzip.compress(path.read_bytes()))
    assert read(path) == (DOCUMENTS, [(n, 0) for n in range(1, 5)], [])


def test_python_objects() -> None:
    assert read(dict(DOCUMENTS))[0] == DOCUMENTS
    assert read([{"id": i, "text": t} for i, t in DOCUMENTS])[0] == DOCUMENTS
    assert read(("a", "b"))[0] == [("a", None), ("b", None)]
    assert read([1, 2])[0] == [(1, None), (2, None)]
    assert read({1: "one"})[0] == [(1, "one")]


def test_a_list_of_ids(tmp_path: Path) -> None:
    path = tmp_path / "ids.txt"
    path.write_bytes(b"a\r\n\r\nb c\n7\n")
    assert read(path)[:2] == ([("a", None), ("b c", None), ("7", None)], [(1, 1), (3, 1), (4, 1)])
    (tmp_path / "ids.json").write_text('["a", "b"]')
    assert read(tmp_path / "ids.json")[0] == [("a", None), ("b", None)]


def test_a_document_that_is_one_record_is_no_map(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text('{"title": "t", "_id": "a", "text": "one"}')
    assert read(path)[0] == [("a", "one")]


def test_many_blocks_keep_lines_and_order(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    documents = [(f"d{n}", f"text {n} " + "x" * 100) for n in range(5000)]
    path.write_text(jsonl(documents))
    found, places, _ = read(path)
    assert found == documents
    assert [line for line, _ in places] == list(range(1, 5001))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"id": "a", "text": "x",}', "2:24: invalid JSON: a trailing comma"),
        ('{"id": "", "text": "x"}', "2:8: /id: a blank id"),
        ('{"id": null, "text": "x"}', "2:8: /id: null is not an id"),
        ('{"id": true, "text": "x"}', "2:8: /id: a boolean is not an id"),
        ('{"id": 1.5, "text": "x"}', "2:8: /id: a fraction is not an id"),
        ('{"id": 9223372036854775808}', "2:8: /id: the number 9223372036854775808 is too large"),
        ('{"id": ["a"], "text": "x"}', "2:8: /id: a list is not an id"),
        ('{"id": "a", "text": 5}', "2:21: /text: expected a text, got the number 5"),
        ('{"name": "a", "text": "x"}', "2:1: no id; its field is one of id, doc_id"),
        ('{"id": "a", "id": "b"}', "2:13: the key 'id' is repeated (first at column 2)"),
        ("[1]", "2:1: a list is not an id"),
        ("null", "2:1: null is not an id"),
    ],
)
def test_what_is_no_document_is_named_with_its_place(
    line: str, expected: str, tmp_path: Path
) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "first", "text": "x"}\n' + line + '\n{"id": "last", "text": "y"}\n')
    documents, places, (problem,) = read(path)
    assert str(problem).startswith(f"{path}:{expected}")
    assert problem.code
    assert [documents[0][0], documents[-1][0]] == ["first", "last"]
    assert places[-1] == (3, 1)


@pytest.mark.parametrize(
    "line", ['{"id": "n"}', '{"id": "n", "text": null}', '{"id": "n", "x": 1}']
)
def test_a_document_may_have_no_text(line: str, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "first", "text": "x"}\n' + line + "\n")
    assert read(path)[0] == [("first", "x"), ("n", None)]
    assert read(path)[2] == []


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("c.jsonl", b"", "the file is empty"),
        ("c.tsv", b"  \n\n", "the file is empty"),
        ("c.json", b'[{"id": "a"}', "1:13: invalid JSON: the text ends too early"),
        ("c.tsv", b"key\ttext\na\tx\n", "1:1: the header names no id"),
        ("c.csv", b'id,text\na,"open\n', "2:1: not CSV from here on: unexpected end of data"),
        ("c.csv", b"id,text\na,\xff\n", "2:3: not UTF-8: the byte 0xff"),
        ("c.parquet", b"PAR1 and so on", "the parquet file is cut short"),
        ("c.jsonl", b"\xff\xfe{\x00", "1:1: the file is UTF-16"),
        ("c.jsonl.gz", b"\x1f\x8bno", "damaged gzip data"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(
    name: str, content: bytes, expected: str, tmp_path: Path
) -> None:
    if name == "c.parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read(path)
    message = str(error.value)
    assert message.startswith((f"{path}:{expected}", f"{path}: {expected}"))


def test_rows_that_do_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "c.tsv"
    path.write_bytes(b"id\ttext\na\tx\nb\n\ty\nc\t\xff\nd\tz\n")
    documents, places, problems = read(path)
    assert documents == [("a", "x"), ("d", "z")]
    assert places == [(2, 1), (6, 1)]
    assert {(one.line, one.column, one.code) for one in problems} == {
        (3, 1, "IO008"),
        (4, 1, "GT002"),
        (5, 3, "IO002"),
    }


def test_a_row_of_csv_begins_where_its_first_line_is(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text('id,text\na,"one\ntwo\n"\n\nb,x\n')
    assert read(path)[:2] == ([("a", "one\ntwo\n"), ("b", "x")], [(2, 1), (6, 1)])


def test_parquet_without_pyarrow_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    (tmp_path / "c.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match="pip install pyarrow"):
        read(tmp_path / "c.parquet")


@pytest.mark.parametrize("given", [5, None, b"bytes", iter([])])
def test_what_is_no_corpus_is_refused(given: Any) -> None:
    with pytest.raises(InputError, match="expected texts by id, a list of ids or records"):
        open_corpus(given)


def test_a_corpus_and_a_frame_are_corpora() -> None:
    corpus = Corpus.model_validate(dict(DOCUMENTS))
    assert read(corpus)[0] == DOCUMENTS
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    ids, texts = zip(*DOCUMENTS, strict=True)
    assert read(pandas.DataFrame({"doc_id": ids, "contents": texts}))[0] == DOCUMENTS


def test_a_beir_folder_is_a_corpus() -> None:
    documents = read(FIXTURES / "formats" / "beir")[0]
    assert documents == [("d1", "Text of d1"), ("d2", "Text of d2")]


def test_a_corpus_is_read_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": 7, "text": "x", "start": 3}\n{"id": 8, "text": 1}\n')
    with pytest.raises(InputError, match="2:19: /text: expected a text, got the number 1"):
        groupwise.read(path, role="corpus")
    path.write_text('{"id": 7, "text": "x", "start": 3}\n')
    (document,) = groupwise.read(path, role="corpus", ids="text")
    assert document.model_dump() == {"id": "7", "text": "x", "start": 3}
