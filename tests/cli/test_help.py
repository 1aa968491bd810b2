import re
import subprocess
import sys
from pathlib import Path

import pytest

from groupwise import __version__
from groupwise.evaluator.cli.commands import COMMANDS
from tests.cli.conftest import Groupwise
from tests.cli.shell import spawn, type_line

HEAVY = ("numpy", "pydantic", "rich", "orjson")
QUICK = [
    ["--help"],
    ["--version"],
    ["metrics"],
    ["metrics", "ndcg"],
    ["rule"],
    ["rule", "GT004"],
    ["evaluate", "--help"],
    ["compare", "--help"],
    ["power", "--help"],
    ["remap", "--help"],
]
FOR_OTHERS = (
    "multiprocessing",
    "rich.console",
    "tomllib",
    "groupwise.evaluator.intake.documents",
    "groupwise.evaluator.formats.mapping.fields",
    "groupwise.evaluator.formats.parquet",
    "groupwise.evaluator.formats.frames",
    "groupwise.evaluator.validation.corpus.survey",
    "groupwise.evaluator.validation.engine.fixing",
    "groupwise.evaluator.validation.corpus.nearest",
)
"""What a command on a small and clean file has no use for."""
RECORD = '{"id": "q1", "query": "which?", "ground_truth": [["a"], ["b"]], "results": ["a"]}\n'


def examples(text: str) -> list[str]:
    return re.findall(r"^ +\$ ((?:groupwise|printf) .*?)(?: {2,}.*)?$", text, re.MULTILINE)


def test_the_front_page_names_every_command(groupwise: Groupwise) -> None:
    done = groupwise("--help")
    assert (done.code, done.err) == (0, "")
    for name, summary in COMMANDS.items():
        assert re.search(rf"^  {name} +{summary}$", done.out, re.MULTILINE)
    assert groupwise("-h") == groupwise("help") == done


def test_every_command_has_a_module_and_every_module_with_main_is_a_command() -> None:
    folder = Path(__file__).parents[2] / "evaluator" / "cli"
    found = {f.stem for f in folder.glob("*.py") if "\ndef main(" in f.read_text(encoding="utf-8")}
    assert found == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_and_ends_with_an_example(groupwise: Groupwise, command: str) -> None:
    done = groupwise(command, "--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"usage: groupwise {command}")
    assert examples(done.out.partition("\nexample:\n")[2])
    assert groupwise("help", command) == done


@pytest.mark.parametrize("words", [["--help"], ["demo"], *([name, "--help"] for name in COMMANDS)])
def test_the_examples_run(groupwise: Groupwise, words: list[str]) -> None:
    for example in examples(groupwise(*words).out):
        done = type_line(example)
        assert (done.code, "error:" in done.err) == (0, False), done.err


def said_after(words: list[str], said: str, folder: Path | None = None) -> list[str]:
    """Words about a process, said after it ran a command in a folder."""
    code = (
        "import sys; from groupwise.evaluator.cli import run; run(sys.argv[1:]); "
        f"print(*[{said}], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, check=True, text=True, cwd=folder
    )
    return done.stderr.split()


@pytest.mark.parametrize("words", QUICK, ids=" ".join)
def test_quick_answers_import_nothing_heavy(words: list[str]) -> None:
    assert said_after(words, f"name for name in {HEAVY} if name in sys.modules") == []


@pytest.mark.parametrize("command", ["evaluate", "validate"])
def test_a_clean_file_needs_nothing_that_others_need(command: str, tmp_path: Path) -> None:
    (tmp_path / "clean.jsonl").write_text(RECORD)
    words = [command, "clean.jsonl"]
    unneeded = f"name for name in {FOR_OTHERS} if name in sys.modules"
    assert said_after(words, unneeded, tmp_path) == []


def test_the_version(groupwise: Groupwise) -> None:
    assert groupwise("--version") == (0, f"groupwise {__version__}\n", "") == groupwise("-V")


def test_it_runs_as_a_module() -> None:
    assert spawn("--version").code == 0
