"""Fixes keep what they promise and every other byte, and files are whole at any time."""

import gzip
import hashlib
import importlib
import json
import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import OutputError, fix, fix_in_place, validate
from groupwise.evaluator.reading.text_file import TextFile, encode_text
from groupwise.evaluator.validation.engine.fixing import Fixed, fix_text
from groupwise.evaluator.validation.facts.draft import Draft
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.rules.registry import add_rule
from groupwise.evaluator.validation.rules.rule import Fix, Rule
from tests.cli.shell import COMMAND
from tests.formats.reading import blocks_of, file_of
from tests.strategies import FEWER
from tests.validation.data import BY_ID, DATA_SETS, FIXTURES, RUNS

Records = list[dict[str, Any]]
ALL = st.one_of(DATA_SETS, FIXTURES, RUNS)
FLAT = st.sampled_from([None, "any", "all"])


def fixes(path: Path, *, unsafe: bool = True, **asked: Any) -> Fixed:
    return fix_text(os.fspath(path), Request(**asked), lambda _code, _file: True, unsafe=unsafe)


def fixed_text(text: str, suffix: str = ".jsonl", *, unsafe: bool = True, **asked: Any) -> str:
    with file_of(text, suffix) as path:
        return fixes(path, unsafe=unsafe, **asked).new


def fix_record(record: str, **asked: Any) -> str:
    return fixed_text(f"{record}\n", **asked).removesuffix("\n")


def as_lines(records: Records) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def as_list(records: Records) -> str:
    return json.dumps(records, indent=1, ensure_ascii=False)


def as_fixture(records: Records) -> str:
    return json.dumps({"name": "n", "queries": records}, indent=2)


FORMS: list[tuple[str, Callable[[Records], str]]] = [
    (".jsonl", as_lines), (".json", as_list), (".json", as_fixture),
]  # fmt: skip


@FEWER
@given(ALL, st.sampled_from(FORMS), st.booleans(), FLAT)
def test_a_second_time_nothing_is_left_to_fix(
    records: Records, form: tuple[str, Callable[[Records], str]], unsafe: bool, flat: Any
) -> None:
    suffix, spelled = form
    with file_of(spelled(records), suffix) as path:
        first = fixes(path, unsafe=unsafe, flat=flat)
        path.write_text(first.new)
        assert fixes(path, unsafe=unsafe, flat=flat).new == first.new
        left = [finding for finding in validate(path, flat=flat).findings if finding.fix]
    allowed = {"safe", "unsafe"} if unsafe else {"safe"}
    assert [finding for finding in left if finding.fix in allowed and not is_stuck(finding)] == []


def is_stuck(finding: Any) -> bool:
    """An odd key that would be equal to another one once it is clean stays."""
    last = finding.pointer.rsplit("/", 1)[1]
    return bool(finding.code == "GT011" and last != "id" and not last.isdigit())


@FEWER
@given(ALL, st.booleans())
def test_records_without_a_fix_stay_byte_for_byte(records: Records, unsafe: bool) -> None:
    spellings = [json.dumps(record, indent=None) for record in records]
    odd = [text.replace(":", " :\t").replace(",", " ,") if number % 2 else text
           for number, text in enumerate(spellings)]  # fmt: skip
    text = "\r\n".join(odd)
    with file_of(text, ".jsonl") as path:
        new = fixes(path, unsafe=unsafe).new.split("\r\n")
        allowed = {"safe", "unsafe"} if unsafe else {"safe"}
        touched = {finding.line for finding in validate(path).findings if finding.fix in allowed}
    assert len(new) == len(records)
    for number, (before, after) in enumerate(zip(odd, new, strict=True), 1):
        assert after == before or number in touched
        assert [*json.loads(after)][: len(json.loads(before))] == [*json.loads(before)] or unsafe


@FEWER
@given(ALL)
def test_safe_fixes_change_nothing_but_repeats_within_a_group(records: Records) -> None:
    new = [json.loads(line) for line in fixed_text(as_lines(records), unsafe=False).splitlines()]
    assert [without_repeats(record) for record in records] == new


