"""Columns as frames of pandas, polars and Arrow. Ids are text; None is a missing value.

In pandas, whole numbers and truth values are of the types that can be missing (``Int64``,
``boolean``) only where one is.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reporting.frames.column import Column


def load(library: str) -> Any:
    """Return a library, imported when it is first needed.

    Raises:
        InputError: It is not installed.
    """
    try:
        return import_module(library)
    except ImportError:
        message = f"this needs {library}, which is not installed: pip install {library}"
        raise InputError([Problem(message)]) from None


def build_pandas(columns: Sequence[Column]) -> Any:
    """Return a DataFrame of pandas."""
    pandas = load("pandas")
    text = pandas.Series(["text"]).dtype
    plain = {"text": text, "float": "float64", "int": "int64", "bool": "bool"}
    nullable = plain | {"int": "Int64", "bool": "boolean"}
    series = {}
    for column in columns:
        types = nullable if None in column.values else plain
        series[column.name] = pandas.Series(list(column.values), dtype=types[column.type])
    return pandas.DataFrame(series)


def build_polars(columns: Sequence[Column]) -> Any:
    """Return a DataFrame of polars."""
    polars = load("polars")
    types = {
        "text": polars.String, "float": polars.Float64, "int": polars.Int64, "bool": polars.Boolean
    }  # fmt: skip
    return polars.DataFrame(
        {column.name: list(column.values) for column in columns},
        schema={column.name: types[column.type] for column in columns},
    )


def build_arrow(columns: Sequence[Column]) -> Any:
    """Return an Arrow table."""
    arrow = load("pyarrow")
    texts, numbers = {"text": arrow.string(), "bool": arrow.bool_()}, {"float": arrow.float64()}
    types = {**texts, **numbers, "int": arrow.int64()}
    arrays = [arrow.array(list(column.values), types[column.type]) for column in columns]
    return arrow.Table.from_arrays(arrays, names=[column.name for column in columns])


FRAMES: Mapping[str, Callable[[Sequence[Column]], Any]] = {
    "pandas": build_pandas,
    "polars": build_polars,
    "pyarrow": build_arrow,
}
