"""``validate FOLDER``: which files are read, in which order, and what is said of the others."""

import gzip
import json
from pathlib import Path

import pytest

from groupwise import InputError, validate
from tests.cli.conftest import RUNNING, Groupwise, Write

CLEAN = {"q1": [["a"]]}
EMPTY_GROUP = {"q1": [["a"], []]}


def codes(text: str) -> list[list[str]]:
    return [line.split()[:2] for line in text.splitlines() if line]


def test_all_data_below_is_read_in_order_of_path(groupwise: Groupwise, write: Write) -> None:
    for name in ("z.json", "b/y.json", "b/a/x.json", "B.json"):
        write(f"d/{name}", EMPTY_GROUP)
    done = groupwise("validate", "-q", "d")
    places = [line.split(":")[0] for line in done.out.splitlines() if line]
    assert (done.code, places) == (1, ["d/B.json", "d/b/a/x.json", "d/b/y.json", "d/z.json"])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("truth.json", CLEAN),
        ("truth.jsonl", '{"id": "q1", "ground_truth": [["a"]]}\n'),
        ("fixture.json", RUNNING),
        ("run.jsonl", '{"id": "q1", "results": ["a"]}\n'),
        ("truth.csv", "query_id,doc_id,group\nq1,a,1\n"),
        ("x.run", "q1 Q0 a 1 0.3 t\n"),
        ("run.txt", "q1 Q0 a 1 0.3 t\n"),
    ],
)
def test_what_is_data(groupwise: Groupwise, write: Write, name: str, content: object) -> None:
    write(f"d/{name}", content)
    done = groupwise("validate", "d")
    assert (done.code, done.err) == (0, "note: d: 1 data file\n")
    assert "no findings in 1 file" in done.out


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("broken.json", '{"q1": [["a"]', "IO001"),
        ("broken.jsonl", '{"id": "q1", "ground_truth": [["a"]]}\n{"id"\n', "IO001"),
        ("other.json", '{"name": "x",', "IO001"),
        ("empty.json", "", "IO009"),
        ("typo.json", [{"id": "q1", "ground_thruth": [["a"]]}], "IO008"),
        ("more.json", [{"id": "q1", "ground_truth": [["a"]], "colour": 1}], "IO008"),
        ("flat.json", {"q1": ["a", "b"]}, "GT005"),
        ("ranx.json", {"q1": {"a": 1, "b": 2}}, "GT005"),
        ("x.qrels", "not four columns at all\n", "IO001"),
    ],
)
def test_what_is_meant_as_data_is_not_skipped(
    groupwise: Groupwise, write: Write, name: str, content: object, code: str
) -> None:
    write(f"d/{name}", content)
    done = groupwise("validate", "-q", "d")
    assert (done.code, code in done.out, done.err) == (1, True, "")


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("package.json", {"name": "x", "version": 1}, "not ground truth, results or a fixture"),
        ("lock.json", {"packages": {"a": {"v": "1"}}}, "not ground truth, results or a fixture"),
        ("numbers.json", [1, 2], "not ground truth, results or a fixture"),
        ("table.csv", "name,size\na,1\n", "not ground truth, results or a fixture"),
        ("corpus.jsonl", '{"_id": "a", "text": "x"}\n', "documents of a corpus, not queries"),
    ],
)
def test_what_is_something_else_is_listed_as_skipped(
    groupwise: Groupwise, write: Write, name: str, content: object, reason: str
) -> None:
    write("d/truth.json", CLEAN)
    write(f"d/{name}", content)
    done = groupwise("validate", "d")
    assert done.code == 0
    said = f"note: d/{name}: skipped: {reason}"
    assert done.err.splitlines()[0].startswith(said)
    assert done.err.splitlines()[1] == "note: d: 1 data file, 1 skipped"
    assert "no findings in 1 file" in done.out


def test_hidden_files_and_other_kinds_are_counted(groupwise: Groupwise, write: Write) -> None:
    for name in (".hidden.json", ".git/config.json", "a.py", "notes.txt", "README.md"):
        write(f"d/{name}", "[")
    write("d/truth.json", CLEAN)
    done = groupwise("validate", "d")
    assert (done.code, done.err) == (0, "note: d: 1 data file, 3 of other kinds, 2 hidden\n")