def without_repeats(record: dict[str, Any]) -> dict[str, Any]:
    """By hand: bare ids that a list of them, or of alternatives in full, has had before."""
    truth = record.get("ground_truth")
    if not isinstance(truth, list):
        return record
    split = len(truth) >= 5 and all(isinstance(g, list) and len(g) == 1 for g in truth)
    return record if split else {**record, "ground_truth": [_distinct(group) for group in truth]}


def _distinct(group: Any) -> Any:
    if isinstance(group, dict) and "alternatives" in group:
        return {**group, "alternatives": _distinct(group["alternatives"])}
    if not isinstance(group, list) or _is_split(group):
        return group
    kept: list[Any] = []
    full = {
        alternative["id"]
        for alternative in group
        if isinstance(alternative, dict) and alternative.get("grade", 1)
    }
    for alternative in group:
        blank = isinstance(alternative, str) and not alternative.strip()
        first_is_full = (
            not isinstance(alternative, dict)
            and alternative in full
            and not any(alternative == other for other in kept)
        )
        if isinstance(alternative, dict) or blank or first_is_full or alternative not in kept:
            kept.append(alternative)
    return kept


def _is_split(group: list[Any]) -> bool:
    signs = [
        alternative
        for alternative in group
        if isinstance(alternative, str) and len(alternative) == 1
    ]
    return len(signs) == len(group) >= 5 and group != sorted(set(group))


@FEWER
@given(BY_ID)
def test_maps_are_fixed_as_records_are(by_id: dict[str, Any]) -> None:
    bare = {query: content["ground_truth"] for query, content in by_id.items()}
    records = [{"id": query, "ground_truth": truth} for query, truth in bare.items()]
    expected = [json.loads(line) for line in fixed_text(as_lines(records)).splitlines()]
    found = json.loads(fixed_text(json.dumps(bare), ".json"))
    truths = [record.get("ground_truth") for record in expected]
    assert list(found.values()) == truths


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Ids that are keys of their grades are renamed; the grade stays.
        ('{"id": "q", "ground_truth": [{"a": 1, " b": 2}]}',
         '{"id": "q", "ground_truth": [{"a": 1, "b": 2}]}'),
        ('{"id": "q", "ground_truth": [{"b": 1, " b": 2}]}',
         '{"id": "q", "ground_truth": [{"b": 1, " b": 2}]}'),
        # An empty group in full goes whole.
        ('{"id": "q", "ground_truth": [{"alternatives": [], "weight": 2}, ["a"]]}',
         '{"id": "q", "ground_truth": [["a"]]}'),
        # A split id keeps the weight of its group.
        ('{"id": "q", "ground_truth": [{"alternatives": ["d", "o", "c", "-", "1"], "weight": 2}]}',
         '{"id": "q", "ground_truth": [{"alternatives": ["doc-1"], "weight": 2}]}'),
        ('{"id": "q", "ground_truth": [["d"], ["o"], ["c"], ["-"], ["1"]]}',
         '{"id": "q", "ground_truth": [["doc-1"]]}'),
        # A repeat with a grade of its own may mean something.
        ('{"id": "q", "ground_truth": [{"alternatives": ["a", {"id": "a", "grade": 3}]}]}',
         '{"id": "q", "ground_truth": [{"alternatives": ["a", {"id": "a", "grade": 3}]}]}'),
        # Scores go with removed results, where there is one for each.
        ('{"id": "q", "results": ["a", "b", "a"], "scores": [3, 2, 1]}',
         '{"id": "q", "results": ["a", "b"], "scores": [3, 2]}'),
        ('{"id": "q", "results": ["a", "", "b"], "retrieve_scores": [3, 2, 1]}',
         '{"id": "q", "results": ["a", "b"], "retrieve_scores": [3, 1]}'),
        ('{"id": "q", "results": ["a", "a"], "scores": null}',
         '{"id": "q", "results": ["a"], "scores": null}'),
        ('{"id": "q", "results": [{"id": "a", "score": 2}, {"id": "a", "score": 1}]}',
         '{"id": "q", "results": [{"id": "a", "score": 2}]}'),
        # A key given twice: which place is meant cannot be told.
        ('{"id": "q", "ground_truth": [["a"]], "ground_truth": [["b", " c"]]}',
         '{"id": "q", "ground_truth": [["a"]], "ground_truth": [["b", " c"]]}'),
        # Unknown fields: the first one, and then the next.
        ('{"Id": "q", "ground_thruth": [["a"]], "qurey": "x"}',
         '{"id": "q", "ground_truth": [["a"]], "query": "x"}'),
        ('{"id": "q", "retrieval_gt": [["a"]], "ground_thruth": [["b"]]}',
         '{"id": "q", "retrieval_gt": [["a"]], "ground_thruth": [["b"]]}'),
        # One fix after the other.
        ('{"id": "q", "ground_truth": [["", " "]]}',
         '{"id": "q", "ground_truth": [], "answerable": false}'),
        ('{"id": "q", "ground_truth": "doc"}', '{"id": "q", "ground_truth": [["doc"]]}'),
        ('{"id": "q", "ground_truth": [["7"], [8]]}',
         '{"id": "q", "ground_truth": [["7"], ["8"]]}'),
    ],
)  # fmt: skip
def test_what_becomes_of_a_record(old: str, new: str) -> None:
    assert fix_record(old) == new


