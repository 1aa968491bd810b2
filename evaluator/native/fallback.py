"""What stands in for the compiled walk over ids where it was not built: the same in Python.

Answers of both may be "not certain" or "left to you"; then the caller takes the general way.
"""

from array import array
from collections.abc import Iterable
from itertools import accumulate, chain, pairwise
from typing import Any, TypeAlias

from groupwise.evaluator.hits.arrays import IntArray, np
from groupwise.schemas import Id

SPACE = b" \t\r\n"
QUOTE, COLON = b'":'
Buffer: TypeAlias = Any
"""Whatever lends its bytes; Python has no type for it before 3.12."""
Clean: TypeAlias = tuple[list[bytes], bytes]
Left: TypeAlias = list[tuple[int, int]]
RunRow: TypeAlias = tuple[str, int, list[str], list[float]]
Matched: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes, int, Left]


def are_flat(_values: Any, /) -> bool:
    """Whether all are objects that hold neither objects nor lists: not certain."""
    return False


def are_plain_texts(_offsets: IntArray, _data: Buffer, /) -> bool:
    """Whether texts in a buffer are all ASCII and none of them is blank: not certain."""
    return False


def are_rankings(_lists: Any, /) -> bool:
    """Whether all are lists of strings that are not blank, and hold something: not certain."""
    return False


def are_truths(_lists: Any, /) -> bool:
    """Whether all are lists of groups, which are such lists and not empty: not certain."""
    return False


def matched(truths: list[list[list[Id]]], rankings: list[list[Id]], first: int, /) -> Matched:
    """Match rankings with ground truths whose alternatives are numbered from ``first`` on.

    Returns:
        In 64-bit integers: the number of results and of groups of each query, the size of each
        group, rank and alternative of each hit. Then the number after the last alternative, and
        the rows left to the caller (here all), each with the number of its first alternative.
    """
    groups = list(chain.from_iterable(truths))
    *starts, end = accumulate(map(_listed, truths), initial=first)
    left = list(enumerate(starts))
    return _lengths(rankings), _lengths(truths), _lengths(groups), b"", b"", end, left


def matched_texts(
    truths: list[list[list[Id]]],
    starts: IntArray,
    ends: IntArray,
    offsets: IntArray,
    data: Buffer,
    first: int,
    /,
) -> Matched:
    """The same where the results of each query are texts in a buffer, from start to end."""
    return matched(truths, string_lists(starts, ends, offsets, data), first)


def run_rows(_block: bytes, _first: int, /) -> list[RunRow] | None:
    """The lines of a TREC run, in order: left to the caller.

    Returns:
        For neighbouring lines of a query: the query, the number of their first line, documents,
        and scores. None if a line is not plain: it has other columns, or a score that is not
        a finite number below 2^53, or is not UTF-8.
    """
    return None


def string_lists(
    starts: IntArray, ends: IntArray, offsets: IntArray, data: Buffer, /
) -> list[list[Id]]:
    """Lists of the texts of a buffer, each from start to end."""
    rows = zip(starts.tolist(), ends.tolist(), strict=True)
    return [strings(offsets, data, start, end) for start, end in rows]


def strings(offsets: IntArray, data: Buffer, start: int, end: int, /) -> list[Id]:
    """The texts of a buffer from one number to another."""
    places, view = offsets[start : end + 1].tolist(), memoryview(data)
    return [str(view[one:other], "utf-8") for one, other in pairwise(places)]


def text_hashes(texts: Any, /) -> bytes | None:
    """The hashes of a list of strings, in 64-bit integers; None if it is anything else."""
    if type(texts) is not list or not {*map(type, texts)} <= {str}:
        return None
    return array("q", list(map(hash, texts))).tobytes()


def clean_hashes(ids: Any, /) -> bytes | None:
    """The same, if all are visible ASCII without spaces."""
    found = text_hashes(ids)
    return None if found is None or not _are_visible(ids) else found


def clean_truths(truths: Any, groups: int, alternatives: int, single: int, /) -> Clean | None:
    """The sizes of the groups of each ground truth, and the hashes of all ids; None if in doubt.

    In doubt are more groups or alternatives than so many, empty ones, ids that are anything but
    lower-case visible ASCII, that occur twice, or that are a single character among so many.
    """
    if {*map(type, truths)} != {list} or not _are_between(truths, groups):
        return None
    grouped = list(chain.from_iterable(truths))
    if {*map(type, grouped)} != {list} or not _are_between(grouped, alternatives):
        return None
    ids = list(chain.from_iterable(grouped))
    found = clean_hashes(ids)
    longest = max(map(len, chain(truths, grouped)))
    if found is None or (longest >= single and min(map(len, ids)) == 1):
        return None
    if len({*ids}) < len(ids) or "".join(ids) != "".join(ids).lower():
        return None
    return [bytes(map(len, truth)) for truth in truths], found


def ends_of_keys(text: bytes, /) -> int:
    """How many colons follow a quote, with or without white space between them."""
    signs = np.frombuffer(text, np.uint8)
    colons, before = signs[1:] == COLON, signs[:-1]
    if (colons & (before <= 32)).any():
        return bytes(text).translate(None, SPACE).count(b'":')
    return int(np.count_nonzero(colons & (before == QUOTE)))


def keys_within(_value: Any, /) -> int | None:
    """How many keys all objects within a value have together: not certain."""
    return None


def _are_between(lists: list[Any], most: int) -> bool:
    lengths = [*map(len, lists)]
    return min(lengths) > 0 and max(lengths) <= min(most, 255)


def _are_visible(ids: list[str]) -> bool:
    joined = "".join(ids)
    return all(ids) and joined.isascii() and joined.isprintable() and " " not in joined


def _listed(groups: Iterable[list[Id]]) -> int:
    return sum(map(len, groups))


def _lengths(lists: Iterable[list[Any]]) -> bytes:
    return array("q", list(map(len, lists))).tobytes()
