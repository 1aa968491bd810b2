"""Refusals end with the command that reads the file; ``--map auto`` takes the only one."""

import json
import shutil
from pathlib import Path
from unittest import mock

import pytest

from groupwise import Evaluator, File, InputError, convert, evaluate, read, validate
from groupwise.evaluator.inspection import inspect as inspect_module
from groupwise.evaluator.inspection.refusals import Refused, find_hints
from groupwise.evaluator.reading.source import Source
from tests.inspection.shapes import GOLDEN, groups_in, type_in

FLAT = {"id": "#", "query": "question", "ground_truth": "relevant_doc_ids"}
MAP = "--map 'id=#,query=question,ground_truth=relevant_doc_ids'"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the golden sets and a run."""
    folder = Path(shutil.copytree(GOLDEN, tmp_path / "golden"))
    run = [{"id": "1", "results": ["pricing", "x"]}, {"id": "2", "results": ["y", "retention"]}]
    (folder / "run.jsonl").write_text("".join(json.dumps(query) + "\n" for query in run))
    return folder


@pytest.mark.parametrize(
    ("typed", "code", "stem"),
    [
        ("evaluate flat-lists.json run.jsonl", 3, "evaluate flat-lists.json run.jsonl"),
        ("validate flat-lists.json", 1, "validate flat-lists.json"),
        ("convert flat-lists.json out.jsonl", 3, "convert flat-lists.json out.jsonl"),
        ("evaluate -m recall flat-lists.json run.jsonl --map query=question", 3,
         "evaluate -m recall flat-lists.json run.jsonl"),
    ],
)  # fmt: skip
def test_a_refusal_ends_with_the_commands_that_work(
    typed: str, code: int, stem: str, folder: Path
) -> None:
    refused = type_in(folder, f"groupwise {typed}")
    lines = [line.strip() for line in refused.err.splitlines()]
    assert refused.code == code
    assert lines[-4:] == [
        f"groupwise {stem} {MAP} --flat any", "any: each id answers by itself",
        f"groupwise {stem} {MAP} --flat all", "all: every id is needed",
    ]  # fmt: skip
    for command in (lines[-4], lines[-2]):
        assert type_in(folder, command).code == 0


def test_flat_that_was_given_leaves_one_command(folder: Path) -> None:
    refused = type_in(folder, "groupwise evaluate flat-lists.json run.jsonl --flat all -m recall")
    lines = [line.strip() for line in refused.err.splitlines()]
    command = f"groupwise evaluate flat-lists.json run.jsonl -m recall {MAP} --flat all"
    assert command in lines
    assert not any("--flat any" in line for line in lines)
    assert "0.75" in type_in(folder, command).out


def test_a_command_without_maps_and_a_file_without_proposal_point_to_inspect(folder: Path) -> None:
    for command in (
        "fingerprint flat-lists.json --corpus run.jsonl",
        "evaluate answers-only.json run.jsonl",
        "validate answers-only.json",
    ):
        name = command.split()[1]
        refused = type_in(folder, f"groupwise {command}")
        assert refused.err.splitlines()[-1].strip() == f"groupwise inspect {name}"


def test_a_known_format_gets_no_advice(folder: Path) -> None:
    (folder / "bad.jsonl").write_text('{"id": "q1", "ground_truth": [[]]}\n')
    refused = type_in(folder, "groupwise evaluate bad.jsonl run.jsonl")
    assert refused.code == 3
    assert "try:" not in refused.err


def test_the_library_names_the_fields(folder: Path) -> None:
    with pytest.raises(InputError, match=r"read it as File\(") as caught:
        evaluate(folder / "flat-lists.json", folder / "run.jsonl")
    hints = caught.value.hints
    assert [(hint.fields, hint.flat) for hint in hints] == [(FLAT, "any"), (FLAT, "all")]
    report = evaluate(
        File(folder / "flat-lists.json", map=hints[0].fields),
        folder / "run.jsonl",
        flat="any",
        metrics="recall",
    )
    assert report.scores["recall"] == 1.0
    with pytest.raises(InputError, match=r"read it as File\("):
        read(folder / "flat-lists.json")
    with pytest.raises(InputError, match=r"read it as File\("):
        convert(folder / "flat-lists.json", folder / "out.jsonl")
    assert any("read it as File(" in note for note in validate(folder / "flat-lists.json").notes)


def test_auto_takes_the_only_proposal_and_says_so(folder: Path) -> None:
    done = type_in(folder, "groupwise validate single-ids.jsonl --map auto")
    assert done.code == 0
    assert (
        "note: single-ids.jsonl: read with --map id=#,query=question,ground_truth=expected_doc_id"
        in done.err
    )
    report = evaluate(
        File(folder / "flat-lists.json", map="auto"),
        File(folder / "run.jsonl", map="auto"),
        flat="all",
        metrics="recall",
    )
    assert report.scores["recall"] == 0.75
    assert any("read with --map id=#" in warning for warning in report.warnings)
    assert (
        len(read(File(folder / "single-ids.jsonl", map="auto"), role="ground_truth").queries) == 2
    )


def test_auto_shows_its_choice_on_stderr_beside_a_table(folder: Path) -> None:
    words = "groupwise evaluate flat-lists.json run.jsonl --map auto --flat any -m recall"
    assert "note: flat-lists.json: read with --map id=#" in type_in(folder, words).err
    converted = type_in(folder, "groupwise convert single-ids.jsonl out.jsonl --map auto")
    assert "read with --map" in converted.err
    assert groups_in(folder / "out.jsonl") == {"1": [["leave-policy"]], "2": [["travel-policy"]]}


def test_auto_reads_standard_input(folder: Path) -> None:
    done = type_in(folder, "groupwise validate - --map auto < single-ids.jsonl")
    assert done.code == 0
    assert "<stdin>: read with --map id=#" in done.err


def test_auto_refuses_to_choose(folder: Path) -> None:
    refused = type_in(folder, "groupwise evaluate flat-lists.json run.jsonl --map auto")
    assert refused.code == 3
    assert "2 ways" in refused.err
    assert f"groupwise evaluate flat-lists.json run.jsonl {MAP} --flat any" in refused.err
    with pytest.raises(InputError, match="2 ways"):
        validate(File(folder / "flat-lists.json", map="auto"))
    refused = type_in(folder, "groupwise validate answers-only.json --map auto")
    assert refused.code == 3
    assert refused.err.splitlines()[-1].strip() == "groupwise inspect answers-only.json"


def test_auto_reads_ground_truth_and_run_each_in_its_own_way(folder: Path) -> None:
    runs = [
        {"case": {"qid": "1"}, "retrieved_docs": ["leave-policy"]},
        {"case": {"qid": "2"}, "retrieved_docs": ["x", "travel-policy"]},
    ]
    (folder / "found.json").write_text(json.dumps({"results": runs}))
    words = "groupwise evaluate single-ids.jsonl found.json --map auto -m mrr --format json"
    done = type_in(folder, words)
    assert done.code == 0, done.err
    assert json.loads(done.out)["scores"] == {"mrr": 0.75}
    shown = type_in(folder, "groupwise inspect single-ids.jsonl found.json").out
    assert "groupwise evaluate single-ids.jsonl found.json --map auto" in shown
    refused = type_in(folder, "groupwise evaluate single-ids.jsonl found.json")
    assert "groupwise evaluate single-ids.jsonl found.json --map auto" in refused.err


def test_an_evaluator_takes_auto_for_its_ground_truth_and_each_run(folder: Path) -> None:
    found = [{"qid": "1", "retrieved_docs": ["leave-policy"]}, {"qid": "2", "retrieved_docs": []}]
    (folder / "found.jsonl").write_text("".join(json.dumps(query) + "\n" for query in found))
    evaluator = Evaluator(File(folder / "single-ids.jsonl", map="auto"), metrics="recall")
    report = evaluator.evaluate(File(folder / "found.jsonl", map="auto"))
    assert report.scores["recall"] == 0.5
    assert any("read with --map id=qid,results=retrieved_docs" in note for note in report.warnings)
    with pytest.raises(InputError, match="2 ways"):
        Evaluator(File(folder / "flat-lists.json", map="auto"))


def test_auto_is_for_files_and_stands_alone(folder: Path) -> None:
    with pytest.raises(InputError, match="takes a file"):
        evaluate(File({"q1": [["a"]]}, map="auto"), {"q1": ["a"]})
    mixed = type_in(folder, "groupwise validate single-ids.jsonl --map auto --map id=question")
    assert mixed.code == 2


def test_a_file_of_a_known_format_is_not_read_again_for_hints(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("query_id,group,id\nq,1,a\n")
    unread = mock.Mock(side_effect=AssertionError)
    with mock.patch.object(inspect_module, "read_held", unread):
        assert find_hints(Refused(path, "run")) == []
    assert inspect_module.inspect_unknown(Source(path)) is None
