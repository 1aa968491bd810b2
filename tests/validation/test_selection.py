"""Which rules are wanted: the more specific word wins."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.evaluator.validation.settings.selection import select_rules

CODES = list(every_rule())


def beginning(*prefixes: str) -> list[str]:
    return [code for code in CODES if code.startswith(prefixes)]


WORDS = st.sampled_from(sorted({"ALL", *(c[:n] for c in CODES for n in range(2, 6))}))


def test_all_rules_are_wanted_unless_something_is_said() -> None:
    assert select_rules().list_codes() == set(CODES)


@pytest.mark.parametrize(
    ("select", "ignore", "wanted"),
    [
        (["ST"], [], beginning("ST")),
        (["st"], ["ST002"], [*{*beginning("ST")} - {"ST002"}]),
        (["GT01"], ["GT010", "GT011", "GT012"], beginning("GT01")[3:]),
        (["GT010"], ["GT"], ["GT010"]),
        (["GT", "IO003"], ["ALL"], beginning("GT", "IO003")),
        (["GT01"], ["GT"], beginning("GT01")),
        (["GT"], ["GT"], []),
        (["empty-group"], [], ["GT004"]),
        (["ST"], ["unreachable-gate"], [*{*beginning("ST")} - {"ST002"}]),
        ([], [], []),
    ],
)
def test_the_longer_beginning_wins(select: list[str], ignore: list[str], wanted: list[str]) -> None:
    assert sorted(select_rules(select, ignore).list_codes()) == sorted(wanted)


def naive(code: str, select: list[str], ignore: list[str]) -> bool:
    """Level by level, from the least specific word on, the later one decides."""
    on = False
    for beginning in ("ALL", *(code[:length] for length in range(2, 6))):
        on = (on or beginning in select) and beginning not in ignore
    return on


@given(st.lists(WORDS, max_size=4), st.lists(WORDS, max_size=4))
def test_it_is_as_if_decided_level_by_level(select: list[str], ignore: list[str]) -> None:
    chosen = select_rules(select, ignore)
    for code in CODES:
        assert chosen.wants(code) == naive(code, select, ignore)


@pytest.mark.parametrize(
    ("file", "glob", "fits"),
    [
        ("old/qa.json", "old/*", True),
        ("./old/qa.json", "old/*", True),
        ("old/deep/qa.json", "old/**", True),
        ("old/qa.json", "./old/qa.json", True),
        ("old/qa.json", "qa.json", True),
        ("old/qa.json", "*.json", True),
        ("old/qa.jsonl", "*.json", False),
        ("new/qa.json", "old/*", False),
        ("QA.json", "qa.json", False),
        (None, "*", False),
    ],
)
def test_globs_fit_paths_and_names(file: str | None, glob: str, fits: bool) -> None:
    chosen = select_rules(per_file={glob: ["GT01"]})
    assert chosen.wants("GT010", file) is not fits
    assert chosen.wants("GT009", file)


def test_globs_are_relative_to_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path / "data")
    chosen = select_rules(per_file={"data/*.json": ["ALL"]}, folder="..")
    assert not chosen.wants("GT010", "qa.json")
    assert not chosen.wants("GT010", str(tmp_path / "data" / "qa.json"))
    assert chosen.wants("GT010", "../qa.json")


def test_what_is_ignored_in_a_file_is_gone_however_it_was_selected() -> None:
    chosen = select_rules(["GT010"], per_file={"a.json": ["GT"]})
    assert not chosen.wants("GT010", "a.json")
    assert chosen.wants("GT010", "b.json")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"select": ["GT04"]}, "no rule 'GT04'; did you mean 'GT0"),
        ({"ignore": ["emty-group"]}, "did you mean 'empty-group'"),
        ({"per_file": {"*": ["GT999"]}}, "no rule 'GT999'"),
        ({"select": [""]}, "no rule ''"),
    ],
)
def test_a_word_that_no_rule_goes_by_is_refused(words: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match="no rule") as caught:
        select_rules(**words)  # type: ignore[arg-type]
    assert said in str(caught.value)
