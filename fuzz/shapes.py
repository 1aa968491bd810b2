"""Inputs of a given size that are hard on some reader: deep, wide, long, repeated, broken."""

import gzip
import json
import struct
from collections.abc import Callable, Iterator, Mapping

Make = Callable[[int], bytes]
"""Makes an input of about so many bytes."""


def _fill(piece: bytes, start: bytes = b"", end: bytes = b"") -> Make:
    return lambda size: start + piece * max(1, (size - len(start) - len(end)) // len(piece)) + end


def _number(piece: str, start: str = "", end: str = "", between: str = "") -> Make:
    """Repeat a piece with a number in it."""

    def make(size: int) -> bytes:
        count = max(1, (size - len(start) - len(end)) // (len(piece % 99_999) + len(between)))
        return (start + between.join(piece % number for number in range(count)) + end).encode()

    return make


def _deep(opening: bytes, closing: bytes) -> Make:
    def make(size: int) -> bytes:
        levels = size // (len(opening) + len(closing))
        return opening * levels + closing * levels

    return make


def _multiply(size: int) -> bytes:
    """Return a query whose results repeat an id that all groups list."""
    count = max(1, size // len('["a"],"a",'))
    groups, results = ",".join(['["a"]'] * count), ",".join(['"a"'] * count)
    return f'{{"id": "q", "ground_truth": [{groups}], "results": [{results}]}}'.encode()


def _record(groups: str) -> str:
    return f'{{"id": "q", "ground_truth": {groups}, "results": ["a"]}}\n'


GOOD = '{"id": "q%d", "ground_truth": [["a", "b"], ["c"]], "results": ["a", "x"]}\n'
JSON: Mapping[str, Make] = {
    "unclosed lists": _fill(b"["),
    "unclosed objects": _fill(b'{"a":'),
    "lists in lists": _deep(b"[", b"]"),
    "objects in objects": _deep(b'{"a":[', b"]}"),
    "a string": _fill(b"x", b'{"id": "', b'", "ground_truth": [["a"]]}'),
    "an unclosed string": _fill(b"x", b'{"id": "'),
    "escapes": _fill(b"\\u0041", b'{"id": "', b'", "ground_truth": [["a"]]}'),
    "escaped quotes": _fill(b'\\"', b'{"id": "', b'", "ground_truth": [["a"]]}'),
    "backslashes": _fill(b"\\"),
    "digits": _fill(b"9", b'{"id": ', b', "ground_truth": [["a"]]}'),
    "digits of a fraction": _fill(b"9", b'{"q": [["a"]], "x": 0.', b"}"),
    "spaces": _fill(b" "),
    "spaces in an object": _fill(b" ", b'{"q": ', b'[["a"]]}'),
    "line breaks": _fill(b"\n"),
    "carriage returns": _fill(b"\r"),
    "keys": _number('"k%d": [["a"]]', "{", "}", ", "),
    "keys with one value": _number('"k%d": 1', '{"id": "q", "ground_truth": [["a"]], ', "}", ", "),
    "keys in metadata": _number(
        '"k%d": 1', '{"id": "q", "ground_truth": [["a"]], "metadata": {', "}}", ", "
    ),
    "one key again and again": _fill(b'"a": 1, ', b"{", b'"a": 1}'),
    "records": _number(GOOD),
    "records in a list": _number(GOOD.strip(), "[", "]", ","),
    "records without commas": _number(GOOD.strip(), "[", "]"),
    "one record again and again": _fill(_record('[["a", "b"], ["c"]]').encode()),
    "broken records": _fill(b'{"id": "q", "ground_truth": [["a"]\n'),
    "broken records in a list": _fill(b'{"id": "q", "ground_truth": [["a"], ', b"["),
    "records of an unknown shape": _number('{"a%d": {"b": [1, "x"]}}\n'),
    "empty objects": _fill(b"{}\n"),
    "empty lists": _fill(b"[],", b"[", b"[]]"),
    "quotes": _fill(b'"'),
    "colons": _fill(b'":'),
    "comments": _fill(b"//\n"),
    "alternatives": _number('"d%d"', '{"id": "q", "ground_truth": [[', "]]}", ", "),
    "groups": _number('["d%d"]', '{"id": "q", "ground_truth": [', "]}", ", "),
    "one group again and again": _fill(b'["a", "b"], ', b'{"q": [', b'["a"]]}'),
    "groups that share": _number('["a", "d%d"]', '{"q": [', "]}", ", "),
    "one alternative again and again": _fill(b'"a", ', b'{"q": [[', b'"a"]]}'),
    "results": _number('"d%d"', '{"id": "q", "ground_truth": [["a"]], "results": [', "]}", ", "),
    "one result again and again": _fill(
        b'"a", ', b'{"id": "q", "ground_truth": [["a"]], "results": [', b'"a"]}'
    ),
    "one result again and again, in all groups": _multiply,
    "ids that differ little": _number(
        '{"id": "query-%d", "ground_truth": [["Doc-%%d"]], "results": ["doc-%%d"]}\n'.replace(
            "%%d", "x"
        )
    ),
    "integers as ids": _number('{"id": %d, "ground_truth": [[1, 2]], "results": [2]}\n'),
    "a long text for each record": _fill(b'{"id": "q", "ground_truth": "' + b"x" * 300 + b'"}\n'),
    "bytes that are no UTF-8": _fill(b"\xff\xfe\xfd"),
    "NULs": _fill(b"\0"),
    "bytes that are no UTF-8, in lines": _fill(b'{"id": "\xff"}\n'),
    "combining characters": _fill("e\u0301\u0327".encode(), b'{"id": "', b'"}'),
}  # fmt: skip
TABLES: Mapping[str, Make] = {
    "commas": _fill(b","),
    "a header of columns": _number("c%d", end="\n1\n", between=","),
    "a wide row": _fill(b",", b"query_id,doc_id\n"),
    "quoted quotes": _fill(b'""', b'query_id,doc_id\n"', b'"\n'),
    "an unclosed quote": _fill(b"x\n", b'query_id,doc_id\n"'),
    "cells of one quote": _fill(b'"\n', b"query_id,doc_id\n"),
    "rows": _number("q%d,d1,0,1\n", "query_id,doc_id,group,grade\n"),
    "rows of one query": _number("q,d%d,0,1\n", "query_id,doc_id,group,grade\n"),
    "rows of groups": _number("q,d,%d,1\n", "query_id,doc_id,group,grade\n"),
    "short rows": _fill(b"q\n", b"query_id,doc_id\n"),
    "literals": _fill(b"'a', ", b'query_id,ground_truth\nq,"[[', b"'a']]\"\n"),
    "deep literals": _fill(b"[", b'query_id,ground_truth\nq,"', b'"\n'),
    "tabs": _fill(b"\t"),
    "semicolons": _fill(b";\n"),
    "lines of TREC": _number("q%d 0 d1 1\n"),
    "lines of a TREC run": _number("q Q0 d%d 1 0.5 tag\n"),
    "lines of TREC with ties": _fill(b"q Q0 d 1 0.5 tag\n"),
    "lines of BEIR": _number("q%d\td1\t1\n", "query-id\tcorpus-id\tscore\n"),
    "words": _fill(b"word "),
    "short lines": _fill(b"a\n"),
    "judgements": _number("q,d%d,1,,me,yes\n", "query,candidate,group,text,judge,verdict\n"),
}  # fmt: skip


def _zip(make: Make) -> Make:
    return lambda size: gzip.compress(make(size), 6, mtime=0)


def _parquet(length: int, body: bytes = b"\0") -> Make:
    def make(size: int) -> bytes:
        return b"PAR1" + body * ((size - 12) // len(body)) + struct.pack("<I", length) + b"PAR1"

    return make


def _matrix(header: bytes) -> Make:
    return lambda size: (
        b"\x93NUMPY\x02\0" + struct.pack("<I", len(header) + size) + header + b" " * size
    )


BINARY: Mapping[str, Make] = {
    "gzip of zeros": _zip(bytes),
    "gzip of open brackets": _zip(_fill(b"[")),
    "gzip of records": _zip(_number(GOOD)),
    "members of gzip": lambda size: gzip.compress(b"{}\n", mtime=0) * (size // 24),
    "a footer of parquet that is too long": _parquet(2**31 - 1),
    "a footer of parquet of zeros": _parquet(900_000),
    "a footer of parquet of lists": _parquet(900_000, b"\x19\xfc\xff\xff\xff\x0f"),
    "a footer of parquet of structs": _parquet(900_000, b"\x1c"),
    "a header of NumPy": _matrix(b"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)}"),
    "a deep header of NumPy": _matrix(b"(" * 2_000),
}


def list_shapes(size: int) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each shape."""
    for name, make in {**JSON, **TABLES, **BINARY}.items():
        yield name, make(size)


SIGNS = (
    "a", " ", "(", ")", '"', "\\", "=", ":", ",", "@", ".", "9", "-", "[", "{", "'", "é", "\n", "+",
    "#", "*", "lower(", "a=b,", "baseline * ",
)  # fmt: skip


def spell_long(size: int) -> Iterator[tuple[str, bytes]]:
    """Yield long texts for what people type."""
    for sign in SIGNS:
        yield f"many {sign!r}", sign.encode() * (size // len(sign.encode()))
    yield "many pairs", b"recall@5 >= " * (size // 12)
    yield "many keys", json.dumps({f"k{n}": n for n in range(size // 12)}).encode()
