"""Pure-Python fallback for the compiled walk over ids: the same functions, with the same results.

Either may leave a case to the caller (None, or rows left over), which then takes the slow path.
"""

from array import array
from collections.abc import Iterable
from itertools import accumulate, chain, pairwise
from typing import Any, TypeAlias

import orjson

from groupwise.evaluator.hits.arrays import IntArray
from groupwise.schemas import Id, plain_rankings, plain_truths

SPACE = b" \t\r\n"
NO_KEY_ENDS = (b'\\"', b'["', b'{"', b',"')
"""Quotes that are escaped, or begin a string: no key ends there."""
OUTSIDE = "a text is outside of its buffer"
Buffer: TypeAlias = Any
"""Any object with the buffer protocol; Python has no type for it before 3.12."""
Clean: TypeAlias = tuple[list[bytes], bytes]
Left: TypeAlias = list[tuple[int, int]]
RunRow: TypeAlias = tuple[str, int, list[str], list[float]]
Packed: TypeAlias = tuple[bytes, bytes, bytes, bytes]
Sorted: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes, bytes]
Matched: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes, int, Left, Left]


def are_flat(values: Any, /) -> bool:
    """Whether all values are objects that hold neither objects nor lists."""
    if type(values) is not list or not {*map(type, values)} <= {dict}:
        return False
    return {*map(type, chain.from_iterable(map(dict.values, values)))}.isdisjoint((dict, list))


def are_plain_texts(offsets: IntArray, data: Buffer, /) -> bool:
    """Whether all texts of a buffer are ASCII, and begin with a character that is no space."""
    ends, view = offsets.tolist(), memoryview(data)
    if not _are_ranges(ends, len(view)):
        return False
    texts = (bytes(view[start:end]) for start, end in pairwise(ends))
    return all(text.isascii() and text[:1] > b" " for text in texts)


def count_keys(value: Any, /) -> int | None:
    """Return the number of keys of all objects within a value; None if it is nested too deep.

    Here keys that end in a bracket, a comma, a colon or a backslash are not counted.
    """
    try:
        *before, _ = orjson.dumps(value).split(b":")
    except orjson.JSONEncodeError:
        return None
    ends = [part for part in before if part.endswith(b'"') and part != b'"']
    return len(ends) - sum(part.endswith(NO_KEY_ENDS) for part in ends)


def find_lost_keys(texts: list[bytes], values: list[Any], /) -> list[int]:
    """Return the numbers of the texts with other than as many key ends as their values have keys.

    Those of the value itself are enough, if it is an object; else those of all objects within.
    """
    ends = map(count_key_ends, texts)
    pairs = enumerate(zip(ends, values, strict=False))
    return [row for row, (count, value) in pairs if not _has_keys(value, count)]


def _has_keys(value: Any, count: int) -> bool:
    return (type(value) is dict and len(value) == count) or count_keys(value) == count


def count_repeated_keys(_text: Buffer, /) -> int | None:
    """Return how many keys the objects of valid JSON repeat, as often as they do.

    None if that cannot be told: a key has escapes, or there are too many keys or brackets. Here
    always None, as the scanner of Python's json module is faster than Python.
    """
    return None


def pack_rankings(_text: Buffer, _name: bytes, _lines: bool, /) -> Packed | None:  # noqa: FBT001
    """Cut lists that are values of a quoted name out of JSON text, which keeps empty ones.

    Returns:
        The rest of the text; in 64-bit integers, the number of the first id of each list, and one
        more, and where ids begin in a buffer, and end; that buffer. None if a value of the name is
        no list of plain strings: printable ASCII that does not begin with a space, without
        escapes. With ``lines``, a list may contain line breaks. Here always None, as orjson is
        faster than Python.
    """
    return None


def pack_plain_rankings(_text: Buffer, _name: bytes, /) -> Sorted | None:
    """Cut the plain ones of such lists out of lines of JSON, and leave the others in the text.

    Returns:
        The same as above; and, in 64-bit integers, where each list was in the text, and the number
        of its line. Here always None.
    """
    return None


def drop_lists(text: bytes, _name: bytes, /) -> bytes:
    """Return lines of JSON in which lists that are values of a quoted name are empty.

    Lists of plain strings, and lists of such lists, may be emptied, if they do not go on over
    lines; the rest is JSON if the text is, and only then. Here none is, as orjson is faster.
    """
    return text


