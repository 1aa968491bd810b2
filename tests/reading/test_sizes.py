"""How many rows a reader yields at a time changes nothing but that."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from groupwise.evaluator.formats.opening import records_in
from groupwise.evaluator.intake.objects import as_records
from groupwise.evaluator.reading.csv import CsvTable
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import Source

COUNT = 200
SIZES = (1, 7, 100)
TEXTS = {
    "truth.csv": ("query_id,group,id,grade\n", "q{0},1,d{0},1\nq{0},2,e{0},2\n", "q{0},1,d{0}\n"),
    "run.tsv": (
        "query_id\tid\tscore\n",
        "q{0}\td{0}\t0.5\nq{0}\te{0}\t0.75\n",
        "q{0}\td{0}\tmuch\n",
    ),
    "truth.qrels": ("", "q{0} 0 d{0} 1\nq{0} 0 e{0} 2\n", "q{0} 0 d{0}\n"),
    "run.run": ("", "q{0} Q0 d{0} 1 0.5 t\nq{0} Q0 e{0} 2 0.25 t\n", "q{0} Q0 d{0} 1 nan t\n"),
}
"""The first line, the lines of a query, and lines that are a problem."""


def spell(name: str) -> str:
    head, lines, others = TEXTS[name]
    spelled = [(lines + others * (number % 25 == 5)).format(number) for number in range(COUNT)]
    return head + "".join(spelled)


def read(records: Any, size: int) -> Any:
    """Return what a reader yields of records, and the problems that it reports."""
    reading = Reading()
    found = []
    for batch in records.batches(reading, size):
        assert len(batch.values) <= size
        keys = batch.keys or [None] * len(batch.values)
        for number, value in enumerate(batch.values):
            found.append((value, keys[number], batch.place(number, ())))
    return found, sorted(reading.problems, key=lambda problem: problem.line or 0), reading.warnings


def assert_sizes_change_nothing(records: Any, count: int, problems: int) -> None:
    expected = read(records, 100_000)
    assert (len(expected[0]), len(expected[1])) == (count, problems)
    for size in SIZES:
        assert read(records, size) == expected


@pytest.mark.parametrize("large", [0, 1 << 24])
@pytest.mark.parametrize("name", TEXTS)
def test_long_files(name: str, large: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groupwise.evaluator.formats.mapping.long_form.LARGE_BYTES", large)
    (tmp_path / name).write_text(spell(name))
    records = records_in(tmp_path / name, Options(role="run" if "run." in name else "ground_truth"))
    assert_sizes_change_nothing(records, COUNT, len(range(5, COUNT, 25)))


def test_wide_csv(tmp_path: Path) -> None:
    rows = [f"{number},text\n" + "1,2,3\n" * (number % 25 == 5) for number in range(COUNT)]
    (tmp_path / "a.csv").write_text("id,text\n" + "".join(rows))
    assert_sizes_change_nothing(CsvTable(Source(tmp_path / "a.csv")), COUNT, 8)


ROWS: list[dict[str, Any]] = [
    {
        "id": f"q{number}", "ground_truth": [["a", f"d{number}"]],
        "query": None if number % 2 else "?",
        "metadata": '{"a": 1, "a": 2}' if number % 25 == 5 else '{"a": 1}',
    }
    for number in range(COUNT)
]  # fmt: skip
LONG = [{"q_id": f"q{row // 2}", "doc_id": f"d{row}", "score": row % 3} for row in range(COUNT)]


@pytest.mark.parametrize("rows", [ROWS, LONG], ids=["wide", "long"])
@pytest.mark.parametrize("kind", ["parquet", "arrow", "pandas", "rows"])
def test_tables(rows: list[dict[str, Any]], kind: str, tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    given: Any = pa.Table.from_pylist(rows)
    options = Options(role="ground_truth")
    if kind == "parquet":
        pq.write_table(given, tmp_path / "a.parquet", row_group_size=64)
        given = tmp_path / "a.parquet"
    elif kind == "pandas":
        given = pytest.importorskip("pandas").DataFrame(rows)
    elif kind == "rows":
        given = Rows(rows)
    records = as_records(given, "frame", options)
    assert_sizes_change_nothing(records, COUNT // (1 if rows is ROWS else 2), 8 * (rows is ROWS))


class Rows:
    """Rows as a data set of Hugging Face has them."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self._rows = rows
        self.column_names = list(rows[0])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._rows)