def test_excluded_names_are_not_looked_at(groupwise: Groupwise, write: Write) -> None:
    write("d/truth.json", CLEAN)
    write("d/vendored/broken.json", "[")
    write("d/old.json", "[")
    assert groupwise("validate", "-q", "d").code == 1
    words = ["--exclude", "vendor*", "--exclude", "old.json"]
    assert groupwise("validate", "d", *words).err == "note: d: 1 data file\n"


@pytest.mark.parametrize("content", [None, {"name": "x"}])
def test_a_folder_without_data_cannot_be_validated(
    groupwise: Groupwise, write: Write, content: object
) -> None:
    Path("d").mkdir()
    if content:
        write("d/package.json", content)
    for words in (["d"], ["-q", "d"], ["d", "--fix"], ["d", "--diff"]):
        done = groupwise("validate", *words)
        assert (done.code, "error: d: no data in this folder\n" in done.err) == (3, True)


def test_the_run_and_the_corpus_are_not_data_as_well(groupwise: Groupwise, write: Write) -> None:
    write("d/truth.json", CLEAN)
    run = write("d/run.jsonl", '{"id": "q1", "results": ["a"]}\n')
    write("d/other.jsonl", '{"id": "q1", "results": ["a"]}\n')
    corpus = write("d/corpus.jsonl", '{"id": "a", "text": "x"}\n')
    done = groupwise("validate", "d", "--run", run, "--corpus", corpus)
    assert done.code == 0
    assert done.err.splitlines() == [
        "note: d/other.jsonl: skipped: results only",
        "note: d: 1 data file, 1 skipped",
    ]


def test_fixes_are_applied_in_every_file(groupwise: Groupwise, write: Write) -> None:
    for name in ("d/a.json", "d/b/c.json"):
        write(name, {"q1": [["a", "a"]]})
    done = groupwise("validate", "d", "--fix")
    assert (done.code, "fixed 2 findings: 2 GT007" in done.err) == (0, True)
    assert json.loads(Path("d/b/c.json").read_text()) == {"q1": [["a"]]}


def test_files_and_folders_mix_and_the_library_does_the_same(
    groupwise: Groupwise, write: Write
) -> None:
    first = write("first.json", EMPTY_GROUP)
    write("d/second.json", EMPTY_GROUP)
    write("d/package.json", {"name": "x"})
    Path("d/third.jsonl.gz").write_bytes(
        gzip.compress(b'{"id": "q2", "ground_truth": [["a"], []]}\n')
    )
    report = validate(first, Path("d"))
    assert [finding.file for finding in report.findings] == [
        "first.json", "d/second.json", "d/third.jsonl.gz",
    ]  # fmt: skip
    assert report.notes[-1] == "d: 2 data files, 1 skipped"
    done = groupwise("validate", first, "d", "--format", "json")
    assert json.loads(done.out) == json.loads(report.to_json())
    assert validate("d", exclude=["second*", "package*"]).notes == ("d: 1 data file",)
    with pytest.raises(InputError, match="no data in this folder"):
        validate("d", exclude=["*"])


def test_a_mapping_is_for_every_file(groupwise: Groupwise, write: Write) -> None:
    write("d/golden.json", [{"question": "why", "gold": [["a"], []]}])
    words = ["--map", "id=question,ground_truth=gold"]
    done = groupwise("validate", "-q", "d", *words)
    assert (done.code, "GT004" in done.out) == (1, True)


def test_many_skipped_files_are_counted(groupwise: Groupwise, write: Write) -> None:
    write("d/truth.json", CLEAN)
    for number in range(25):
        write(f"d/{number:02}.json", {"name": "x"})
    notes = groupwise("validate", "d").err.splitlines()
    assert len(notes) == 22
    assert notes[-2:] == ["note: … and 5 more files skipped", "note: d: 1 data file, 25 skipped"]


def test_names_of_files_are_shown_on_one_line_without_escapes(
    groupwise: Groupwise, write: Write
) -> None:
    write("d/truth.json", CLEAN)
    write("d/a\nerror: b\x1b[31m.json", {"name": "x"})
    done = groupwise("validate", "d")
    assert "\x1b" not in done.err
    assert len(done.err.splitlines()) == 2
    assert all(line.startswith("note: d") for line in done.err.splitlines())


def test_a_link_that_leads_nowhere_is_told(groupwise: Groupwise, write: Write) -> None:
    write("d/truth.json", CLEAN)
    Path("d/gone.json").symlink_to("nowhere.json")
    done = groupwise("validate", "d")
    assert done.code in (1, 3)
    assert "d/gone.json" in done.out + done.err
