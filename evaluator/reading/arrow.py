"""Columns of Arrow data as Python values: at C speed where they are plain."""

from collections.abc import Iterable, Sequence
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

MISSING = "this needs pyarrow, which is not installed: pip install pyarrow"


def arrow(module: str = "pyarrow", source: str | None = None) -> Any:
    """Return pyarrow or one of its modules, imported when first needed.

    Raises:
        InputError: pyarrow is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        raise InputError([Problem(MISSING, source)]) from None


def values_of(array: Any) -> Sequence[Any]:
    """Return the values of a column, row by row: lists as lists, ids as strings or integers."""
    types = arrow("pyarrow.types")
    if types.is_dictionary(array.type):
        return values_of(array.dictionary_decode())
    if array.null_count:
        return [_simplify(value) for value in array.to_pylist()]
    if types.is_list(array.type) or types.is_large_list(array.type):
        return _lists(array)
    if types.is_integer(array.type) or types.is_floating(array.type):
        numbers: list[Any] = _view_numbers(array).tolist()
        return numbers
    if _is_string(array.type) and COMPILED:
        return walk.decode_texts(*_view_texts(array), 0, len(array))
    values: list[Any] = array.to_pylist()
    return values if _is_string(array.type) else [_simplify(value) for value in values]


def check_buffers(arrays: Iterable[Any]) -> None:
    """Check arrays that are not from a file, before pyarrow follows their offsets.

    Raises:
        ValueError, LookupError, NotImplementedError: An array is damaged, or cannot be checked.
    """
    for array in arrays:
        if not _is_checked_when_read(array):
            array.validate(full=True)


def _is_checked_when_read(array: Any) -> bool:
    """Whether an array is plain texts, or lists of them: the walk checks every offset of those."""
    types = arrow("pyarrow.types")
    if array.null_count or not COMPILED:
        return False
    if types.is_list(array.type) or types.is_large_list(array.type):
        return _is_string(array.type.value_type) and not array.values.null_count
    return _is_string(array.type)


def _list_ends(array: Any) -> IntArray:
    """Return where lists end among their values, from the start of the first one on."""
    ends: IntArray = _view_numbers(array.offsets).astype(np.int64)
    if ends[0] < 0 or ends[-1] > len(array.values) or (ends[1:] < ends[:-1]).any():
        raise ValueError("a list is outside of its values")
    return ends


def _lists(array: Any) -> Sequence[Any]:
    """Return lists of texts as they are in their buffer, if they are plain, others as lists."""
    ends = _list_ends(array)
    inner = array.values.slice(int(ends[0]), int(ends[-1] - ends[0]))
    ends = ends - ends[0]
    if _is_string(inner.type) and not inner.null_count and COMPILED:
        texts = _view_texts(inner)
        if walk.are_plain_texts(*texts):
            return TextLists(ends[:-1], ends[1:], *texts)
    values = list(values_of(inner))
    rows: list[Any] = [values[start:end] for start, end in pairwise(ends.tolist())]
    return NumberLists(rows) if _are_ids(inner) else rows


def _are_ids(array: Any) -> bool:
    """Whether a column holds integers that are all valid ids."""
    if not arrow("pyarrow.types").is_integer(array.type) or array.null_count or not len(array):
        return False
    numbers = _view_numbers(array)
    return bool(numbers.min() >= -LARGEST and numbers.max() <= LARGEST)


def _is_string(kind: Any) -> bool:
    """Whether a column holds strings one after the other, with the offsets of their ends."""
    types = arrow("pyarrow.types")
    return bool(types.is_string(kind) or types.is_large_string(kind))


def _view_texts(array: Any) -> tuple[IntArray, Any]:
    """Return the offsets of the texts of a column, and their bytes."""
    width = np.int64 if "large" in str(array.type) else np.int32
    return _view_numbers(array, width, 1).astype(np.int64), array.buffers()[2] or b""


def _view_numbers(array: Any, width: Any = None, more: int = 0) -> "NDArray[Any]":
    """Return the numbers in a column's buffer; ``to_numpy`` would import pandas, which is slow."""
    numbers = np.frombuffer(array.buffers()[1] or b"", width or array.type.to_pandas_dtype())
    return numbers[array.offset : array.offset + len(array) + more]


def _simplify(value: Any) -> Any:
    """Return a value without the missing fields of structs, with dates as text."""
    if isinstance(value, dict):
        return {name: _simplify(part) for name, part in value.items() if part is not None}
    if isinstance(value, list | tuple):
        return [_simplify(part) for part in value]
    return value.isoformat() if hasattr(value, "isoformat") else value
