"""What a project sets in its pyproject.toml."""

from pathlib import Path

import pytest

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.evaluator.validation.settings.pyproject import KEYS, Settings, read_settings

WHOLE = """
[project]
name = "x"

[tool.groupwise.validate]
select = ["GT", "empty-group"]
ignore = ["GT01"]
fail-on = "error"
k = 5
profile = "coverage"
gates = ["recall@5 >= 0.8"]
flat = "all"
ids = "text"
corpus = "data/corpus.jsonl"
baseline = "baseline.json"
max-findings = 50

[tool.groupwise.validate.per-file-ignores]
"old/*.json" = ["GT002", "GT01"]
"""


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "deep")


def project(text: str, folder: str = "..") -> None:
    (Path(folder) / "pyproject.toml").write_text(text, "utf-8")


def refusal(text: str) -> str:
    project(f"[tool.groupwise.validate]\n{text}", ".")
    with pytest.raises(InputError) as caught:
        read_settings()
    return str(caught.value)


def test_everything_can_be_set() -> None:
    project(WHOLE)
    assert read_settings() == Settings(
        select=("GT", "empty-group"),
        ignore=("GT01",),
        fail_on="error",
        k=5,
        profile="coverage",
        gates=("recall@5 >= 0.8",),
        flat="all",
        ids="text",
        corpus="../data/corpus.jsonl",
        baseline="../baseline.json",
        max_findings=50,
        per_file_ignores={"old/*.json": ("GT002", "GT01")},
        folder="..",
    )


def test_nothing_need_be_set() -> None:
    assert read_settings() == Settings()
    project("[tool.groupwise.validate]", ".")
    assert read_settings() == Settings()


def test_the_nearest_file_with_the_table_counts() -> None:
    project("[tool.groupwise.validate]\nk = 1", "..")
    project("[tool.other]\nk = 2", ".")
    project("[tool.groupwise.validate]\nk = 3", "er")
    assert read_settings().k == 1
    assert read_settings("er").k == 3


def beginning(prefix: str) -> set[str]:
    return {code for code in every_rule() if code.startswith(prefix)}


def test_words_of_the_call_come_first() -> None:
    project(WHOLE)
    settings = read_settings()
    assert settings.select_rules().list_codes() == beginning("GT00")
    assert settings.select_rules(ignore=["GT002"]).list_codes() == beginning("GT00") - {"GT002"}
    assert settings.select_rules(select=["GT01"], ignore=["GT010"]).list_codes() == beginning(
        "GT01"
    ) - {"GT010"}
    assert settings.select_rules(select=["GT002"]).list_codes("../old/qa.json") == set()
    with pytest.raises(ValueError, match="no rule 'GT99'"):
        settings.select_rules(["GT99"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('selct = ["GT"]', "tool.groupwise.validate.selct: unknown key; did you mean 'select'?"),
        ('fail_on = "error"', "fail_on: unknown key; did you mean 'fail-on'?"),
        ("zzz = 1", "unknown key; choose from select, ignore, fail-on"),
        ('select = ["GT04"]', "validate.select: no rule 'GT04'; did you mean"),
        ('ignore = "GT004"', "validate.ignore: 'GT004': expected a list of strings"),
        ("ignore = [4]", "expected a list of strings"),
        ('fail-on = "errors"', "validate.fail-on: 'errors'; did you mean 'error'?"),
        ('fail-on = "x"', "'x'; choose from error, warning"),
        ("k = 0", "validate.k: 0: expected a whole number from 1 on"),
        ("k = true", "validate.k: True: expected a whole number"),
        ('k = "5"', "validate.k: '5': expected a whole number"),
        ("max-findings = 1.5", "validate.max-findings: 1.5: expected a whole number"),
        ('profile = "autorga"', "validate.profile: 'autorga'; did you mean 'autorag'?"),
        ('gates = "recall >= 1"', "validate.gates: 'recall >= 1': expected a list"),
        ('flat = "some"', "validate.flat: 'some'; choose from any, all"),
        ("flat = []", "validate.flat: []; choose from any, all"),
        ("ids = 1", "validate.ids: 1; choose from text"),
        ("corpus = 3", "validate.corpus: 3: expected a path"),
        ('baseline = ""', "validate.baseline: '': expected a path"),
        ("per-file-ignores = []", "validate.per-file-ignores: []: expected a table such as"),
        ('per-file-ignores = {"a*" = ["XX"]}', "per-file-ignores.\"a*\": no rule 'XX'"),
    ],
)
def test_what_is_off_is_named(text: str, said: str) -> None:
    assert said in refusal(text)
    assert refusal(text).startswith("pyproject.toml: ")


def test_all_that_is_off_is_named_at_once() -> None:
    assert len(refusal("k = 0\nflat = 1\nzzz = 2").splitlines()) == 3


def test_a_table_that_is_none_is_refused() -> None:
    project("[tool.groupwise]\nvalidate = 3", ".")
    with pytest.raises(InputError, match="expected a table, got 3"):
        read_settings()


def test_what_is_not_toml_is_refused_with_its_place() -> None:
    project("[tool.groupwise]\nx = = 1\n", "..")
    with pytest.raises(InputError) as caught:
        read_settings()
    (problem,) = caught.value.problems
    assert (problem.source, problem.line, problem.column) == ("../pyproject.toml", 2, 5)
    (Path("..") / "pyproject.toml").write_bytes(b"groupwise \xff")
    with pytest.raises(InputError, match="cannot be read"):
        read_settings()


def test_a_file_that_does_not_name_us_is_not_parsed() -> None:
    project("[tool.other]\nx = = 1\n", "..")
    assert read_settings() == Settings()


def test_every_key_is_a_field_of_the_settings() -> None:
    fields = set(Settings.__dataclass_fields__) - {"folder"}
    assert {key.replace("-", "_") for key in KEYS} == fields


def test_a_table_that_is_nested_too_deeply_is_an_error() -> None:
    assert refusal(f"select = {'[' * 5_000}") == "pyproject.toml: not TOML: nested too deeply"