def parse_run_lines(_block: bytes, _first: int, /) -> list[RunRow] | None:
    """Return the lines of a TREC run, from the number of the first one on.

    For consecutive lines of a query: the query, the number of their first line, documents and
    scores. None if a line has other columns, a score that is not a finite number below 2^53, or is
    not UTF-8; here always, as the caller splits columns as fast as Python can.
    """
    return None


def kind_of_rankings(values: Any, /) -> type[str] | type[int] | None:
    """Return the kind of all ids if all values are lists of ids, and any of them is not empty."""
    kind = plain_rankings(values) if type(values) is list else None
    return kind if kind in (str, int) else None


def kind_of_truths(values: Any, /) -> type[str] | type[int] | None:
    """Return the kind of all ids if all values are lists of groups: lists of ids, not empty."""
    kind = plain_truths(values) if type(values) is list else None
    return kind if kind in (str, int) else None


def match_plain(
    _truths: list[Any], _rankings: list[Any], _depth: int, /
) -> tuple[type[str] | type[int], Matched] | None:
    """Check and match ground truths and rankings in one walk, as deep as ``depth``.

    Returns:
        The kind of all ids, and what ``match_rankings`` returns for the first results. None if any
        of them is not plain, or lists nothing; here always, as two walks in Python are no slower.
    """
    return None


def match_rankings(
    truths: list[list[list[Id]]], rankings: list[list[Id]], first: int, /
) -> Matched:
    """Match rankings with ground truths whose alternatives are numbered from ``first`` on.

    Returns:
        In 64-bit integers: the number of results and of groups of each query, the size of each
        group, rank and alternative of each hit. Then the number after the last alternative, and
        the rows left to the caller (here all), each with the number of its first alternative.
        Then, in the same form, the rows that are not left and list an id more than once. Hits are
        in order of query, group and rank.
    """
    groups = list(chain.from_iterable(truths))
    *starts, end = accumulate(map(_count_ids, truths), initial=first)
    left = list(enumerate(starts))
    return _lengths(rankings), _lengths(truths), _lengths(groups), b"", b"", end, left, []


def match_texts(
    truths: list[list[list[Id]]],
    starts: IntArray,
    ends: IntArray,
    offsets: IntArray,
    data: Buffer,
    first: int,
    /,
) -> Matched:
    """Match rankings that are texts of a buffer, each from start to end."""
    return match_rankings(truths, decode_lists(starts, ends, offsets, data), first)


def decode_lists(
    starts: IntArray, ends: IntArray, offsets: IntArray, data: Buffer, /
) -> list[list[Id]]:
    """Return lists of the texts of a buffer, each from start to end.

    Raises:
        ValueError: A text, or a list of them, is not within its buffer.
    """
    if len(starts) != len(ends):
        raise ValueError(OUTSIDE)
    rows = zip(starts.tolist(), ends.tolist(), strict=True)
    return [decode_texts(offsets, data, start, end) for start, end in rows]


def decode_texts(offsets: IntArray, data: Buffer, start: int, end: int, /) -> list[Id]:
    """Return the texts of a buffer from one number to another.

    Raises:
        ValueError: A text is not within its buffer.
    """
    if not 0 <= start <= end or (start < end and end >= len(offsets)):
        raise ValueError(OUTSIDE)
    places, view = offsets[start : end + 1].tolist(), memoryview(data)
    if not _are_ranges(places, len(view)):
        raise ValueError(OUTSIDE)
    return [str(view[begin:stop], "utf-8") for begin, stop in pairwise(places)]


def hash_texts(texts: Any, /) -> bytes | None:
    """Return the hashes of a list of strings, in 64-bit integers; None for anything else."""
    if type(texts) is not list or not {*map(type, texts)} <= {str}:
        return None
    return array("q", list(map(hash, texts))).tobytes()


def hash_clean_texts(ids: Any, /) -> bytes | None:
    """Return the hashes of strings, all of them visible ASCII without spaces; None for others."""
    hashes = hash_texts(ids)
    return None if hashes is None or not _are_visible(ids) else hashes


