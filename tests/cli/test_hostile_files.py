"""Hostile JSON files: each is a value or one clear error, in every command that reads it."""

import io
import json
import pickle
import zipfile

import pytest

from tests.cli.conftest import Groupwise, Write

RECORD = '{"id": "q1", "ground_truth": [["a"]], "results": ["a"]%s}'
FIXTURE = f'{{"queries": [{RECORD % ""}]}}'
TOO_DEEP = "nested deeper than 64 levels"
OUT_OF_RANGE = "a number out of range"
NO_CHARACTER = "a lone surrogate"
NOT_UTF_8 = "not UTF-8: the byte 0x"
REPEATED = "is repeated (first at line 1"


def having(member: str) -> str:
    """A fixture whose query has one more member."""
    return f'{{"queries": [{RECORD % f", {member}"}]}}'


def in_metadata(value: str) -> str:
    return having(f'"metadata": {{"x": {value}}}')


def listed(**members: str) -> str:
    """A list of one record, some of whose members are other JSON."""
    record = {"id": '"q1"', "ground_truth": '[["a"]]', "results": '["a"]', **members}
    return "[{" + ", ".join(f'"{name}": {value}' for name, value in record.items()) + "}]"


def zipped() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("data.json", FIXTURE)
    return stream.getvalue()


