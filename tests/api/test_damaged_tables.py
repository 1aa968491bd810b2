"""Tables whose buffers are damaged: an error that names the column, never memory of others."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groupwise import InputError, evaluate

pa = pytest.importorskip("pyarrow", reason="pyarrow is in the extra 'parquet'")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is in the extra 'parquet'")

TEXTS = pa.array(["a", "b", "c"])
FAR = 2**63 - 1


def build(
    kind: Any, length: int, numbers: Any, children: Any = (), data: bytes | None = None
) -> Any:
    """An array of buffers: no bitmap, these numbers, these bytes."""
    buffers = [None, pa.py_buffer(np.array(numbers[1], numbers[0]).tobytes())]
    more = [] if data is None else [pa.py_buffer(data)]
    return pa.Array.from_buffers(kind, length, buffers + more, children=list(children))


def lists(*ends: int, of: Any = TEXTS) -> Any:
    return build(pa.list_(of.type), len(ends) - 1, (np.int32, ends), [of])


def large_lists(*ends: int, of: Any = TEXTS) -> Any:
    return build(pa.large_list(of.type), len(ends) - 1, (np.int64, ends), [of])


def texts(*ends: int, data: bytes = b"abc") -> Any:
    return build(pa.string(), len(ends) - 1, (np.int32, ends), data=data)


def large_texts(*ends: int) -> Any:
    return build(pa.large_string(), len(ends) - 1, (np.int64, ends), data=b"abc")


def coded(*indices: int) -> Any:
    numbers = pa.array(indices, pa.int32())
    return pa.DictionaryArray.from_arrays(numbers, ["a", "b"], safe=False)


def with_null(ends: list[int], data: bytes) -> Any:
    offsets = pa.py_buffer(np.array(ends, np.int32).tobytes())
    buffers = [pa.py_buffer(b"\x05"), offsets, pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.string(), len(ends) - 1, buffers)


DAMAGED: dict[str, Callable[[], Any]] = {
    "a large list far behind its values": lambda: large_lists(0, 2**62, 3),
    "a large list before its values": lambda: large_lists(0, -2, 3),
    "a large list whose length overflows": lambda: large_lists(0, FAR, -2, 3),
    "a list behind its values": lambda: lists(0, 9, 3),
    "a list that ends before it starts": lambda: lists(0, 3, 1, 3),
    "a slice": lambda: large_lists(0, 1, 2**62, 2, 3).slice(1, 2),
    "texts behind their bytes": lambda: lists(0, 2, 3, of=texts(0, 900, 2, 3)),
    "texts that end before they start": lambda: lists(0, 2, 3, of=texts(0, 2, 1, 3)),
    "large texts": lambda: lists(0, 2, 3, of=large_texts(0, 2**62, -3, 3)),
    "texts that are no UTF-8": lambda: lists(0, 2, 3, of=texts(0, 1, 2, 3, data=b"\xff\xfeb")),
    "texts beside a null": lambda: lists(0, 2, 3, of=with_null([0, 1, 900, 3], b"abc")),
    "codes of no text": lambda: lists(0, 2, 3, of=coded(0, 99, -7)),
    "texts in structs": lambda: lists(
        0, 2, 3, of=pa.StructArray.from_arrays([texts(0, 900, 2, 3)], ["id"])
    ),
    "integers": lambda: large_lists(0, 2**62, 3, of=pa.array([1, 2, 3])),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_results_are_an_error_that_names_the_column(damage: str) -> None:
    column = DAMAGED[damage]()
    table = pa.table({"id": list("qrs")[: len(column)], "results": column})
    with pytest.raises(InputError, match=r"the column 'results' (is damaged|cannot be read)"):
        evaluate({id_: [["x"]] for id_ in "qrs"}, table)


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_ground_truth_is_an_error_that_names_the_column(damage: str) -> None:
    column = DAMAGED[damage]()
    ends = pa.array(range(len(column) + 1), pa.int32())
    groups = pa.ListArray.from_arrays(ends, column)
    table = pa.table({"id": list("qrs")[: len(column)], "ground_truth": groups})
    with pytest.raises(InputError, match=r"the column 'ground_truth' (is damaged|cannot be read)"):
        evaluate(table, {id_: ["a"] for id_ in "qrs"})


def test_damaged_query_ids_are_an_error_that_names_the_column() -> None:
    for ids in (texts(0, 900, 2), large_texts(0, 2**62, 2), coded(0, 7)):
        table = pa.table({"id": ids, "results": [["a"], ["b"]]})
        with pytest.raises(InputError, match=r"the column 'id' (is damaged|cannot be read)"):
            evaluate({"a": [["a"]], "b": [["b"]]}, table)


def test_sound_tables_of_the_same_shapes_are_read() -> None:
    sound = [
        lists(0, 2, 3),
        large_lists(0, 2, 3),
        large_lists(0, 1, 1, 3, 3).slice(1, 2),
        lists(0, 2, 3, of=texts(0, 1, 2, 3)),
        lists(0, 2, 3, of=large_texts(0, 1, 2, 3)),
        lists(0, 2, 3, of=coded(0, 1, 0)),
    ]
    for column in sound:
        table = pa.table({"id": ["q", "r"], "results": column})
        first = [(row or [None])[0] for row in column.to_pylist()]
        truth = {"q": [[first[0] or "x"]], "r": [[first[1] or "x"]]}
        expected = sum(one is not None for one in first) / 2
        assert evaluate(truth, table, metrics="recall").scores["recall"] == expected


@pytest.mark.parametrize("moment", [2**60, -(2**60)])
def test_a_date_that_python_does_not_have_is_an_error_that_names_the_column(
    moment: int, tmp_path: Path
) -> None:
    days = pa.StructArray.from_arrays([pa.array([moment], pa.timestamp("us"))], ["asked"])
    table = pa.table({"id": ["q"], "ground_truth": [[["a"]]], "metadata": days})
    pq.write_table(table, tmp_path / "far.parquet")
    for given in (table, tmp_path / "far.parquet"):
        with pytest.raises(InputError, match="the column 'metadata' cannot be read"):
            evaluate(given, {"q": ["a"]}, by="asked")
