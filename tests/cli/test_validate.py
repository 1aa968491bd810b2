"""``groupwise validate`` as a person has it: words, files, exit codes, and both streams."""

import gzip
import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from groupwise.evaluator.cli.validate import EXAMPLE
from tests.cli.conftest import Groupwise, Write
from tests.cli.shell import names_in

CLEAN = [{"id": "q1", "ground_truth": [["a", "b"], ["c"]]}]
EMPTY_GROUP = [{"id": "q1", "ground_truth": [["a"], []]}]
REPEAT = [{"id": "q1", "ground_truth": [["a", "b", "a"]]}]
ONLY_INFO = [{"id": "q1", "ground_truth": [["a", "b"], ["b", "c"], ["d"], ["e"]]}]
HOSTILE = "a\x1b[31m\x1b]0;title\x07\u202eevil\r\n%0A::error::<b>"


def found(groupwise: Groupwise, *words: str, **more: Any) -> list[tuple[str, str | None]]:
    """Code and query of each finding."""
    report = json.loads(groupwise("validate", *words, "--format", "json", **more).out)
    return [(one["code"], one.get("query")) for one in report["findings"]]


@pytest.mark.parametrize(
    ("content", "words", "code"),
    [
        (CLEAN, (), 0),
        (ONLY_INFO, (), 0),
        (REPEAT, (), 1),
        (REPEAT, ("--fail-on", "error"), 0),
        (EMPTY_GROUP, ("--fail-on", "error"), 1),
        (EMPTY_GROUP, ("--ignore", "GT004"), 0),
        (EMPTY_GROUP, ("--ignore", "GT", "--select", "GT004"), 1),
        (EMPTY_GROUP, ("--select", "RN,IO"), 0),
        (EMPTY_GROUP, ("--select", "empty-group"), 1),
        (CLEAN, ("--gate", "mrr >= 0.9"), 1),
        (CLEAN, ("-k", "1"), 1),
        ("[]", (), 1),
        ("{", (), 1),
    ],
)
def test_exit_codes(
    content: Any, words: tuple[str, ...], code: int, groupwise: Groupwise, write: Write
) -> None:
    done = groupwise("validate", write("qa.json", content), *words)
    assert done.code == code
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--select", "GT99"), "GT99"),
        (("--format", "yaml"), "yaml"),
        (("--gate", "mrr"), "mrr"),
        (("--gate", "nonsense >= 1"), "nonsense"),
        (("--profile", "nobody"), "nobody"),
        (("--fail-on", "info"), "info"),
        (("--flat", "some"), "some"),
        (("-k", "0"), "0"),
        (("-", "--run", "-"), "stdin"),
        (("-", "--fix"), "stdin"),
        (("-o", "nowhere/x.json"), "nowhere"),
    ],
)
def test_words_that_are_off(
    words: tuple[str, ...], said: str, groupwise: Groupwise, write: Write
) -> None:
    done = groupwise("validate", write("qa.json", CLEAN), *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_file_that_is_not_there(groupwise: Groupwise, write: Write) -> None:
    for words in (["nothing.json"], [write("qa.json", CLEAN), "--run", "nothing.json"],
                  ["qa.json", "--corpus", "nothing.json"], ["qa.json", "--baseline", "no.json"],
                  ["nothing.json", "--fix"]):  # fmt: skip
        done = groupwise("validate", *words)
        assert done.code == 3, words
        assert "no such file" in done.err.lower()


def test_the_place_is_in_front(groupwise: Groupwise, write: Write) -> None:
    write("qa.jsonl", '{"id": "q1", "ground_truth": [["a"]]}\n{"id": "q2", "ground_truth": [[]]}\n')
    done = groupwise("validate", "qa.jsonl")
    assert done.out.startswith('qa.jsonl:2:31: GT004 query "q2": an empty group')
    assert "1 error in 1 file" in done.out


def test_statistics_count_and_the_limit_cuts(groupwise: Groupwise, write: Write) -> None:
    records = [{"id": f"q{n}", "ground_truth": [[f"a{n}"], []]} for n in range(30)]
    name = write("qa.json", records)
    assert "30  GT004  [-] empty-group" in groupwise("validate", name, "--statistics").out
    whole = groupwise("validate", name).out
    assert whole.count(": GT004 ") == 20
    assert "… and 10 more of GT004" in whole
    few = groupwise("validate", name, "--max-findings", "3").out
    assert few.count(": GT004 ") == 3
    assert "… and 27 more of GT004" in few
    report = json.loads(groupwise("validate", name, "--max-findings", "3", "--format", "json").out)
    assert (len(report["findings"]), report["by_code"]) == (3, {"GT004": 30})
    assert len(found(groupwise, name)) == 30


def test_output_goes_to_a_file_whose_name_says_the_form(
    groupwise: Groupwise, write: Write, tmp_path: Path
) -> None:
    name = write("qa.json", EMPTY_GROUP)
    for output, start in [("a.json", '{"schema":'), ("a.jsonl", '{"code":'), ("a.xml", "<?xml"),
                          ("a.sarif", "{"), ("a.txt", "qa.json:")]:  # fmt: skip
        done = groupwise("validate", name, "-o", output)
        assert (done.code, done.out) == (1, "")
        assert (tmp_path / output).read_text().startswith(start)
    assert groupwise("validate", name, "-o", "-").out == groupwise("validate", name).out


def test_a_baseline_from_its_writing_to_its_end(groupwise: Groupwise, write: Write) -> None:
    two = [*EMPTY_GROUP, {"id": "q2", "ground_truth": [["b", "b"]]}]
    name = write("qa.json", two)
    assert groupwise("validate", name, "--write-baseline", "known.json").code == 0
    quiet = groupwise("validate", name, "--baseline", "known.json")
    assert quiet.code == 0
    assert "2 findings in the baseline" in quiet.out
    # Moved and laid out otherwise, they are the same findings.
    write("qa.json", json.dumps(two[::-1], indent=3))
    assert groupwise("validate", name, "--baseline", "known.json").code == 0
    # One more of the same kind is new.
    write("qa.json", [*two, {"id": "q3", "ground_truth": [["c", "c"]]}])
    assert found(groupwise, name, "--baseline", "known.json") == [("GT007", "q3")]
    assert groupwise("validate", name, "--baseline", "known.json").code == 1
    # One less is stale, and said to be.
    write("qa.json", EMPTY_GROUP)
    stale = groupwise("validate", name, "--baseline", "known.json")
    assert stale.code == 0
    assert 'GT007 of query "q2" matches no finding' in stale.out


def test_a_key_given_twice_is_known_on_another_line(groupwise: Groupwise, write: Write) -> None:
    twice = '{"id": "q1", "ground_truth": [["a"]], "ground_truth": [["b"]]}'
    name = write("qa.json", f"[{twice}]")
    groupwise("validate", name, "--write-baseline", "known.json")
    write("qa.json", f"\n\n[\n{twice}]")
    assert groupwise("validate", name, "--baseline", "known.json").code == 0


def test_settings_of_the_project(groupwise: Groupwise, write: Write) -> None:
    write("pyproject.toml", '[tool.groupwise.validate]\nignore = ["GT004"]\nk = 1\n'
          '[tool.groupwise.validate.per-file-ignores]\n"old/*.json" = ["GT007"]\n')  # fmt: skip
    new, old = write("new/qa.json", REPEAT), write("old/qa.json", REPEAT)
    assert found(groupwise, new) == [("GT007", "q1")]
    assert found(groupwise, old) == []
    assert found(groupwise, write("e.json", EMPTY_GROUP)) == []
    assert found(groupwise, "e.json", "--select", "GT004") == [("GT004", "q1")]
    assert found(groupwise, write("c.json", CLEAN)) == [("GT015", "q1")]
    assert found(groupwise, "c.json", "-k", "2") == []
    write("pyproject.toml", "[tool.groupwise.validate]\nignroe = []\n")
    wrong = groupwise("validate", "c.json")
    assert wrong.code == 3
    assert "did you mean 'ignore'" in wrong.err


def test_flat_lists_and_kinds_of_ids(groupwise: Groupwise, write: Write) -> None:
    name = write("flat.json", [{"id": "q1", "ground_truth": ["a", "a"]}])
    assert found(groupwise, name) == [("GT005", "q1")]
    assert "--flat all" in groupwise("validate", name).out
    assert found(groupwise, name, "--flat", "any") == [("GT007", "q1")]
    assert found(groupwise, name, "--flat", "all") == [("GT007", "q1")]
    mixed = write("mixed.json", [{"id": "q1", "ground_truth": [["1"], [2]]}])
    assert found(groupwise, mixed) == [("IO006", "q1")]
    assert found(groupwise, mixed, "--ids", "text") == []


def test_beside_a_run_and_a_corpus(groupwise: Groupwise, write: Write) -> None:
    data = write("qa.json", [*CLEAN, {"id": "q2", "ground_truth": [["d"]]},
                             {"id": "q3", "ground_truth": [], "answerable": False}])  # fmt: skip
    run = write("run.json", {"q1": ["a"], "q9": ["x"]})
    write("ids.txt", "a\nb\nc\n")
    assert found(groupwise, data, "--run", run) == [("RN002", "q2"), ("RN003", "q9")]
    assert found(groupwise, data, "--corpus", "ids.txt") == [("CP001", "q2")]
    numbers = write("n.json", {"q1": [[1]]})
    assert found(groupwise, numbers, "--run", write("r.json", {"q1": ["1"]}), "--ids", "text") == []
    flat = write("flat.json", {"q1": ["a", "z"]})
    assert found(groupwise, flat, "--flat", "any", "--corpus", "ids.txt") == [("CP001", "q1")]


def test_a_fixture_that_was_judged_on_another_corpus(groupwise: Groupwise, write: Write) -> None:
    queries = [{"id": "q1", "ground_truth": [["a"]], "results": ["a"]}]
    name = write("f.json", '{\n"corpus": "gw1:9:00",\n"queries": ' + json.dumps(queries) + "}")
    write("ids.txt", "a\n")
    report = json.loads(groupwise("validate", name, "--corpus", "ids.txt", "--format", "json").out)
    (finding,) = report["findings"]
    assert (finding["code"], finding["line"], finding["pointer"]) == ("CP003", 2, "/corpus")


def test_stdin_and_several_files(groupwise: Groupwise, write: Write) -> None:
    one, two = write("one.json", EMPTY_GROUP), write("two.json", "[]")
    done = groupwise("validate", "-", one, two, stdin=json.dumps(REPEAT).encode())
    assert done.code == 1
    assert [line.split(" ")[0] for line in done.out.splitlines()[:5] if line] == [
        "<stdin>:1:43:", "one.json:1:39:", "two.json:",
    ]  # fmt: skip
    assert "2 errors, 1 warning in 3 files" in done.out
    zipped = Path("qa.jsonl.gz")
    zipped.write_bytes(gzip.compress(b'{"id": "q1", "ground_truth": [[]]}\n'))
    assert found(groupwise, "qa.jsonl.gz") == [("GT004", "q1")]


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "github", "gitlab", "sarif", "junit"])
def test_hostile_ids_do_nothing(form: str, groupwise: Groupwise, write: Write) -> None:
    records = [{"id": f"q{HOSTILE}", "query": HOSTILE, "ground_truth": [[HOSTILE, HOSTILE], []]}]
    done = groupwise("validate", write("qa.json", records), "--format", form)
    assert done.code == 1
    for sign in ("\x1b", "\x07", "\u202e", "\r"):
        assert sign not in done.out + done.err
    if form == "github":
        commands = done.out.splitlines()
        # The query id, both listings, that they repeat, and the empty group.
        assert len(commands) == 5
        for line in commands:
            assert line.startswith(("::error file=qa.json,line=1", "::warning file=qa.json,line=1"))
            assert "%0A" not in line
            assert "%250A" in line