def hash_clean_truths(truths: Any, groups: int, alternatives: int, single: int, /) -> Clean | None:
    """Return the sizes of the groups of each ground truth, and the hashes of all ids.

    None if any needs a closer look: more groups or alternatives than these, empty ones, ids other
    than lower-case visible ASCII, repeated ids, ids of one character among ``single`` or more.
    """
    if {*map(type, truths)} != {list} or not _are_between(truths, groups):
        return None
    grouped = list(chain.from_iterable(truths))
    if {*map(type, grouped)} != {list} or not _are_between(grouped, alternatives):
        return None
    ids = list(chain.from_iterable(grouped))
    hashes = hash_clean_texts(ids)
    longest = max(map(len, chain(truths, grouped)))
    if hashes is None or (longest >= single and min(map(len, ids)) == 1):
        return None
    if len({*ids}) < len(ids) or "".join(ids) != "".join(ids).lower():
        return None
    return [bytes(map(len, truth)) for truth in truths], hashes


def sort_out_truths(
    truths: Any, groups: int, alternatives: int, single: int, /
) -> tuple[list[bytes], bytes, list[int]]:
    """Return the same for the ground truths that need no closer look, and the numbers of others."""
    shapes, hashes, odd = list[bytes](), list[bytes](), list[int]()
    for number, truth in enumerate(truths):
        found = hash_clean_truths([truth], groups, alternatives, single)
        if found is None:
            odd.append(number)
        else:
            shapes += found[0]
            hashes.append(found[1])
    return shapes, b"".join(hashes), odd


def find_odd_ids(values: Any, /) -> list[int] | None:
    """Return the numbers of the values that may be no ids; None if there is no list."""
    if type(values) is not list:
        return None
    return [number for number, value in enumerate(values) if kind_of_rankings([[value]]) is None]


def find_odd_rankings(values: Any, /) -> list[int] | None:
    """Return the numbers of the rankings whose kind cannot be told by themselves.

    None if there is no list.
    """
    if type(values) is not list:
        return None
    return [number for number, value in enumerate(values) if kind_of_rankings([value]) is None]


def find_odd_truths(values: Any, /) -> list[int] | None:
    """Return the numbers of the ground truths whose kind cannot be told by themselves.

    None if there is no list.
    """
    if type(values) is not list:
        return None
    return [number for number, value in enumerate(values) if kind_of_truths([value]) is None]


def find_unclear(rankings: Any, /) -> list[int] | None:
    """Return the numbers of the rankings that may repeat an id, or have an id with odd characters.

    The ids of all others differ, and are visible ASCII without spaces. None if there is no list.
    """
    if type(rankings) is not list:
        return None
    return [number for number, ids in enumerate(rankings) if not _is_clear(ids)]


def find_unclear_texts(
    starts: IntArray, ends: IntArray, offsets: IntArray, data: Buffer, /
) -> list[int]:
    """Return the same for rankings that are texts of a buffer, each from start to end.

    Raises:
        ValueError: A text, or a list of them, is not within its buffer.
    """
    return find_unclear(decode_lists(starts, ends, offsets, data)) or []


def _is_clear(ids: Any) -> bool:
    if type(ids) is not list or not {*map(type, ids)} <= {str} or len({*ids}) != len(ids):
        return False
    return _are_visible(ids)


def count_key_ends(text: bytes | list[bytes], /) -> int:
    """Return how many colons follow a quote, with or without white space between them.

    In a list of texts, each is one by itself.
    """
    if isinstance(text, list):
        return sum(map(count_key_ends, text))
    *before, _ = text.split(b":")
    return sum(part.rstrip(SPACE).endswith(b'"') for part in before)


def _are_ranges(ends: list[int], size: int) -> bool:
    """Whether each number ends where the next one begins, all of them within a buffer."""
    return all(0 <= start <= end <= size for start, end in pairwise(ends))


def _are_between(lists: list[Any], most: int) -> bool:
    lengths = [*map(len, lists)]
    return min(lengths) > 0 and max(lengths) <= min(most, 255)


def _are_visible(ids: list[str]) -> bool:
    joined = "".join(ids)
    return all(ids) and joined.isascii() and joined.isprintable() and " " not in joined


def _count_ids(groups: Iterable[list[Id]]) -> int:
    return sum(map(len, groups))


def _lengths(lists: Iterable[list[Any]]) -> bytes:
    return array("q", list(map(len, lists))).tobytes()
