"""Columns of wide tables as fields: CSV, TSV, parquet and frames, with lists in their cells."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from groupwise import Dataset, File, InputError, Run, evaluate, read
from tests.formats.test_mapping import content, scores, write

pa = pytest.importorskip("pyarrow", reason="the extra parquet is missing")
parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is missing")

ROWS: dict[str, list[str]] = {
    "": ["0", "1"],
    "question": ["Who?", "When, exactly?"],
    "gold": ["['a', 'b']", "['c']"],
    "json": ['["a", "x"]', "[]"],
    "array": ["['a' 'x']", "['c'\n 'y']"],
    "one": ["a", "c"],
    "many": ["a;b", "c"],
    "commas": ["a, b", "c,"],
    "pairs": ["[('u', 0), ('v', 1)]", "[('u', 3)]"],
    "pages": ["[{'doc': 'd', 'page': 3}]", '[{"doc": "e", "page": 4}]'],
    "doc": ["m", "n"],
    "page": ["3", "4"],
    "scored": ["[0.5, 0.25]", "[]"],
}
TRUTHS: list[tuple[str, dict[str, Any], list[Any]]] = [
    ("gold", {"flat": "all"}, [[["a"], ["b"]], [["c"]]]),
    ("gold", {"flat": "any"}, [[["a", "b"]], [["c"]]]),
    ("one", {}, [[["a"]], [["c"]]]),
    ("many[;]", {"flat": "any"}, [[["a", "b"]], [["c"]]]),
    ("commas[,]", {"flat": "any"}, [[["a", "b"]], [["c"]]]),
    ("pairs.*.0+1", {"flat": "all"}, [[["u#0"], ["v#1"]], [["u#3"]]]),
    ("pages.*.doc+page", {"flat": "any"}, [[["d#3"]], [["e#4"]]]),
    ("doc+page", {}, [[["m#3"]], [["n#4"]]]),
    ("gold.0", {}, [[["a"]], [["c"]]]),
]


def cell_of(text: str) -> str:
    """A cell of CSV or TSV, in quotes."""
    return '"' + text.replace('"', '""') + '"'


def write_table(path: Path, columns: dict[str, list[str]]) -> Path:
    """Write a table in the form that its suffix says."""
    if ".parquet" in path.name:
        parquet.write_table(pa.table(columns), path)
        return path
    separator = "\t" if ".tsv" in path.name else ","
    lines = [columns.keys(), *zip(*columns.values(), strict=True)]
    data = "".join(separator.join(map(cell_of, line)) + "\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.fixture(params=["t.csv", "t.tsv", "t.csv.gz", "t.txt", "t.parquet"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write_table(tmp_path / request.param, ROWS)


@pytest.mark.parametrize(("path", "options", "expected"), TRUTHS)
def test_ground_truth_in_a_column(
    table: Path, path: str, options: dict[str, Any], expected: list[Any]
) -> None:
    fields = {"id": "question", "query": "question", "ground_truth": path}
    found = read(File(table, map=fields), role="ground_truth", **options)
    assert isinstance(found, Dataset)
    assert content(found) == dict(zip(ROWS["question"], expected, strict=True))
    assert [query.query for query in found] == ROWS["question"]
    numbered = read(File(table, map={"id": "#", "ground_truth": path}), **options)
    assert list(content(numbered)) == ["1", "2"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [("json", [["a", "x"], []]), ("array", [["a", "x"], ["c", "y"]]), ("one", [["a"], ["c"]])],
)
def test_results_in_a_column(table: Path, path: str, expected: list[Any]) -> None:
    found = read(File(table, map={"id": "#", "results": path}), role="run")
    assert list(content(found).values()) == expected


def test_ground_truth_results_and_scores_in_one_table(table: Path) -> None:
    fields = {"id": "#", "ground_truth": "gold", "results": "json", "scores": "scored"}
    report = evaluate(File(table, map=fields), flat="all", metrics="recall")
    assert scores(report) == {"1": 0.5, "2": 0.0}


@pytest.mark.parametrize("path", [path for path, _, _ in TRUTHS])
def test_frames_and_rows_are_read_like_files(path: str) -> None:
    options, expected = next((o, e) for p, o, e in TRUTHS if p == path)
    fields = {"id": "question", "ground_truth": path}
    rows = [dict(zip(ROWS, row, strict=True)) for row in zip(*ROWS.values(), strict=True)]
    for found in (
        Dataset.from_arrow(pa.table(ROWS), fields=fields, **options),
        Dataset.from_huggingface(rows, fields=fields, **options),
    ):
        assert content(found) == dict(zip(ROWS["question"], expected, strict=True))


def test_lists_and_structs_of_parquet(tmp_path: Path) -> None:
    columns = {
        "qid": ["q1", "q2"],
        "query": ["Who?", "When?"],
        "evidence": [[{"doc": "d", "page": 3}, {"doc": "d", "page": 4}], [{"doc": "e", "page": 1}]],
        "meta": [{"ids": ["x"]}, {"ids": []}],
        "number": [7, 8],
    }
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table(columns), path)
    fields = {"ground_truth": "evidence.*.doc+page", "results": "meta.ids"}
    truth = read(File(path, map=fields), role="ground_truth", flat="any")
    assert isinstance(truth, Dataset)
    assert content(truth) == {"q1": [["d#3", "d#4"]], "q2": [["e#1"]]}
    assert [query.query for query in truth] == ["Who?", "When?"]
    assert content(read(File(path, map=fields), role="run")) == {"q1": ["x"], "q2": []}
    numbers = read(File(path, map={"ground_truth": "number"}))
    assert content(numbers) == {"q1": [[7]], "q2": [[8]]}


def test_an_id_by_number_is_for_a_table_without_ids(tmp_path: Path) -> None:
    """The map is for the ground truth; the results are paired by position, as always."""
    truth = write_table(tmp_path / "t.csv", {"g": ["a", "b"]})
    run = tmp_path / "r.parquet"
    parquet.write_table(pa.table({"retrieved_ids": [["x"], ["b"]]}), run)
    report = evaluate(
        File(truth, map={"id": "#", "ground_truth": "g"}),
        File(run, map={"id": "#", "ground_truth": "g"}),
        metrics="recall",
    )
    assert scores(report) == {"1": 0.0, "2": 1.0}


REFUSED: list[tuple[dict[str, str], dict[str, str], str]] = [
    ({"g": "a;b"}, {}, "2:1: /g: the column 'g': 'a;b' may be several ids; name the separator"),
    ({"g": "a;b"}, {}, "name the separator with ground_truth=g[;], or write a list"),
    ({"g": "a, b"}, {}, "name the separator with ground_truth=g[,], or write a list"),
    ({"g": "a|b"}, {}, "ground_truth=g[|]"),
    ({"g": "a\nb"}, {}, r"ground_truth=g[\n]"),
    ({"g": " "}, {}, "expected an id or a list of ids, got a blank string"),
    ({"g": "['a', 'b'"}, {}, "2:1: /g: the column 'g': expected a list or an object, got"),
    ({"g": "['a', 'b'"}, {}, "the list is not closed"),
    ({"g": "['a' 'b', 'c']"}, {}, "a comma is missing"),
    ({"g": "['u', 0]"}, {}, "one id in two parts, map it with ground_truth=g.0+1"),
    ({"g": "[('u', 0)]"}, {}, "map it with ground_truth=g.*.0+1"),
    ({"g": "a"}, {"ground_truth": "x"}, "ground_truth=x: no column 'x'; there are 'g'"),
    ({"gold": "a"}, {"ground_truth": "gld"}, "no column 'gld'; did you mean 'gold'?"),
    ({"g": "a"}, {"ground_truth": "t[].g"}, "a record per row; begin at a column, without []"),
    ({"g": "a"}, {"ground_truth": "g.x"}, "ground_truth=g.x: no 'x' here; there is the string 'a'"),
    ({"g": "a;;b"}, {"ground_truth": "g[;]"}, "expected ids, got a blank one in the string 'a;;b'"),
    ({"g": ""}, {"ground_truth": "g[;]"}, "expected ids, got a blank one"),
    ({"g": "a", "p": ""}, {"ground_truth": "g+p"}, "expected a part of an id, a non-blank string"),
]


@pytest.mark.parametrize(("cells", "fields", "message"), REFUSED)
def test_cells_that_cannot_be_taken_are_refused(
    cells: dict[str, str], fields: dict[str, str], message: str, tmp_path: Path
) -> None:
    path = write_table(tmp_path / "t.csv", {name: [cell] for name, cell in cells.items()})
    with pytest.raises(InputError) as caught:
        read(File(path, map={"id": "#", "ground_truth": "g", **fields}), flat="any")
    assert message in str(caught.value)


def test_two_columns_of_one_name_are_refused_where_they_are_used(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "q,g,x,x\nA,a,1,2\n")
    assert content(read(File(path, map={"id": "q", "ground_truth": "g"}))) == {"A": [["a"]]}
    with pytest.raises(InputError, match="2 columns are named 'x'; rename them"):
        read(File(path, map={"id": "q", "ground_truth": "x"}))


def test_a_line_with_other_cells_is_a_problem(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "q,g\nA,a\nB\n\nC,c,d\n")
    with pytest.raises(InputError) as caught:
        read(File(path, map={"id": "q", "ground_truth": "g"}))
    assert [problem.line for problem in caught.value.problems] == [3, 5]


def test_a_table_without_an_id_names_the_ways_out(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "question,g\nA,a\n")
    with pytest.raises(InputError, match=r"2:1: no id; .*such as id=question or id=g, or number"):
        read(File(path, map={"ground_truth": "g"}))


def test_other_columns_keep_their_meaning(tmp_path: Path) -> None:
    path = write(
        tmp_path / "t.csv",
        "id,q,g,n,m,a\nq1,Who?,a,['z'],\"{'level': 'hard'}\",True\nq2,,[],,,false\n",
    )
    names = {"query": "q", "ground_truth": "g", "metadata": "m", "answerable": "a"}
    found = read(File(path, map=names), role="ground_truth")
    first, second = found.queries
    assert (first.query, first.metadata, first.answerable) == ("Who?", {"level": "hard"}, True)
    assert (second.query, second.answerable, second.ground_truth.groups) == (None, False, ())


def test_a_run_of_a_table(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "qid,docs,s\nq1,\"['a','b']\",\"[0.5, 0.25]\"\nq2,c,0.75\n")
    found = read(File(path, map={"results": "docs", "scores": "s"}), role="run")
    assert isinstance(found, Run)
    assert [query.given_scores() for query in found] == [[0.5, 0.25], [0.75]]
