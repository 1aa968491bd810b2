"""What a type checker sees of groupwise in the project of a user."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import groupwise
from groupwise.evaluator.metrics.registry import every_metric

PROJECT = """\
import groupwise
from groupwise.metrics import ndcg, recall

GROUPS = [["a", "b"], ["c"]]
reveal_type(groupwise.metrics.recall(GROUPS, ["a"], k=5))
reveal_type(recall)
reveal_type(ndcg(GROUPS, ["a"], profile="trec", gain="exponential"))
reveal_type(groupwise.evaluate({"q": GROUPS}, {"q": ["a"]}).worst(3))
reveal_type(groupwise.passage_id("title", "text"))
recall(GROUPS, ["a"], cutoff=5)
recall(GROUPS, ["a"], k=1.5)
recall(GROUPS, ["a"], profile="trek")
ndcg(GROUPS, ["a"], gain="cubic")
groupwise.metrics.recal(GROUPS, ["a"])
recall(GROUPS)
"""
REVEALED = {
    5: "float | None",
    6: "def (ground_truth: Any, results: Any, *, k: SupportsIndex | str | None =",
    7: "float | None",
    8: "list[str]",
    9: "str",
}
REFUSED = {10: "call-arg", 11: "arg-type", 12: "arg-type", 13: "arg-type", 14: "attr-defined",
           15: "call-arg"}  # fmt: skip


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What mypy says about the project, line by line."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "user.py").write_text(PROJECT)
    words = ["--strict", "--show-error-codes", "--cache-dir", str(folder / "cache"), "user.py"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words],
        capture_output=True, text=True, check=False, cwd=folder,
    )  # fmt: skip
    return done.stdout.splitlines()


def told(lines: list[str], number: int, kind: str) -> list[str]:
    return [line for line in lines if line.startswith(f"user.py:{number}: {kind}:")]


def test_signatures_and_results_are_seen(checked: list[str]) -> None:
    for number, kind in REVEALED.items():
        (line,) = told(checked, number, "note")
        revealed = re.sub(r"(builtins|typing|collections\.abc)\.", "", line.partition('"')[2])
        plain = re.sub(r"Union\[(\w+), None\]", r"\1 | None", revealed)
        assert plain.startswith(kind) or plain.replace("?", "").startswith(kind), line


def test_wrong_calls_are_refused(checked: list[str]) -> None:
    for number, code in REFUSED.items():
        assert told(checked, number, "error"), checked
        assert told(checked, number, "error")[0].endswith(f"[{code}]")
    errors = [line for line in checked if ": error:" in line]
    assert len(errors) == len(REFUSED)


def test_the_stub_has_every_metric_with_the_parameters_of_every_profile() -> None:
    stub = (Path(groupwise.__file__).parent / "metrics.pyi").read_text("utf-8")
    for profile, metric in every_metric():
        text = re.search(rf"^def {metric.name}\((.*?)^\)", stub, re.MULTILINE | re.DOTALL)
        assert text, metric.name
        assert f'"{profile}"' in text[1]
        for name in metric.parameters:
            assert f"    {name}: " in text[1]


def test_the_functions_have_the_same_signature_at_run_time() -> None:
    signature = inspect.signature(groupwise.metrics.rbp)
    assert [*signature.parameters][:3] == ["ground_truth", "results", "k"]
    assert signature.parameters["p"].default == 0.8
    assert "parameters" not in signature.parameters
