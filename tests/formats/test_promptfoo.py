"""promptfoo's results: a run by the contexts of its assertions; ground truth by a named path."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from groupwise import Dataset, File, InputError, Run, evaluate, read
from tests.cli.shell import spawn
from tests.formats.shapes import SAMPLES, digest, problems_of_document

FOLDER = SAMPLES / "promptfoo"
CLOSED, BRILL = "The mill of Aldmoor closed in 1999.", "Brill has a mill."
GOLDENS = SAMPLES / "deepeval/goldens.json"


def printed_option(name: str) -> tuple[str, str]:
    """The map that a refusal as ground truth prints, as a shell passes it on, and the rest."""
    with pytest.raises(InputError) as caught:
        read(FOLDER / name, role="ground_truth")
    (problem,) = caught.value.problems
    option = problem.message.partition("--map ")[2]
    found = re.match(r"('[^']*'|\S+)", option)
    assert found is not None
    (text,) = shlex.split(found[0])
    return text, option[len(found[0]) :]


def groups(data: Any) -> dict[str, Any]:
    assert isinstance(data, Dataset)
    return {
        str(query.id): [[one.id for one in g.alternatives] for g in query.ground_truth.groups]
        for query in data
    }


@pytest.mark.parametrize(
    ("flat", "second"), [("any", [["c-1", "c-2"]]), ("all", [["c-1"], ["c-2"]])]
)
def test_the_printed_option_reads_the_groups(flat: str, second: Any, tmp_path: Path) -> None:
    option, rest = printed_option("results.json")
    assert "--flat any" in rest
    assert "--flat all" in rest
    target = tmp_path / "groups.jsonl"
    words = ["convert", str(FOLDER / "results.json"), str(target), "--map", option, "--flat", flat]
    assert spawn(*words).code == 0
    assert groups(read(target)) == {
        "Which mill closed in 1999?": [["c-1"]],
        "Which mills are in Norland?": second,
    }


def test_a_single_id_needs_no_word_about_flat_lists(tmp_path: Path) -> None:
    option, rest = printed_option("version-2.json")
    assert "--flat" not in rest
    target = tmp_path / "groups.jsonl"
    assert spawn("convert", str(FOLDER / "version-2.json"), str(target), "--map", option).code == 0
    assert groups(read(target)) == {
        "Which mill closed in 1999?": [["mills.md"]],
        "Where is Brill?": [["brill.md"]],
    }


def test_ids_of_the_response_are_read_with_the_printed_option_too() -> None:
    document = json.loads((FOLDER / "results.json").read_text())
    for row in document["results"]["results"]:
        del row["gradingResult"], row["testCase"]["assert"]
    (problem,) = problems_of_document(document, "promptfoo", "run")
    ways = {"id": "vars.query", "results": "response.metadata.retrieved_ids"}
    fields = {name: f"results.results[].{way}" for name, way in ways.items()}
    option = ",".join(f"{name}={way}" for name, way in fields.items())
    assert f"--map '{option}'" in problem.message
    run = read(File(FOLDER / "results.json", map=fields), role="run")
    assert isinstance(run, Run)
    assert {str(query.id): query.ids() for query in run} == {
        "Which mill closed in 1999?": ["c-3", "c-1"],
        "Which mills are in Norland?": ["c-2"],
    }


def test_a_run_meets_the_goldens_of_another_file_by_text() -> None:
    """The first text is second of two, the second question gets one of its two texts."""
    report = evaluate(GOLDENS, FOLDER / "results.json", metrics=["recall", "mrr"])
    assert report.scores == {"recall": 0.75, "mrr": 0.5}


def test_a_context_that_is_one_text_is_one_result() -> None:
    run = read(FOLDER / "rows.jsonl", role="run")
    assert isinstance(run, Run)
    assert [query.ids() for query in run][1] == [digest(BRILL)]


def one_row(**changes: Any) -> Any:
    document = json.loads((FOLDER / "results.json").read_text())
    document["results"]["results"] = [document["results"]["results"][0] | changes]
    return document


def test_a_variable_called_context_is_a_result_only_beside_a_context_assertion() -> None:
    """A conversation may have a context too; promptfoo itself takes it for what was retrieved."""
    changes = {"vars": {"query": "q?", "context": ["a"]}, "gradingResult": None}
    checked = one_row(**changes)
    assert problems_of_document(checked, "promptfoo", "run") == []
    unchecked = one_row(**changes, testCase={"assert": [{"type": "contains", "value": "x"}]})
    (problem,) = problems_of_document(unchecked, "promptfoo", "run")
    assert problem.message.startswith("no context, which one of the assertions context-recall")


def test_sets_of_assertions_and_negated_ones_have_contexts_too() -> None:
    inner = {"assertion": {"type": "not-context-recall"}, "metadata": {"context": [CLOSED]}}
    outer = {"assertion": {"type": "assert-set"}, "componentResults": [inner]}
    grading = {"componentResults": [outer]}
    document = one_row(gradingResult=grading, testCase={})
    assert problems_of_document(document, "promptfoo", "run") == []


def test_outputs_of_two_providers_are_two_runs() -> None:
    document = json.loads((FOLDER / "results.json").read_text())
    rows = document["results"]["results"]
    rows += [row | {"promptIdx": 1, "provider": {"id": "other"}} for row in rows]
    (problem,) = problems_of_document(document, "promptfoo", "run")
    assert "outputs of several prompts or providers" in problem.message


def test_a_test_that_ended_with_an_error_is_named() -> None:
    document = json.loads((FOLDER / "results.json").read_text())
    row = document["results"]["results"][1]
    del row["gradingResult"], row["testCase"]["assert"]
    row["error"] = "connection refused"
    (problem,) = problems_of_document(document, "promptfoo", "run")
    assert problem.pointer == "/results/results/1"
    assert problem.message.endswith("which other tests have (the test ended with an error)")


def test_names_that_would_break_the_command_line_are_not_proposed() -> None:
    variables = {"query": "q?", "a,b": ["x"], "c=d": ["x"], "e\x1b[31m": ["x"], "$(f)": ["g"]}
    (problem,) = problems_of_document(one_row(vars=variables), "promptfoo", "ground_truth")
    assert "\x1b" not in problem.message
    option = problem.message.partition("--map ")[2]
    (text,) = shlex.split(option[: option.index("' ") + 1])
    assert text.endswith("ground_truth=results.results[].vars.$(f)")
