"""The composite action on a sample repository: what it says, what it fails for, what it resists."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from groupwise import __version__, evaluate
from tests.docs.pages import blocks
from tests.packaging.action import ACTION, Runner, read_action
from tests.paths import ROOT

yaml = pytest.importorskip("yaml")

TRUTH = [
    {"id": f"q{n}", "query": f"question {n}?", "ground_truth": [[f"d{n}"], [f"e{n}", f"f{n}"]]}
    for n in range(20)
]
GOOD = [{"id": f"q{n}", "results": [f"d{n}", f"f{n}", "x"]} for n in range(20)]
CORPUS = [
    {"id": f"{letter}{n}", "text": f"text {n} of {letter}"} for letter in "def" for n in range(20)
]
POOR = [{"id": f"q{n}", "results": [f"d{n}", "x", "y"]} for n in range(20)]
"""A run that meets both groups of each query, a corpus, and a run that meets the first only."""
INPUTS = {"ground-truth": "truth.jsonl", "run": "run.jsonl", "metrics": "recall@3,complete@3"}
GATES = "recall@3 >= 0.9\n\ncomplete@3 >= baseline - 0.05\n"


def write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A repository with ground truth, a run and a baseline, and groupwise installed."""
    for name in ("repository", "temporary"):
        (tmp_path / name).mkdir()
    runner = Runner(tmp_path / "repository", tmp_path / "temporary")
    write_lines(runner.folder / "truth.jsonl", TRUTH)
    write_lines(runner.folder / "run.jsonl", GOOD)
    evaluate(
        runner.folder / "truth.jsonl", runner.folder / "run.jsonl", profile="coverage",
        metrics=["recall@3", "complete@3"], save_baseline=runner.folder / "baseline.json",
    )  # fmt: skip
    runner.outputs["install.outputs.command"] = str(Path(sys.executable).with_name("groupwise"))
    return runner


def use(runner: Runner, **inputs: str) -> int:
    given = {name.replace("_", "-"): value for name, value in inputs.items()}
    return runner.use(INPUTS | given, "Install groupwise")


def test_a_run_that_passes_its_gates_is_summed_up(runner: Runner) -> None:
    assert use(runner, gates=GATES, baseline="baseline.json") == 0
    page = runner.summary.replace("\\", "")
    assert "| recall@3 >= 0.9 | passed |" in page
    assert "| complete@3 >= baseline - 0.05 | passed |" in page
    assert re.search(r"^::notice .*2 gates passed", runner.log, re.MULTILINE)
    assert "::error" not in runner.log
    assert runner.outputs["evaluate.outputs.exit-code"] == "0"
    assert Path(runner.outputs["evaluate.outputs.summary"]).read_text("utf-8") in runner.summary


def test_a_failed_gate_fails_the_step_and_names_queries(runner: Runner) -> None:
    write_lines(runner.folder / "run.jsonl", POOR)
    assert use(runner, gates=GATES, baseline="baseline.json", worst="2") == 1
    page = runner.summary.replace("\\", "")
    assert "**Failed: 2 of 2 gates.**" in page
    assert "| recall@3 >= 0.9 | failed | recall@3 is 0.5" in page
    assert "group 2 (e0 or f0) not retrieved" in page
    assert len(re.findall(r"^::error .*gate .* failed", runner.log, re.MULTILINE)) == 2
    assert runner.outputs["evaluate.outputs.exit-code"] == "1"


def test_wrong_data_are_annotated_on_their_line_and_not_evaluated(runner: Runner) -> None:
    wrong = [*TRUTH[:4], {**TRUTH[4], "ground_truth": [["d4"], []]}, *TRUTH[5:]]
    write_lines(runner.folder / "truth.jsonl", wrong)
    assert use(runner) == 1
    assert re.search(r"^::error file=truth\.jsonl,line=5,.*GT004", runner.log, re.MULTILINE)
    assert "**groupwise validate failed**" in runner.summary
    assert re.search(r"^    .*GT004", runner.summary, re.MULTILINE)
    assert "evaluate.outputs.exit-code" not in runner.outputs


def test_data_that_cannot_be_evaluated_are_told_from_low_scores(runner: Runner) -> None:
    write_lines(runner.folder / "run.jsonl", [{"id": "other", "results": ["d1"]}])
    assert use(runner, validate="false") == 3
    assert "**groupwise evaluate failed**, exit code 3." in runner.summary
    assert "::error title=groupwise evaluate::could not evaluate, exit code 3" in runner.log