@pytest.mark.parametrize(("flat", "new"), [("any", '[["a" , "b"]]'), ("all", '[["a"] , ["b"]]')])
def test_a_flat_list_is_written_as_it_was_answered(flat: Any, new: str) -> None:
    old = '{"id": "q", "ground_truth": ["a" , "b"]}'
    assert fix_record(old, flat=flat) == old.replace('["a" , "b"]', new)
    assert fix_record(old) == old
    assert fix_record(old, flat=flat, unsafe=False) == old
    assert json.loads(fixed_text('{"q": ["a"]}', ".json", flat=flat)) == {"q": [["a"]]}


def test_grades_by_id_are_written_as_they_were_answered() -> None:
    old = '{"id": "q", "ground_truth": {"a": 2, "b": 1}}'
    assert json.loads(fix_record(old, flat="any"))["ground_truth"] == [{"a": 2, "b": 1}]
    assert json.loads(fix_record(old, flat="all"))["ground_truth"] == [{"a": 2}, {"b": 1}]
    below = old.replace("1", "-1")
    assert fix_record(below, flat="any") == below


def test_fixes_are_counted_once_each() -> None:
    text = '{"id": "q1", "ground_truth": [["a", " a", "a"], [], ["", "b"]]}\n'
    with file_of(text, ".jsonl") as path:
        found = fixes(path)
    assert json.loads(found.new)["ground_truth"] == [["a"], ["b"]]
    # The third "a" repeats the first, and so does the second once it has no space.
    assert found.by_code == Counter(GT007=2, GT011=1, GT004=1, GT002=1)


def test_mark_compression_and_line_breaks_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl.gz"
    old = (
        '\ufeff{"id": "q1", "ground_truth": [["a", "a"]]}\r\n{"id":"q2","ground_truth":[["é"]]}\r\n'
    )
    path.write_bytes(gzip.compress(old.encode()))
    kept = fix_text(os.fspath(path), Request(), lambda code, _file: code != "IO003", unsafe=False)
    assert kept.new == old.replace('["a", "a"]', '["a"]')
    TextFile(path).write(fixes(path, unsafe=False).new)
    assert gzip.decompress(path.read_bytes()).decode() == kept.new.removeprefix("\ufeff")


@pytest.mark.parametrize("data", [b"\x1f\x8bdamaged", b"\xff\xfe{", b'{"id": ', b"", b"\xff"])
def test_what_cannot_be_read_is_left_alone(data: bytes) -> None:
    with file_of(data, ".json") as path:
        found = fixes(path)
    assert found.new == found.old


def test_damage_far_into_compressed_data_is_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl.gz"
    names = [hashlib.sha256(b"%d" % number).hexdigest() for number in range(5000)]
    whole = gzip.compress(as_lines([{"id": name} for name in names]).encode())
    middle = len(whole) // 2
    path.write_bytes(whole[:middle] + bytes(60) + whole[middle + 60 :])
    assert fixes(path).by_code == Counter()


