import gzip
import json
import os
import stat
from pathlib import Path

import pytest

from tests.cli.conftest import GROUND_TRUTH, RESULTS, RUNNING, SIX, Groupwise, Write
from tests.cli.shell import names_in

RIGHT = """\
{"name":   "odd formatting",  "queries": [
\t{ "id" : 7, "ground_truth": [["test-1", "test-2"], ["test-3"]],
\t  "results": ["test-1", "pred-1", "test-2", "pred-3"], "metadata": {"expected": {"ndcg": 1}},
\t  "expected": {"ndcg"  :0.7039180890341347, "nDCG@1": 1 , "first_hit": 1.0}}],
   "expected": { "recall":0.5 ,
      "map" : 0.41666666666666663 } , "tolerance": 1e-9
}

"""
WRONG = (
    RIGHT.replace('"ndcg"  :0.7039180890341347', '"ndcg"  :-1e3')
    .replace('"nDCG@1": 1 ', '"nDCG@1": null ')
    .replace(": 0.41666666666666663 }", ": 0 }")
)


def record(query: object, expected: dict[str, float] | None) -> dict[str, object]:
    plain: dict[str, object] = {"id": query, "ground_truth": GROUND_TRUTH, "results": RESULTS}
    return plain if expected is None else {**plain, "expected": expected}