DEEP = {
    f"{kind} nested {levels:,} times": (
        in_metadata(opening * levels + "1" + closing * levels),
        TOO_DEEP,
    )
    for kind, opening, closing in (("lists", "[", "]"), ("objects", '{"a":', "}"))
    for levels in (100, 300, 1_000, 100_000, 1_000_000)
}
FILES: dict[str, tuple[str | bytes, str]] = {
    **DEEP,
    "a list that is never closed": ("[" * 1_000_000, TOO_DEEP),
    "an object that is never closed": ('{"a":' * 1_000_000, TOO_DEEP),
    "an id that is never closed": ('[{"id": ' + "[" * 1_000_000, TOO_DEEP),
    "a string that is never closed": ('[{"id": "' + "a" * 100_000, "the text ends too early"),
    "an id of 5,000 digits": (listed(ground_truth=f"[[{'9' * 5000}]]"), OUT_OF_RANGE),
    "metadata of 5,000 digits": (in_metadata("9" * 5000), OUT_OF_RANGE),
    "an id of 65 bits": (listed(ground_truth="[[18446744073709551617]]"), "too large for an id"),
    "a query id of 65 bits": (listed(id="-9223372036854775809"), "is not a query id"),
    "metadata of 65 bits": (in_metadata("18446744073709551617"), ""),
    "a huge score": (having('"scores": [1e999]'), OUT_OF_RANGE),
    "a score of 400,000,000 digits": (having('"scores": [1e400000000]'), OUT_OF_RANGE),
    "a score just out of range": (having('"scores": [1.7976931348623159e308]'), OUT_OF_RANGE),
    "a tiny score": (having('"scores": [1e-999]'), ""),
    "a huge weight": (
        listed(ground_truth='[{"alternatives": ["a"], "weight": -1e999}]'), OUT_OF_RANGE
    ),
    "a huge tolerance": (f'{{"tolerance": 1e999, "queries": [{RECORD % ""}]}}', OUT_OF_RANGE),
    "NaN in a head": ('{"tolerance": NaN, "queries": []}', "NaN is not JSON"),
    "NaN as a score": (having('"scores": [NaN]'), "NaN is not JSON"),
    "Infinity in metadata": (in_metadata("-Infinity"), "-Infinity is not JSON"),
    "half a character, escaped": (listed(id='"\\ud800"'), NO_CHARACTER),
    "half a character as a key": ('{"\\ud800": [["a"]]}', NO_CHARACTER),
    "halves in the wrong order": (listed(id='"\\ude00\\ud83d"'), NO_CHARACTER),
    "a character of two halves": (listed(id='"\\ud83d\\ude00"'), ""),
    "half a character in UTF-8": (
        listed(id='"~"').encode().replace(b"~", b"\xed\xa0\x80"), NOT_UTF_8
    ),
    "an overlong sequence": (listed(id='"~"').encode().replace(b"~", b"\xc0\xaf"), NOT_UTF_8),
    "Latin-1": (listed(id='"é"').encode("latin-1"), NOT_UTF_8),
    "half a sequence at the end": ('[{"id": "é'.encode()[:-1], NOT_UTF_8),
    "NUL in a string": (listed(id='"a\0b"'), "control character"),
    "NUL in a string, escaped": (listed(id='"a\\u0000b"'), ""),
    "a newline in a string": (listed(id='"a\nb"'), "control character"),
    "DEL and CSI in a string": (listed(id='"a\x7f\x9b31m"'), ""),
    "NULs behind the document": (FIXTURE + "\0" * 100, "a second document"),
    "nothing but NULs": ("\0" * 100, "invalid JSON"),
    "a byte order mark": ("\ufeff" + FIXTURE, ""),
    "two byte order marks": ("\ufeff\ufeff" + FIXTURE, "byte order mark"),
    "UTF-16": (FIXTURE.encode("utf-16"), "the file is UTF-16; save it as UTF-8"),
    "UTF-16 without a mark": (FIXTURE.encode("utf-16-le"), "invalid JSON"),
    "UTF-32": (FIXTURE.encode("utf-32"), "the file is UTF-32; save it as UTF-8"),
    "UTF-7": (listed(id='"é"').encode("utf-7"), ""),
    "a key twice": (having('"results": ["b"]'), REPEATED),
    "a key twice, once escaped": (having('"result\\u0073": ["b"]'), REPEATED),
    "a key twice in metadata": (in_metadata('{"y": 1, "y": 2}'), REPEATED),
    "a key twice in a head": ('{"name": "a", "name": "b", "queries": []}', REPEATED),
    "queries twice": (FIXTURE[:-1] + ', "queries": []}', REPEATED),
    "many keys": (
        having('"metadata": {' + ", ".join(f'"k{n}": 1' for n in range(20_000)) + "}"), ""
    ),
    "a pickle": (pickle.dumps({"q1": [["a"]]}), "a Python pickle, which can run code"),
    "a pickle in ASCII": (pickle.dumps({"q1": [["a"]]}, 0), "invalid JSON"),
    "a zip archive": (zipped(), "a zip archive"),
    "XML": ('<?xml version="1.0"?><a/>', "this is XML or HTML"),
    "XML with entities": ('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a/>', "XML"),
    "HTML": ("<!DOCTYPE html><html></html>", "this is a web page"),
    "YAML with tags": ("!!python/object/apply:os.system ['true']\n", "invalid JSON"),
    "YAML with anchors": ("a: &a [x, x]\nb: &b [*a, *a]\n", "invalid JSON"),
    "nothing": ("", "the file is empty"),
    "nothing but blanks": (" \n\t" * 1000, "the file is empty"),
    "true": ("true", "expected a record"),
    "null": ("null", "expected a record"),
    "a number": ("12", "expected a record"),
    "a string": ('"text"', "expected a record"),
    "a trailing comma": (listed(ground_truth='[["a"],]'), "a trailing comma; remove it"),
    "a comment": ('[// no\n{"id": "q1"}]', "comments are not allowed"),
    "single quotes": ("[{'id': 'q1'}]", "JSON strings are in double quotes"),
    "a leading zero": (listed(id="01"), "leading zero"),
    "a leading point": (having('"scores": [.5]'), "invalid JSON"),
    "an escape of JavaScript": (listed(id='"\\x41"'), "invalid escaped sequence"),
    "two documents": (f"{FIXTURE}\n{FIXTURE}", "a second document"),
    "a prototype": (having('"__proto__": {"x": 1}'), "unknown field '__proto__'"),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_a_value_or_one_clear_error(
    name: str, groupwise: Groupwise, write: Write
) -> None:
    content, message = FILES[name]
    path = write("data.json", "")
    with open(path, "wb") as file:  # noqa: PTH123
        file.write(content if isinstance(content, bytes) else content.encode())

    done = groupwise("evaluate", path, "--no-per-query")
    assert done.code == (3 if message else 0), done.err
    if message:
        error, *hints = done.err.splitlines()
        assert error.startswith("error: data.json")
        assert message in error
        assert not any(line.startswith("error") for line in hints)

    done = groupwise("validate", path, "--format", "json")
    findings = json.loads(done.out)["findings"]
    assert done.code == bool(findings), done.err
    assert any(each["severity"] == "error" for each in findings) or not message
    assert any(message in each["message"] for each in findings) or not message

    done = groupwise("inspect", path)
    assert done.code in (0, 3), done.err
    assert len(done.err.splitlines()) == (done.code == 3)
