"""What is converted is read and spelled out once if it is small, with the same bytes."""

from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groupwise import convert
from groupwise.evaluator.evaluation import conversion
from groupwise.evaluator.formats import csv as csv_format
from groupwise.evaluator.formats import losses
from groupwise.evaluator.formats.csv import has_formulas
from groupwise.evaluator.formats.losses import count_features
from groupwise.evaluator.formats.mapping.long_form import group_all
from groupwise.evaluator.reading.jsonl import JsonLines
from tests.strategies import FEWER, MANY

IDS = st.sampled_from(["a", "b", "=c", "-5", "+x", " @y", "é", ""]) | st.integers(-2, 3)
BARE = st.lists(st.lists(IDS, max_size=3), max_size=3)
GRADED = st.lists(
    st.fixed_dictionaries({"id": IDS}, optional={"grade": st.sampled_from([0, 1, 2])})
)
RECORDS = st.fixed_dictionaries(
    {"id": st.sampled_from(["q", "=q", "-1"])},
    optional={
        "ground_truth": BARE | st.lists(GRADED.map(lambda each: {"alternatives": each})),
        "not_relevant": st.lists(IDS, max_size=2),
        "results": st.lists(IDS, max_size=3),
        "query": st.sampled_from(["Who?", "=1+1", ""]),
    },
)


@MANY
@given(RECORDS)
@example({"id": "q", "ground_truth": [["a"], ["=x"]], "not_relevant": []})
@example({"id": "q", "results": ["=x"]})
def test_formulas_are_those_of_the_cells_that_are_written(record: Any) -> None:
    with mock.patch.object(csv_format, "_list_bare_cells", return_value=None):
        expected = has_formulas(record)
    assert has_formulas(record) == expected


@MANY
@given(st.lists(RECORDS, max_size=3))
def test_features_of_bare_ids_are_those_of_alternatives_in_full(records: list[Any]) -> None:
    with mock.patch.object(losses, "has_bare_ids", return_value=False):
        expected = count_features(records)
    assert count_features(records) == expected


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers()), max_size=12))
def test_rows_are_grouped_by_query_in_the_order_of_their_first_row(rows: list[Any]) -> None:
    names = list(dict.fromkeys(name for name, _ in rows))
    expected = [(name, [row for row in rows if row[0] == name]) for name in names]
    assert [*group_all(iter(rows)).items()] == expected


LINES = '{"id": "q%d", "ground_truth": [["a\\rb", "=c"], ["d"]], "query": "%s"}\n'


def convert_all(folder: Path, text: str, suffix: str) -> tuple[bytes, Any]:
    source, target = folder / "truth.jsonl", folder / f"out{suffix}"
    source.write_text(text)
    found = convert(source, target, lossy=True)
    return target.read_bytes(), found


@FEWER
@given(
    st.lists(st.sampled_from(["Who?", "", "x\\ry"]), min_size=1, max_size=6),
    st.sampled_from([".csv", ".tsv", ".json"]),
)
def test_what_is_kept_is_written_as_what_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], suffix: str
) -> None:
    folder = tmp_path_factory.mktemp("convert")
    text = "".join(LINES % each for each in enumerate(texts))
    kept = convert_all(folder, text, suffix)
    with (
        mock.patch.object(conversion, "KEPT_BYTES", 0),
        mock.patch.object(csv_format, "MOST_KEPT", 1),
    ):
        assert convert_all(folder, text, suffix) == kept


@pytest.mark.parametrize(("most", "times"), [(1 << 22, 2), (0, 4)])
def test_a_small_file_is_read_once_besides_its_first_record(
    tmp_path: Path, most: int, times: int
) -> None:
    with (
        mock.patch.object(conversion, "KEPT_BYTES", most),
        mock.patch.object(csv_format, "MOST_KEPT", 0 if not most else 9),
        mock.patch.object(
            JsonLines, "batches", autospec=True, side_effect=JsonLines.batches
        ) as read,
    ):
        convert_all(tmp_path, LINES % (1, "Who?"), ".csv")
    assert read.call_count == times
