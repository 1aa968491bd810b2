"""What rows and values become counts: a query of too many is one line, whatever the file's size."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from groupwise import File, InputError, evaluate, read

LIMIT = 100_000
ROWS = 400  # 400 bytes each
VALUES = 2500  # 50 bytes each
ROLES: dict[str, Any] = {"csv": "ground_truth", "qrels": "ground_truth", "run": "run"}


def problem_of(path: Path, **options: Any) -> str:
    with pytest.raises(InputError) as error:
        read(File(path, max_record_bytes=LIMIT), **options)
    return str(error.value).removeprefix(f"{path}:")


def spell(form: str, rows: list[tuple[str, str]]) -> str:
    """Return the text of a file with these queries and documents."""
    line = {"csv": "{},g,{},1", "qrels": "{} 0 {} 1", "run": "{} Q0 {} 1 1.0 t"}[form]
    head = "query_id,group,id,grade\n" if form == "csv" else ""
    return head + "".join(f"{line.format(*row)}\n" for row in rows)


@pytest.mark.parametrize("is_compressed", [False, True])
@pytest.mark.parametrize("form", ROLES)
def test_a_query_of_many_rows_is_refused(form: str, is_compressed: bool, tmp_path: Path) -> None:
    text = spell(form, [("q0", "a")] + [("q1", "a")] * ROWS).encode()
    path = tmp_path / (f"data.{form}.gz" if is_compressed else f"data.{form}")
    path.write_bytes(gzip.compress(text) if is_compressed else text)
    message = " query 'q1': rows of more than 100,000 bytes (400 bytes or more per row); raise the"
    assert problem_of(path, role=ROLES[form], flat="any").startswith(message)


@pytest.mark.parametrize("form", ROLES)
def test_many_rows_of_several_queries_are_read_if_they_are_sorted(
    form: str, tmp_path: Path
) -> None:
    rows = [(f"q{number % 10}", f"d{number}") for number in range(ROWS)]
    path = tmp_path / f"data.{form}"
    path.write_text(spell(form, rows))
    options: Any = {"role": ROLES[form], "flat": "any"}
    assert problem_of(path, **options).endswith(
        "File(…, max_record_bytes=…), or sort them by query"
    )
    whole = read(path, **options)
    path.write_text(spell(form, sorted(rows, key=lambda row: row[0])))
    assert read(File(path, max_record_bytes=LIMIT), **options) == whole
    assert len(whole) == 10


@pytest.mark.parametrize("large", [0, 1 << 24])
def test_a_problem_is_named_once_where_rows_are_read_again(
    large: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groupwise.evaluator.formats.mapping.long_form.LARGE_BYTES", large)
    rows = [(f"q{number // 100}", f"d{number}") for number in range(ROWS)]
    path = tmp_path / "data.run"
    path.write_text(spell("run", rows).replace("d7 1 1.0", "d7 1 much"))
    assert problem_of(path).count("is not a finite number") == 1


@pytest.mark.parametrize("suffix", ["json", "jsonl", "parquet", "long.parquet"])
def test_a_record_of_many_values_is_refused(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"data.{suffix}"
    record = {"id": "q1", "ground_truth": [["a"] * VALUES]}
    if suffix == "json":
        path.write_text(json.dumps([record]))
    elif suffix == "jsonl":
        path.write_text(f'{{"id": "q0", "ground_truth": [["b"]]}}\n{json.dumps(record)}\n')
    else:
        pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        rows = {"query_id": ["q1"] * VALUES, "group": ["1"] * VALUES, "id": ["a"] * VALUES}
        parquet.write_table(
            pa.table(rows) if "long" in suffix else pa.Table.from_pylist([record]), path
        )
    place = {"json": "1:2:", "jsonl": "2:"}.get(suffix, "")
    assert problem_of(path).startswith(f"{place} ")
    assert "of more than 100,000 bytes" in problem_of(path)
    assert len(read(path).queries) == (2 if suffix == "jsonl" else 1)


def test_a_frame_of_many_values_is_refused() -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"id": ["q0", "q1"], "ground_truth": [[["b"]], [["a"] * VALUES]]})
    with pytest.raises(InputError, match=r"a row of more than 100,000 bytes \(50 bytes or more"):
        evaluate(File(table, max_record_bytes=LIMIT), {"q1": ["a"]})
    assert evaluate(table, {"q1": ["a"]}).per_query["q1"]["recall"] == 1.0


def test_the_problems_of_a_long_list_are_those_of_its_parts(tmp_path: Path) -> None:
    """Each error of a schema takes a kilobyte: after a thousand, the rest is not looked at."""
    path = tmp_path / "data.json"
    groups: list[Any] = [["a"]] * 1500 + [[], ["a", None]] + [["a"]] * 1500
    groups.append(["b"] * 1200 + [1.5])
    path.write_text(json.dumps([{"id": "q1", "ground_truth": groups}]))
    with pytest.raises(InputError) as error:
        read(path)
    places = ["/ground_truth/1500", "/ground_truth/1501/1", "/ground_truth/3002/1200"]
    assert [problem.pointer for problem in error.value.problems] == places
    path.write_text(json.dumps([{"id": "q1", "ground_truth": [[]] * 100_000}]))
    with pytest.raises(InputError) as error:
        read(path)
    assert (error.value.count, len(error.value.problems)) == (1001, 1000)


@pytest.mark.parametrize(
    "columns",
    [
        {"qid": [None] * 2_000_000, "retrieval_gt": [None] * 2_000_000},
        {"qid": ["q1"] * 2_000_000, "retrieval_gt": [[["a"]]] * 2_000_000},
    ],
    ids=["many null rows", "many equal rows"],
)
def test_a_small_file_of_many_rows_is_a_bomb(columns: dict[str, Any], tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    groups = pa.list_(pa.list_(pa.string()))
    schema = pa.schema([("qid", pa.string()), ("retrieval_gt", groups)])
    path = tmp_path / "data.parquet"
    parquet.write_table(pa.table(columns, schema=schema), path, compression="zstd")
    with pytest.raises(InputError, match="suspected parquet bomb"):
        read(path)
