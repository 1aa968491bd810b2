"""The functions take what the command takes, under the same names."""

import inspect
import json
from argparse import Action
from pathlib import Path
from typing import Any

import pytest

from groupwise import File, InputError, OptionError, UnknownMetric, fix, validate
from groupwise.evaluator.cli import run
from groupwise.evaluator.cli import validate as command
from groupwise.evaluator.validation.settings.baseline import Baseline

SPELLINGS = {
    "--map": "map", "--from": "format", "--gate": "gates", "-k": "k", "FILE": "dataset",
    "--unsafe-fixes": "unsafe",
}  # fmt: skip
OF_OUTPUT = {"--help", "--quiet", "--format", "--output", "--statistics", "--fail-on", "--plugin"}
OF_FIX = {"--fix", "--diff"}
"""One is the function ``fix`` itself, the other its ``write=False``."""
OF_SETTINGS = {"--no-config"}
"""Only the command reads the settings of a project."""
BAD = [{"id": "q1", "ground_truth": [["a", "a"], ["b"]]}, {"id": "q1", "ground_truth": [[]]}]


def written(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def option_of(action: Action) -> str:
    return action.option_strings[-1] if action.option_strings else str(action.metavar)


def test_every_option_of_the_command_has_its_argument() -> None:
    options = {option_of(action) for action in command._parser()._actions}
    options -= OF_OUTPUT | OF_FIX | OF_SETTINGS
    spelled = {SPELLINGS.get(name, name.removeprefix("--").replace("-", "_")) for name in options}
    known = {
        *inspect.signature(validate).parameters,
        *inspect.signature(fix).parameters,
        *inspect.signature(File).parameters,
    }
    assert spelled - known == set()


def test_the_command_and_the_function_find_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(Path("a.jsonl"), BAD)
    written(Path("b.jsonl"), [{"id": "q2", "ground_truth": [["A"], ["x"]]}])
    written(Path("run.jsonl"), [{"id": "q1", "results": ["a", "a"]}])
    Path("corpus.txt").write_text("a\nb\n")
    words = ["--run", "run.jsonl", "--corpus", "corpus.txt", "-k", "1", "--ignore", "RN001"]
    assert run(["validate", "a.jsonl", "b.jsonl", *words, "--format", "json"]) == 1
    printed = json.loads(capsys.readouterr().out)
    report = validate(
        "a.jsonl", "b.jsonl", run="run.jsonl", corpus="corpus.txt", k=1, ignore=["RN001"]
    )
    assert json.loads(report.to_json()) == printed
    assert {"GT001", "GT007", "GT015", "CP001", "RN002"} <= set(report.codes)


def test_several_objects_have_names_of_their_own() -> None:
    report = validate({"q1": [["a"], []]}, {"q2": [["a", "a"]]})
    assert report.files == ("dataset", "dataset 2")
    assert [(finding.file, finding.code) for finding in report.findings] == [
        ("dataset", "GT004"), ("dataset 2", "GT007"),
    ]  # fmt: skip


def test_fields_and_format_and_subtopics(tmp_path: Path) -> None:
    path = written(tmp_path / "odd.jsonl", [{"key": "q1", "gold": [["a", "a"]]}])
    assert validate(File(path, map={"id": "key", "ground_truth": "gold"})).codes == ["GT007"]
    qrels = tmp_path / "x.qrels"
    qrels.write_text("q1 1 a 1\nq1 2 a 1\n")
    assert validate(File(qrels, format="trec-diversity")).codes == ["GT008"]
    assert validate(File(qrels, subtopics=True)).codes == ["GT008"]
    with pytest.raises(InputError, match="no format 'tree'"):
        validate(File(qrels, format="tree"))


def test_a_baseline_is_written_and_read(tmp_path: Path) -> None:
    path, known = written(tmp_path / "a.jsonl", BAD), tmp_path / "known.json"
    first = validate(path, write_baseline=known)
    assert first.by_code == {"GT001": 1, "GT004": 1, "GT007": 1}
    again = validate(path, baseline=known)
    assert (again.by_code, again.baselined, again.stale) == ({}, 3, ())
    fewer = validate(written(path, BAD[:1]), baseline=Baseline.read(known))
    assert [entry.code for entry in fewer.stale] == ["GT001", "GT004"]
    only = validate(path, baseline=known, select=["GT004"])
    assert [entry.code for entry in only.stale] == ["GT004"]


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"select": ["GT04"]}, ValueError, "no rule 'GT04'; did you mean 'GT0"),
        ({"select": "GT99"}, ValueError, "no rule 'GT99'"),
        ({"flat": "some"}, InputError, "flat='some': expected 'any' or 'all'"),
        ({"ids": "numbers"}, InputError, "ids='numbers': expected 'text'"),
        ({"k": 0}, OptionError, "a whole number from 1 on as cutoff, got 0"),
        ({"profile": "x"}, OptionError, "no profile 'x'"),
        ({"gates": ["recal >= 1"]}, UnknownMetric, "did you mean 'recall'"),
        ({"gates": ["recall"]}, ValueError, "'recall' is not a gate"),
        ({"baseline": "nowhere.json"}, InputError, "cannot read the baseline"),
        ({"corpus": "nowhere.txt"}, InputError, "nowhere.txt"),
        ({"run": 3}, InputError, "run: expected"),
    ],
)
def test_wrong_options_are_named(options: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as caught:
        validate({"q": [["a"]]}, **options)
    assert said in str(caught.value)


def test_a_fix_is_written_unless_it_is_not_to_be(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", BAD)
    before = path.read_text()
    looked = fix(path, unsafe=True, write=False)
    assert (looked.old, looked.has_changed, path.read_text()) == (before, True, before)
    fixed = fix(path)
    assert fixed.by_code == {"GT007": 1}
    assert path.read_text() == fixed.new == before.replace('["a", "a"]', '["a"]')
    assert not fix(path).has_changed
    assert not fix(path, unsafe=True, ignore=["GT003", "GT004"], write=False).has_changed


def test_what_cannot_be_fixed_stays_and_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"id": ')
    assert not fix(path).has_changed
    with pytest.raises(InputError, match="nowhere"):
        fix(tmp_path / "nowhere.json")
    with pytest.raises(ValueError, match="no rule 'GT99'"):
        fix(path, select=["GT99"])