def test_expectations_that_are_met(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("check", fixture)
    assert (done.code, done.out, done.err) == (0, "ok      first.json: 6 expectations met\n", "")


def test_expectations_that_are_not_met(groupwise: Groupwise, write: Write) -> None:
    name = write("f.json", {**RUNNING, "expected": {"recall": 0.6, "map": SIX["map"]}})
    done = groupwise("check", name)
    assert done.code == 1
    assert "failed  f.json: 1 of 2 expectations not met" in done.out
    assert "mean, recall: expected 0.6, found 0.5" in done.out


def test_tolerance_is_heeded(groupwise: Groupwise, write: Write) -> None:
    expecting = {**RUNNING, "expected": {"ndcg": 0.7}}
    assert groupwise("check", write("f.json", {**expecting, "tolerance": 0.01})).code == 0
    assert groupwise("check", write("f.json", {**expecting, "tolerance": 0.001})).code == 1


def test_a_folder_is_searched_in_order(groupwise: Groupwise, write: Write) -> None:
    for name in ("tests/b.json", "tests/a/z.json", "tests/c.jsonl"):
        write(name, [record("q", {"recall": 0.5})] if name.endswith("json") else
              json.dumps(record("q", {"recall": 0.5})))  # fmt: skip
    Path("tests/d.json.gz").write_bytes(gzip.compress(json.dumps(RUNNING).encode()))
    write("tests/package.json", {"scripts": {"test": "expected"}})
    write("tests/.hidden/broken.json", "{")
    write("tests/notes.txt", "{")
    done = groupwise("check", "tests")
    assert [line.split()[:2] for line in done.out.splitlines()] == [
        ["ok", "tests/a/z.json:"],
        ["ok", "tests/b.json:"],
        ["ok", "tests/c.jsonl:"],
        ["ok", "tests/d.json.gz:"],
        ["skipped", "tests/package.json:"],
        ["5", "files:"],
    ]
    assert (done.code, done.err) == (0, "")


def test_in_a_folder_a_broken_fixture_is_an_error_and_the_others_are_checked(
    groupwise: Groupwise, write: Write
) -> None:
    write("tests/a.json", '{"expected": {"recall": 1}, "queries": [}')
    write("tests/b.json", {**RUNNING, "expected": {"recall": 1}})
    done = groupwise("check", "tests")
    assert done.code == 3
    assert "error: tests/a.json:1:" in done.err
    assert "failed  tests/b.json" in done.out
    assert "2 files: 1 failed, 1 error" in done.out


def test_a_named_file_that_expects_nothing_is_an_error(groupwise: Groupwise, write: Write) -> None:
    done = groupwise("check", write("f.json", [record("q", None)]))
    assert done.code == 3
    assert "nothing is expected" in done.err


def test_a_folder_that_checks_nothing_is_no_success(groupwise: Groupwise, write: Write) -> None:
    write("tests/f.json", [record("q", None)])
    assert groupwise("check", "tests").code == 3
    Path("empty").mkdir()
    assert groupwise("check", "empty").code == 3


WHOLE = json.dumps({**RUNNING, "expected": {"recall": 0.5}})
UNREADABLE = {
    "truncated": WHOLE[: len(WHOLE) // 2].encode(),
    "truncated before anything is expected": WHOLE[:40].encode(),
    "empty": b"",
    "blank": b" \n",
    "not JSON": b"expected: 1",
    "not UTF-8": WHOLE.replace("recall", "rec\u00e4ll").encode("latin-1"),
    "UTF-16": WHOLE.encode("utf-16"),
    "gzip, cut": gzip.compress(WHOLE.encode())[:-12],
}


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("name", ["b.json", "b.jsonl"])
def test_in_a_folder_a_file_that_cannot_be_read_is_an_error(
    groupwise: Groupwise, write: Write, name: str, content: bytes
) -> None:
    write("tests/a.json", WHOLE)
    Path("tests", name).write_bytes(content)
    done = groupwise("check", "tests")
    assert (done.code, done.err.startswith(f"error: tests/{name}")) == (3, True)
    assert "2 files: 1 ok, 1 error" in done.out


def test_in_a_folder_an_unknown_field_of_a_fixture_is_an_error(
    groupwise: Groupwise, write: Write
) -> None:
    write("tests/a.json", WHOLE)
    write("tests/b.json", WHOLE.replace("expected", "expectd"))
    done = groupwise("check", "tests")
    assert done.code == 3
    assert "unknown field 'expectd' (did you mean 'expected'?)" in done.err


def test_a_link_to_nowhere_is_an_error_and_a_pipe_is_passed_over(
    groupwise: Groupwise, write: Write
) -> None:
    write("tests/a.json", WHOLE)
    os.mkfifo("tests/pipe.json")
    assert groupwise("check", "tests").code == 0
    Path("tests/b.json").symlink_to("nowhere.json")
    done = groupwise("check", "tests")
    assert (done.code, done.err) == (3, "error: tests/b.json: no such file\n")


def test_a_folder_that_cannot_be_searched_is_an_error(
    groupwise: Groupwise, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("tests/a.json", WHOLE)
    write("tests/locked/b.json", WHOLE)
    scan = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    done = groupwise("check", "tests")
    assert done.code == 3
    assert "tests/locked: the folder cannot be read: Permission denied" in done.err


def test_a_folder_that_checks_nothing_beside_one_that_does_is_said(
    groupwise: Groupwise, write: Write
) -> None:
    write("good/a.json", WHOLE)
    write("idle/b.json", RUNNING | {"expected": {}})
    done = groupwise("check", "good", "idle")
    assert (done.code, done.err) == (
        0, "warning: idle: no fixture in this folder expects anything\n",
    )  # fmt: skip
    done = groupwise("check", "good", "idle", "--require-expected")
    assert (done.code, done.err[:44]) == (3, "error: idle/b.json: nothing is expected; add")
    Path("empty").mkdir()
    done = groupwise("check", "good", "empty", "--require-expected")
    assert (done.code, done.err) == (
        3, "error: empty: no fixture in this folder expects anything\n",
    )  # fmt: skip


def test_files_of_others_can_be_excluded(groupwise: Groupwise, write: Write) -> None:
    for name in ("a.json", "tsconfig.base.json", "vendor/b.json"):
        write(f"tests/{name}", WHOLE if name == "a.json" else "{} // not ours")
    assert groupwise("check", "tests").code == 3
    done = groupwise("check", "tests", "--exclude", "tsconfig*.json", "--exclude", "vendor")
    assert (done.code, done.err) == (0, "")


def test_a_rank_has_no_mean_to_expect(groupwise: Groupwise, write: Write) -> None:
    done = groupwise("check", write("f.json", {**RUNNING, "expected": {"first_hit": 1}}))
    assert done.code == 3
    assert "f.json: first_hit is a rank" in done.err


def test_update_changes_numbers_and_nothing_else(groupwise: Groupwise, write: Write) -> None:
    name = write("f.json", WRONG)
    assert groupwise("check", name).code == 1
    done = groupwise("check", "--update", name)
    assert done.code == 0
    updated = RIGHT.replace('"nDCG@1": 1 ', '"nDCG@1": 1.0 ')
    assert Path(name).read_text(encoding="utf-8") == updated
    assert groupwise("check", name).code == 0


def test_update_shows_the_difference(groupwise: Groupwise, write: Write) -> None:
    name = write("f.json", '[\n{"id": "q", "ground_truth": [["a"]], "results": ["a"],\n'
                           '"expected": {"recall": 0}}\n]\n')  # fmt: skip
    done = groupwise("check", "--update", name)
    assert '-"expected": {"recall": 0}}' in done.out
    assert '+"expected": {"recall": 1.0}}' in done.out
    assert done.out.endswith("updated f.json\n")


def test_update_leaves_a_sound_fixture_alone(groupwise: Groupwise, write: Write) -> None:
    name = write("f.json", RIGHT)
    before = Path(name).stat()
    done = groupwise("check", "--update", name)
    assert (done.code, done.out) == (0, "ok      f.json: nothing to update\n")
    assert Path(name).stat().st_ino == before.st_ino


SHAPES = {
    "lines.jsonl": (
        '{"id":1,"ground_truth":[["a"]],"results":["a"],"expected":{"recall":WRONG}}\n\n'
        '{"qid":"q","retrieval_gt":[["a"]],"retrieved_ids":["a"],"expected":{"mrr":WRONG}}'
    ),
    "map.json": '{"q": {"ground_truth": [["a"]], "results": ["a"], "expected": {"map": WRONG}}}',
    "one.json": '{"id": 1, "ground_truth": [["a"]], "results": ["a"], "expected": {"f1": WRONG}}',
    "mark.json": (
        '\ufeff[{"id": "q", "ground_truth": [["ä"]], "results": ["ä"],\r\n'
        '"expected": {"recall": WRONG}}]\r\n'
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_update_knows_every_shape_of_a_file(groupwise: Groupwise, write: Write, name: str) -> None:
    write(name, SHAPES[name].replace("WRONG", "0.25"))
    assert groupwise("check", "--update", name).code == 0
    assert Path(name).read_bytes().decode() == SHAPES[name].replace("WRONG", "1.0")
    assert groupwise("check", name).code == 0


def test_update_of_a_compressed_file(groupwise: Groupwise) -> None:
    wrong = json.dumps({**RUNNING, "expected": {"recall": 0}})
    Path("f.json.gz").write_bytes(gzip.compress(wrong.encode()))
    assert groupwise("check", "--update", "f.json.gz").code == 0
    packed = Path("f.json.gz").read_bytes()
    assert json.loads(gzip.decompress(packed))["expected"] == {"recall": 0.5}


@pytest.mark.parametrize("indent", [None, 2, 4, "\t"])
def test_update_adds_the_means_in_a_formatting_that_fits(
    groupwise: Groupwise, write: Write, indent: int | str | None
) -> None:
    bare = {"name": "x", "queries": [record("q", None)]}
    name = write("f.json", json.dumps(bare, indent=indent) + "\n")
    assert groupwise("check", "--update", name).code == 0
    whole = json.dumps({**bare, "expected": SIX}, indent=indent) + "\n"
    assert Path(name).read_text(encoding="utf-8") == whole


def test_update_adds_expectations_to_compact_lines(groupwise: Groupwise, write: Write) -> None:
    line = json.dumps(record("q", None), separators=(",", ":"))
    name = write("f.jsonl", f"{line}\n")
    assert groupwise("check", "--update", name).code == 0
    whole = json.dumps(record("q", SIX), separators=(",", ":"))
    assert Path(name).read_text(encoding="utf-8") == f"{whole}\n"


def test_update_in_a_folder_adds_nothing(groupwise: Groupwise, write: Write) -> None:
    name = write("tests/f.json", [record("q", None)])
    before = Path(name).read_bytes()
    done = groupwise("check", "--update", "tests", write("g.json", RUNNING))
    assert (done.code, Path(name).read_bytes()) == (0, before)
    assert "skipped tests/f.json" in done.out


def test_update_follows_links_and_keeps_the_mode(groupwise: Groupwise, write: Write) -> None:
    target = Path(write("real/f.json", WRONG))
    target.chmod(0o640)
    Path("link.json").symlink_to(target)
    assert groupwise("check", "--update", "link.json").code == 0
    assert Path("link.json").is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert names_in("real") == ["f.json"]


def test_update_does_not_touch_unsound_fixtures(groupwise: Groupwise, write: Write) -> None:
    name = write("f.json", '[{"id": "q", "ground_truth": [[]], "results": [], "expected": {}}]')
    before = Path(name).read_bytes()
    assert groupwise("check", "--update", name).code == 3
    assert Path(name).read_bytes() == before
