"""Where reports go: forms by suffix, parts that a form has no place for, pipes and devices."""

import gzip
import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Groupwise, Write
from tests.cli.shell import COMMAND, names_in

MEANS = "mean,,0.5\n"


@pytest.mark.parametrize("name", ["r.docx", "r.doc", "r.png", "r.xlsx", "r.DOC.gz", "r.2024"])
@pytest.mark.parametrize("command", ["evaluate", "validate"])
def test_a_suffix_that_no_form_has_is_refused_before_any_work(
    groupwise: Groupwise, command: str, name: str
) -> None:
    done = groupwise(command, "no-such-file.json", "-o", name)
    suffix = Path(name.lower().removesuffix(".gz")).suffix
    assert (done.code, names_in()) == (2, [])
    assert f"-o {name}: no format has the suffix {suffix!r}" in done.err
    assert "json (.json), jsonl (.jsonl, .ndjson)" in done.err


@pytest.mark.parametrize("name", ["report", "report.txt", "REPORT.TXT"])
def test_no_suffix_and_txt_mean_text(groupwise: Groupwise, fixture: str, name: str) -> None:
    assert groupwise("evaluate", fixture, "-o", name).code == 0
    assert Path(name).read_text(encoding="utf-8").startswith("profile autorag\n")
    assert groupwise("validate", fixture, "-o", name).code == 0
    assert Path(name).read_text(encoding="utf-8").startswith("no findings")


def test_a_named_form_goes_into_any_file(groupwise: Groupwise, fixture: str) -> None:
    assert groupwise("evaluate", fixture, "--format", "json", "-o", "r.html").code == 0
    assert json.loads(Path("r.html").read_bytes())["profile"] == "autorag"


def test_a_compressed_report(groupwise: Groupwise, fixture: str) -> None:
    assert groupwise("evaluate", fixture, "-o", "r.json.gz").code == 0
    assert json.loads(gzip.decompress(Path("r.json.gz").read_bytes()))["profile"] == "autorag"


@pytest.mark.parametrize("words", [["--curve"], ["--curve", "3"], ["--ties", "report"]])
@pytest.mark.parametrize("output", [["--format", "csv"], ["-o", "r.csv"]])
def test_csv_does_not_drop_what_was_asked_for(
    groupwise: Groupwise, fixture: str, words: list[str], output: list[str]
) -> None:
    done = groupwise("evaluate", fixture, *words, *output)
    assert (done.code, done.out, names_in()) == (2, "", ["first.json"])
    assert "use one of table, json, jsonl, markdown, latex, html, parquet" in done.err


@pytest.mark.parametrize("form", ["json", "jsonl", "markdown", "table"])
def test_other_forms_have_the_curve(groupwise: Groupwise, fixture: str, form: str) -> None:
    done = groupwise("evaluate", fixture, "-m", "recall", "--curve", "1", "--format", form)
    assert done.code == 0
    assert "complete" in done.out


@pytest.mark.parametrize("form", ["github", "gitlab", "jsonl", "junit"])
def test_statistics_are_not_dropped(groupwise: Groupwise, fixture: str, form: str) -> None:
    done = groupwise("validate", fixture, "--statistics", "--format", form)
    assert done.code == 2
    assert "use one of text, json, sarif" in done.err


@pytest.mark.parametrize(
    "words", [["-o", "d.txt"], ["--format", "json"], ["--write-baseline", "b.json"]]
)
def test_a_diff_is_not_a_report(groupwise: Groupwise, fixture: str, words: list[str]) -> None:
    done = groupwise("validate", fixture, "--diff", *words)
    assert (done.code, names_in()) == (2, ["first.json"])


