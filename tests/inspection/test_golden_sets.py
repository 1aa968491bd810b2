"""Golden sets in many shapes: every command that is printed is typed, and reads what it should."""

import json
import shutil
from pathlib import Path

import pytest

from groupwise import inspect
from tests.inspection.shapes import EXPECTED, GOLDEN, groups_in, type_in

READABLE = [name for name, ways in EXPECTED.items() if ways]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the golden sets and nothing else."""
    return Path(shutil.copytree(GOLDEN, tmp_path / "golden"))


def test_every_sample_has_its_groups_written_down() -> None:
    samples = {path.name for path in GOLDEN.iterdir()} - {"expected.json"}
    assert samples == EXPECTED.keys()
    assert len(READABLE) >= 12


@pytest.mark.parametrize("name", READABLE)
def test_the_printed_commands_read_the_groups_that_were_written_by_hand(
    name: str, folder: Path
) -> None:
    printed = type_in(folder, f"groupwise inspect {name} --format json")
    assert (printed.code, printed.err) == (0, "")
    found = json.loads(printed.out)
    shown = type_in(folder, f"groupwise inspect {name}").out.splitlines()
    read: dict[str, dict[str, list[list[object]]]] = {}
    for proposal in found["proposals"]:
        assert f"    {proposal['command']}" in shown
        outcome = type_in(folder, proposal["command"])
        assert outcome.code in (0, 1), outcome.err
        assert "IO0" not in outcome.out
        way = " ".join(filter(None, [proposal["map"]["ground_truth"], proposal["flat"]]))
        read[way] = convert(folder, name, proposal["command"])
    assert read == EXPECTED[name]


def convert(folder: Path, name: str, command: str) -> dict[str, list[list[object]]]:
    """The groups that a command reads, by typing it as a conversion into our format."""
    words = command.split()
    assert words[:3] == ["groupwise", words[1], name]
    outcome = type_in(
        folder, command.replace(f"{words[1]} {name}", f"convert {name} out.jsonl", 1) + " --lossy"
    )
    assert outcome.code == 0, outcome.err
    return groups_in(folder / "out.jsonl")


def test_answers_are_no_ids() -> None:
    found = inspect(GOLDEN / "answers-only.json")
    assert found.proposals == ()
    meanings = {field.path: field.could_be for field in found.fields}
    assert meanings["ground_truth"] == ("answer text",)
    assert meanings["expected_keywords"] == ("answer keywords",)
    assert "no field could be ground truth" in found.notes[0]


@pytest.mark.parametrize("name", READABLE)
def test_a_proposal_never_chooses_between_any_and_all(name: str) -> None:
    by_path: dict[str, set[str | None]] = {}
    for proposal in inspect(GOLDEN / name).proposals:
        by_path.setdefault(proposal.map["ground_truth"], set()).add(proposal.flat)
    assert all(flats in ({None}, {"any", "all"}) for flats in by_path.values())


def test_a_field_that_some_records_lack_is_neither_id_nor_query(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text('{"id": "a", "question": "Who?", "gold_id": "x"}\n{"gold_id": "y"}\n')
    (proposal,) = inspect(path).proposals
    assert proposal.map == {"id": "#", "ground_truth": "gold_id"}


def test_lists_side_by_side_are_no_queries_by_id(tmp_path: Path) -> None:
    path = tmp_path / "columns.json"
    path.write_text('{"questions": ["Who?", "What?"], "contexts": [["a"], ["b"]]}')
    found = inspect(path)
    assert (found.format, found.proposals) == (None, ())


def test_lists_of_one_need_no_choice_only_if_all_of_the_file_was_seen(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    record = '{"question": "Who is it?", "gold_ids": ["d7"]}\n'
    path.write_text(record * 3)
    assert [proposal.flat for proposal in inspect(path).proposals] == ["any"]
    path.write_text(record * 30_000)
    found = inspect(path)
    assert not found.whole
    assert [proposal.flat for proposal in found.proposals] == ["any", "all"]