FIX = importlib.import_module("groupwise.evaluator.validation.fix")
BETWEEN = st.sampled_from(["", "  ", '{"id": "bad"', '{"id": "k", "id": "k"}', "\udcff", "7"])
"""What stands between records in files that people write; one of them is not UTF-8."""


@FEWER
@given(
    records=ALL,
    between=st.lists(st.tuples(st.integers(0, 9), BETWEEN), max_size=3),
    unsafe=st.booleans(),
    flat=FLAT,
    start=st.sampled_from(["", "\ufeff"]),
    ends=st.sampled_from([("\n", "\n"), ("\r\n", ""), ("\n", ""), ("\r\n", "\r\n")]),
    block=st.sampled_from([1, 64, 1 << 17]),
    packed=st.booleans(),
)
def test_line_by_line_the_same_is_fixed_as_in_memory(
    records: Records,
    between: list[tuple[int, str]],
    unsafe: bool,
    flat: Any,
    start: str,
    ends: tuple[str, str],
    block: int,
    packed: bool,
) -> None:
    lines = [json.dumps(record) for record in records]
    for place, line in between:
        lines.insert(place, line)
    data = encode_text(start + ends[0].join(lines) + ends[1])
    with file_of(gzip.compress(data) if packed else data, ".jsonl") as path, blocks_of(block):
        expected = fix(path, unsafe=unsafe, flat=flat, write=False)
        with mock.patch.object(FIX, "fix_text", side_effect=AssertionError("in memory")):
            done = fix_in_place(path, unsafe=unsafe, flat=flat)
        found = path.read_bytes()
        assert found.startswith(b"\x1f\x8b") == packed
        assert (gzip.decompress(found) if packed else found) == encode_text(expected.new)
    assert done.by_code == expected.by_code
    assert (done.notes, done.unfixed) == (expected.notes, len(expected.notes))
    assert (done.has_changed, done.is_readable) == (expected.has_changed, expected.is_readable)


def test_a_fix_of_the_first_record_changes_how_others_are_read(tmp_path: Path) -> None:
    """Only in a second reading the third line is of another kind than those before."""
    path = tmp_path / "data.jsonl"
    lines = [
        '{"id": "q1", "ground_truth": [["7"], [8]]}', '{"id": "q2", "ground_truth": [[9]]}',
    ]  # fmt: skip
    path.write_text("\n".join(lines))
    expected = fix(path, unsafe=True, write=False)
    done = fix_in_place(path, unsafe=True)
    assert (
        path.read_text() == expected.new == "\n".join(lines).replace("8", '"8"').replace("9", '"9"')
    )
    assert done.by_code == expected.by_code


def test_a_file_with_nothing_to_fix_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text(as_lines([{"id": "q", "ground_truth": [["a"]]}] * 3))
    before = path.stat()
    tmp_path.chmod(0o500)
    try:
        assert not fix_in_place(path, unsafe=True).has_changed
    finally:
        tmp_path.chmod(0o700)
    assert path.stat() == before


def test_links_and_modes_are_kept(tmp_path: Path) -> None:
    path, link = tmp_path / "data.jsonl", tmp_path / "link.jsonl"
    path.write_text(repeats(3))
    path.chmod(0o640)
    link.symlink_to(path.name)
    assert fix_in_place(link).by_code == Counter(GT007=3)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert '"b0"], ["c0"]' in path.read_text()


