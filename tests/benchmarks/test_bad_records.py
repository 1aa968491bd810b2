"""The benchmark of bad records: each kind is a problem, and its figures are printed."""

import json
from pathlib import Path

import pytest

from benchmarks import bad_records
from groupwise import validate


def test_the_figures_of_a_kind(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["bad_records", "--bad", "2", "--rounds", "1", "empty group"]
    monkeypatch.setattr("sys.argv", words)
    assert bad_records.main() == 0
    head, row = capsys.readouterr().out.splitlines()
    assert "check 1/1" in head
    assert len(row.removeprefix("empty group").split()) == 8


@pytest.mark.parametrize("kind", bad_records.KINDS)
def test_every_kind_is_a_finding(kind: str, tmp_path: Path) -> None:
    good = {"id": "q", "ground_truth": [["a"], ["b", "c"]], "results": ["a", "d"]}
    lines = [json.dumps(good), *[bad_records.KINDS[kind]({**good, "id": f"q{n}"}) for n in "12"]]
    path = tmp_path / "queries.jsonl"
    path.write_text("\n".join(lines))
    assert validate(path, max_findings=1).codes