def test_a_diff_writes_nothing_and_a_fix_writes_once(
    groupwise: Groupwise, write: Write, tmp_path: Path
) -> None:
    text = '[\n {"id":"q1" , "ground_truth": [["a", "b", "a"], [" c"]]}\n]\n'
    name = write("qa.json", text)
    shown = groupwise("validate", name, "--diff")
    assert shown.code == 1
    assert '+ {"id":"q1" , "ground_truth": [["a", "b"], [" c"]]}' in shown.out.splitlines()
    assert (tmp_path / name).read_text() == text
    assert groupwise("validate", name, "--diff", "--select", "RN").code == 0
    done = groupwise("validate", name, "--fix")
    assert done.code == 1  # what is left is not safe to fix
    assert "fixed 1 finding: 1 GT007" in done.err
    assert (tmp_path / name).read_text() == text.replace('["a", "b", "a"]', '["a", "b"]')
    done = groupwise("validate", name, "--unsafe-fixes")
    assert done.code == 0
    fixed = text.replace('["a", "b", "a"]', '["a", "b"]').replace('" c"', '"c"')
    assert (tmp_path / name).read_text() == fixed
    before = (tmp_path / name).stat().st_mtime_ns
    assert groupwise("validate", name, "--unsafe-fixes").code == 0
    assert (tmp_path / name).stat().st_mtime_ns == before
    assert names_in() == ["qa.json"]


