"""A diff applied to the old text gives the new one, and patch can read it."""

import difflib
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.reporting.line_diff import find_changes, unified_diff

lines = st.lists(st.sampled_from([*"abcdefgh", "", "  "]), max_size=60)
many = st.lists(st.integers(0, 9999).map(str), max_size=120)


@given(lines | many, lines | many)
def test_changes_lead_from_the_old_to_the_new(old: list[str], new: list[str]) -> None:
    built: list[str] = []
    end = new_end = 0
    for tag, start, after, new_start, new_after in find_changes(old, new):
        assert (start, new_start) == (end, new_end)
        assert (tag == "equal") is (old[start:after] == new[new_start:new_after])
        built += old[start:after] if tag == "equal" else new[new_start:new_after]
        end, new_end = after, new_after
    assert built == new
    assert (end, new_end) == (len(old), len(new))


@given(st.data(), st.integers(1, 80))
def test_one_change_is_shown_as_difflib_shows_it(data: st.DataObject, size: int) -> None:
    """All lines differ, so that there is one shortest diff."""
    old = [f"line {number}" for number in range(size)]
    start = data.draw(st.integers(0, size))
    end = data.draw(st.integers(start, size))
    new = [*old[:start], *data.draw(st.lists(st.sampled_from("xyz"), max_size=9)), *old[end:]]
    expected = difflib.unified_diff(old, new, "p", "p", lineterm="")
    assert list(unified_diff(old, new, "p")) == list(expected)


def test_equal_lines_between_two_changes_are_not_shown_as_changed() -> None:
    diff = [*unified_diff(["a", "b", "c", "d", "e"], ["a", "B", "c", "D", "e"], "p")]
    assert diff[3:] == [" a", "-b", "+B", " c", "-d", "+D", " e"]


@pytest.mark.skipif(not shutil.which("patch"), reason="patch is not installed")
def test_patch_applies_it(tmp_path: Path) -> None:
    old = [f"line {number % 7}" for number in range(400)]
    new = [line for number, line in enumerate(old) if number % 50] + ["more"] * 3
    new[100:100] = ["added"] * 40
    del new[200:290]
    (tmp_path / "text").write_text("\n".join(old) + "\n")
    diff = "\n".join(unified_diff(old, new, "text")) + "\n"
    subprocess.run(["patch", "-s", "text"], input=diff, text=True, cwd=tmp_path, check=True)
    assert (tmp_path / "text").read_text() == "\n".join(new) + "\n"