@pytest.mark.parametrize("change", ["content", "hard link"])
def test_what_changes_meanwhile_is_left_alone(change: str, tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text(repeats(5))

    def disturb(_records: int) -> None:
        if change == "content":
            path.write_text("changed")
        elif not (tmp_path / "other").exists():
            (tmp_path / "other").hardlink_to(path)

    with pytest.raises(OutputError, match=r"changed meanwhile|hard links"):
        fix_in_place(path, progress=disturb)
    assert path.read_text() == ("changed" if change == "content" else repeats(5))
    assert {each.name for each in tmp_path.iterdir()} <= {"data.jsonl", "other"}


def test_rules_that_rewrite_as_they_like_see_the_whole_text(
    nothing_added: None, tmp_path: Path
) -> None:
    def check(_source: Any) -> list[Draft]:
        return [] if "shouted" in seen else [Draft("XX001", "not loud")]

    def shout(text: str) -> str:
        seen.append("shouted")
        return text.upper()

    seen: list[str] = []
    loud = Fix("Shouts.", "safe", rewrite=shout)
    add_rule(Rule("XX001", "loud", "info", what="It is not loud.", check_source=check, fix=loud))
    path = tmp_path / "data.jsonl"
    path.write_text('{"id": "q", "ground_truth": [["a"]]}')
    assert fix_in_place(path).by_code == Counter(XX001=1)
    assert path.read_text() == '{"ID": "Q", "GROUND_TRUTH": [["A"]]}'


def test_of_many_records_that_cannot_be_fixed_the_first_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text('{"id": "q", "ground_truth": [["a"]], "ground_truth": [["a", "a"]]}\n' * 1005)
    done = fix_in_place(path)
    assert (len(done.notes), done.unfixed, done.has_changed) == (1000, 1005, False)
    assert done.notes[-1] == f"{path}:1000: not fixed, because a key is repeated"


@pytest.mark.parametrize("function", ["replace", "write", "fsync"])
def test_a_failure_on_the_way_leaves_the_old_file(
    function: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text('{"id": "q1", "ground_truth": [["a", "a"]]}\n')
    before = path.read_bytes()

    def fail(*_arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    if function == "write":
        monkeypatch.setattr("groupwise.evaluator.reading.writing.os.fdopen", lambda *_: fail())
    elif function == "replace":
        monkeypatch.setattr(Path, "replace", fail)
    else:
        monkeypatch.setattr(os, "fsync", fail)
    file = TextFile(path)
    with pytest.raises(OutputError):
        file.write(file.text.replace("a", "b"))
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["data.jsonl"]


TRIES = 40
"""How often a process is interrupted."""


def repeats(count: int) -> str:
    return as_lines(
        [{"id": f"q{n}", "ground_truth": [[f"a{n}", f"b{n}", f"a{n}"], [f"c{n}"]]}
         for n in range(count)]
    )  # fmt: skip


@pytest.mark.nightly
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_interrupted_at_any_moment_the_file_is_the_old_or_the_new_one(
    number: signal.Signals, tmp_path: Path
) -> None:
    path = tmp_path / "data.jsonl"
    old = repeats(3000).encode()
    path.write_bytes(old)
    started = time.monotonic()
    words = [*COMMAND, "validate", "--fix", os.fspath(path)]
    assert subprocess.run(words, capture_output=True, check=False).returncode == 0
    needed = time.monotonic() - started
    new = path.read_bytes()
    assert new != old
    chance = random.Random(number)  # noqa: S311
    for _ in range(TRIES):
        path.write_bytes(old)
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.3, 1) * needed)
        process.send_signal(number)
        code = process.wait(60)
        assert path.read_bytes() in (old, new)
        stray = [each for each in tmp_path.iterdir() if each != path]
        # Nothing can clean up after a kill; what it leaves is a hidden file of its own name.
        assert all(each.name.startswith(".groupwise-") for each in stray)
        assert not stray or number == signal.SIGKILL
        for each in stray:
            each.unlink()
        assert code in {0, 128 + number, -number}


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        (
            '{"q": [["a", "b"]], "r": [["x"]], "q": [["c", "c"]]}',
            '{"q": [["a", "b"]], "r": [["x"]], "q": [["c"]]}',
        ),
        (
            '{"q": [["a", "a"]], "q": {"id": "q1", "ground_truth": [["a", "a"]]}}',
            '{"q": [["a"]], "q": {"id": "q1", "ground_truth": [["a"]]}}',
        ),
    ],
)
def test_each_value_of_a_repeated_key_is_edited_where_it_is(text: str, fixed: str) -> None:
    assert fixed_text(text, ".json") == fixed
