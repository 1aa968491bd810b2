"""Columns of Arrow data as Python values: at C speed where they are plain."""

from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.hits.arrays import IntArray, np
from groupwise.evaluator.native.loader import COMPILED, walk
from groupwise.evaluator.reading.packed_ids import NumberLists, TextLists
from groupwise.schemas.ids import LARGEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

MISSING = "this needs pyarrow, which is not installed: pip install 'groupwise[parquet]'"


def arrow(module: str = "pyarrow", source: str | None = None) -> Any:
    """The library or a part of it, loaded when first needed; one line where it is missing."""
    try:
        return import_module(module)
    except ImportError:
        raise InputError([Problem(MISSING, source)]) from None


def values_of(array: Any) -> Sequence[Any]:
    """The values of a column, row by row: lists as lists, ids as strings or whole numbers."""
    kind = arrow("pyarrow.types")
    if kind.is_dictionary(array.type):
        return values_of(array.dictionary_decode())
    if array.null_count:
        return [tidied(value) for value in array.to_pylist()]
    if kind.is_list(array.type) or kind.is_large_list(array.type):
        return _lists(array)
    if is_buffered(array.type) and COMPILED:
        return walk.decode_texts(*_texts(array), 0, len(array))
    if kind.is_integer(array.type) or kind.is_floating(array.type):
        numbers: list[Any] = _stored(array).tolist()
        return numbers
    values: list[Any] = array.to_pylist()
    return values if is_text(array.type) else [tidied(value) for value in values]


def _lists(array: Any) -> Sequence[Any]:
    """Lists of texts stay in their buffer if they are plain; others are cut from flat values."""
    ends = _numbers(array.offsets, 0)
    inner = array.values.slice(int(ends[0]), int(ends[-1] - ends[0]))
    ends = ends - ends[0]
    if is_buffered(inner.type) and not inner.null_count and walk.are_plain_texts(*_texts(inner)):
        return TextLists(ends[:-1], ends[1:], *_texts(inner))
    rows = _cut(list(values_of(inner)), ends.tolist())
    return NumberLists(rows) if _are_ids(inner) else rows


def _are_ids(array: Any) -> bool:
    """Whether a column holds whole numbers that are ids, all of them."""
    if not arrow("pyarrow.types").is_integer(array.type) or array.null_count or not len(array):
        return False
    numbers = _stored(array)
    return bool(numbers.min() >= -LARGEST and numbers.max() <= LARGEST)


def _texts(array: Any) -> tuple[IntArray, Any]:
    """Where each text of a column begins and the last one ends, and their bytes."""
    return _numbers(array, 1), array.buffers()[2] or b""


def _numbers(array: Any, more: int) -> IntArray:
    """The places that a column holds in its second buffer: one each, and some more."""
    width = np.int64 if "int64" in str(array.type) or "large" in str(array.type) else np.int32
    numbers: IntArray = _buffered(array, width, more).astype(np.int64)
    return numbers


def _stored(array: Any) -> "NDArray[Any]":
    """The numbers of a column, where they are; `to_numpy` would load pandas, which takes long."""
    return _buffered(array, array.type.to_pandas_dtype(), 0)


def _buffered(array: Any, width: Any, more: int) -> "NDArray[Any]":
    numbers = np.frombuffer(array.buffers()[1] or b"", width)
    return numbers[array.offset : array.offset + len(array) + more]


def _cut(values: list[Any], ends: list[int]) -> list[Any]:
    """The flat values of all rows, cut at the ends of the rows."""
    return [values[start:end] for start, end in pairwise(ends)]


def tidied(value: Any) -> Any:
    """Fields that a struct has no value for are omitted, dates are text, arrays are lists."""
    if isinstance(value, dict):
        return {name: tidied(part) for name, part in value.items() if part is not None}
    if isinstance(value, list | tuple):
        return [tidied(part) for part in value]
    return value.isoformat() if hasattr(value, "isoformat") else value


def is_text(kind: Any) -> bool:
    """Whether a column is one of strings."""
    types = arrow("pyarrow.types")
    kind = kind.value_type if types.is_dictionary(kind) else kind
    view = getattr(types, "is_string_view", _never)
    return bool(types.is_string(kind) or types.is_large_string(kind) or view(kind))


def _never(_kind: Any) -> bool:
    return False


def is_buffered(kind: Any) -> bool:
    """Whether a column holds strings one after the other, with the places where they end."""
    types = arrow("pyarrow.types")
    return bool(types.is_string(kind) or types.is_large_string(kind))


def is_id(kind: Any) -> bool:
    """Whether a column can hold ids: strings or whole numbers, or nothing at all."""
    types = arrow("pyarrow.types")
    kind = kind.value_type if types.is_dictionary(kind) else kind
    return bool(is_text(kind) or types.is_integer(kind) or types.is_null(kind))


def is_number(kind: Any) -> bool:
    """Whether a column can hold scores."""
    types = arrow("pyarrow.types")
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_null(kind))


def is_list_of(kind: Any, *inner: Callable[[Any], bool]) -> bool:
    """Whether a column holds lists of any of these, or nothing at all."""
    types = arrow("pyarrow.types")
    if types.is_null(kind):
        return True
    lists = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    return bool(lists and any(one(kind.value_type) for one in inner))


def is_struct(kind: Any) -> bool:
    """Whether a column holds records of their own: groups or results in full."""
    return bool(arrow("pyarrow.types").is_struct(kind))