def test_a_gate_and_what_it_needs(groupwise: Groupwise, write: Write) -> None:
    name = write("qa.json", CLEAN)
    # Of two groups one is met at rank 2 at best: (1 + 1/2) / 2.
    assert found(groupwise, name, "--gate", "mrr >= 0.75", "--ignore", "ST001") == []
    assert found(groupwise, name, "--gate", "mrr > 0.75", "--ignore", "ST001") == [("ST002", None)]
    few = groupwise("validate", name, "--gate", "recall@5 >= 0.8").out
    assert "needs 246" in few


def test_the_example_of_the_help_runs(groupwise: Groupwise, tmp_path: Path) -> None:
    lines = [line.strip().removeprefix("$ ") for line in EXAMPLE.splitlines()]
    assert lines[0] == "groupwise demo --fixture > first.json"
    (tmp_path / "first.json").write_text(groupwise("demo", "--fixture").out)
    codes = {"--gate": 1, "--diff": 0, "--format": 0}
    for line in lines[1:]:
        _, *words = shlex.split(line)
        expected = next((code for word, code in codes.items() if word in words), 0)
        assert groupwise(*words).code == expected, line
    assert json.loads((tmp_path / "findings.sarif").read_text())["version"] == "2.1.0"
    assert all(line in groupwise("validate", "--help").out for line in lines)