def run_in_bash(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which ``groupwise`` is this one."""
    function = f'groupwise() {{ {" ".join(COMMAND)} "$@"; }}'
    return subprocess.run(
        ["bash", "-c", f"{function}; {line}"], capture_output=True, text=True, check=False
    )


EVALUATE = "groupwise evaluate first.json -m recall --no-per-query --format csv"
SHOW_WHEN_WRITTEN = "for _ in {1..100}; do [ -s f ] && break; sleep .05; done; cat f"


@pytest.mark.parametrize(
    "line",
    [
        f"{EVALUATE} -o /dev/stdout | cat",
        f"{EVALUATE} -o /dev/fd/1 > f; cat f",
        f"{EVALUATE} -o /dev/stderr 2>&1 >/dev/null | cat",
        f"{EVALUATE} -o >(cat > f); {SHOW_WHEN_WRITTEN}",
        f"mkfifo p; (cat p > f &); {EVALUATE} -o p; {SHOW_WHEN_WRITTEN}",
    ],
)
@pytest.mark.usefixtures("fixture")
def test_pipes_are_written_to_directly(line: str) -> None:
    done = run_in_bash(line)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"kind,query,recall\n{MEANS}", "")


@pytest.mark.usefixtures("fixture")
@pytest.mark.parametrize("name", ["/dev/stdout"])
def test_a_file_that_the_shell_appends_to_keeps_what_it_has(name: str) -> None:
    done = run_in_bash(f"echo kept > log; {EVALUATE} -o {name} >> log; cat log")
    assert done.stdout == f"kept\nkind,query,recall\n{MEANS}"


@pytest.mark.usefixtures("fixture")
@pytest.mark.parametrize("name", ["/dev/stdout"])
def test_converted_data_in_a_pipe_are_pure(name: str) -> None:
    done = run_in_bash(f"groupwise convert first.json {name} --to jsonl --role run | cat")
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["q1"]
    assert done.stderr == f"{name}: 1 query, jsonl\n"


@pytest.mark.usefixtures("fixture")
@pytest.mark.parametrize(
    ("name", "code", "reason"),
    [
        ("/dev/full", 4, "No space left on device"),
        ("/dev/fd/99", 4, "Bad file descriptor"),
        (".", 2, "this is a folder, not a file"),
        ("missing/r.json", 2, "there is no folder 'missing'"),
        ("first.json/r.json", 2, "there is no folder 'first.json'"),
    ],
)
def test_what_cannot_be_written(groupwise: Groupwise, name: str, code: int, reason: str) -> None:
    done = groupwise("evaluate", "first.json", "--format", "json", "-o", name)
    assert (done.code, reason in done.err, names_in()) == (code, True, ["first.json"])


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "-"],
        ["validate", "-"],
        ["validate", "first.json", "--corpus", "-"],
        ["convert", "-", "x.jsonl", "--role", "run"],
    ],
)
@pytest.mark.usefixtures("fixture")
def test_standard_input_that_is_closed(words: list[str]) -> None:
    done = run_in_bash(f"groupwise {' '.join(words)} <&-")
    assert (done.returncode, done.stderr) == (
        3, "error: <stdin>: cannot be read: standard input is closed\n",
    )  # fmt: skip


def test_without_a_thread_all_is_read_in_this_one(
    groupwise: Groupwise, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_self: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", refuse)
    truth = write("t.jsonl", '{"id": "q", "ground_truth": [["a"]]}\n' * 1)
    assert groupwise("convert", truth, "t.parquet").code == 0
    run = write("r.json", {"q": ["a"]})
    done = groupwise("evaluate", "t.parquet", run, "-m", "recall", "--format", "csv")
    assert (done.code, done.out.splitlines()[-1]) == (0, "mean,,1.0")


@pytest.mark.parametrize(
    "words",
    [
        ["--write-baseline", "first.json"],
        ["--write-baseline", "./first.json"],
        ["--corpus", "corpus.json", "--write-baseline", "corpus.json"],
        ["--corpus", "corpus.json", "-o", "corpus.json"],
        ["--run", "corpus.json", "-o", "corpus.json"],
        ["--baseline", "corpus.json", "-o", "corpus.json"],
        ["--write-baseline", "new.json", "-o", "new.json"],
    ],
)
@pytest.mark.usefixtures("fixture")
def test_no_input_is_overwritten(groupwise: Groupwise, write: Write, words: list[str]) -> None:
    write("corpus.json", {"a": "one"})
    before = [Path(name).read_bytes() for name in names_in()]
    done = groupwise("validate", "first.json", *words)
    assert (done.code, "would overwrite the input" in done.err) == (2, True)
    assert [Path(name).read_bytes() for name in names_in()] == before


@pytest.mark.usefixtures("fixture")
def test_a_baseline_may_replace_the_one_that_is_read(groupwise: Groupwise) -> None:
    both = ["--baseline", "b.json", "--write-baseline", "b.json"]
    assert groupwise("validate", "first.json", "--write-baseline", "b.json").code == 0
    assert groupwise("validate", "first.json", *both).code == 0
    assert groupwise("validate", "first.json", "--write-baseline", "missing/b.json").code == 2


def test_vectors_are_not_overwritten(groupwise: Groupwise, fixture: str, write: Write) -> None:
    vectors = write("v.jsonl", '{"id": "test-1", "vector": [1, 2]}\n')
    done = groupwise("evaluate", fixture, "-m", "ild", "--vectors", vectors, "-o", vectors)
    assert (done.code, "would overwrite the input" in done.err) == (2, True)