def test_a_fixture_needs_no_run(runner: Runner) -> None:
    queries = [truth | result for truth, result in zip(TRUTH, GOOD, strict=True)]
    (runner.folder / "fixture.json").write_text(json.dumps({"queries": queries}), "utf-8")
    assert use(runner, ground_truth="fixture.json", run="", gates="recall@3 >= 1") == 0
    assert "passed" in runner.summary


def test_further_options_are_words(runner: Runner) -> None:
    write_lines(runner.folder / "run.jsonl", GOOD[:-1])
    assert use(runner, validate="false") == 0
    assert use(runner, validate="false", options="--missing=error\r\n--by=groups\r\n") == 3
    assert "q19" in runner.summary


def test_findings_below_the_severity_pass(runner: Runner) -> None:
    write_lines(runner.folder / "truth.jsonl", [*TRUTH, {**TRUTH[0], "id": "twin"}])
    assert use(runner, fail_on="error") == 0
    assert use(runner, fail_on="warning") == 1


INNER = [
    "$(touch broken)",
    "`touch broken`",
    '"; touch broken; "',
    "'; touch broken; '",
    "x\ntouch broken",
    "*",
    "a b\\",
    "::error::made up",
    "\u202e\u001b[31m",
]
CHOSEN = ("ground-truth", "gates", "options")
NAMES = [
    name if name in CHOSEN else pytest.param(name, marks=pytest.mark.nightly)
    for name in sorted(read_action()["inputs"])
]


@pytest.mark.parametrize("text", ["\n".join(INNER), "--help"])
@pytest.mark.parametrize("name", NAMES)
def test_inputs_are_never_code(name: str, text: str, runner: Runner) -> None:
    """Every input is refused, or taken as it is; nothing in it runs."""
    code = runner.use(INPUTS | {name: text}, "Install groupwise")
    assert not list(runner.folder.rglob("broken"))
    assert code in {0, 2, 3}, runner.log
    assert "syntax error" not in runner.log
    assert "command not found" not in runner.log
    assert not re.search(r"^ *::error::made up", take_commands(runner.log), re.MULTILINE)


def take_commands(log: str) -> str:
    """What of a log the runner looks for commands in."""
    return re.sub(r"(?ms)^::stop-commands::(\S+)\n.*?^::\1::$", "", log)


def test_a_file_may_have_any_name(runner: Runner) -> None:
    name = '--it\'s $(touch broken) "quoted".jsonl'
    (runner.folder / "truth.jsonl").rename(runner.folder / name)
    assert use(runner, ground_truth=name, gates="recall@3 >= 1") == 0
    assert "passed" in runner.summary


def test_no_script_contains_an_expression() -> None:
    steps = read_action()["runs"]["steps"]
    assert len(steps) == 3
    for step in steps:
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"


def test_every_input_is_used_and_described() -> None:
    text = ACTION.read_text("utf-8")
    for name, given in read_action()["inputs"].items():
        assert f"${{{{ inputs.{name} }}}}" in text
        assert given["description"]
        assert given.get("required") or "default" in given


def test_the_workflow_on_the_page_uses_inputs_that_exist(runner: Runner) -> None:
    (block, *_) = blocks(ROOT / "docs" / "how-to" / "ci.md", "yaml")
    (*_, step) = yaml.safe_load(block.text)["jobs"]["evaluate"]["steps"]
    assert step["uses"] == f"OWNER/groupwise@v{__version__}"
    write_lines(runner.folder / "corpus.jsonl", CORPUS)
    evaluate(
        runner.folder / "truth.jsonl", runner.folder / "run.jsonl", profile="coverage",
        metrics=step["with"]["metrics"].split(","), missing="error",
        save_baseline=runner.folder / "baseline.json",
    )  # fmt: skip
    assert runner.use(step["with"], "Install groupwise") == 0, runner.log
    assert "Passed" in runner.summary or "passed" in runner.summary


@pytest.mark.nightly
def test_the_action_installs_what_it_needs(runner: Runner) -> None:
    """The first step builds groupwise from the action's own files; this one needs an index."""
    assert runner.use(INPUTS | {"gates": "recall@3 >= 0.9"}) == 0, runner.log
    command = Path(runner.outputs["install.outputs.command"])
    assert command.is_relative_to(runner.temporary)
    subprocess.run([command, "--version"], check=True)
