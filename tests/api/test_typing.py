"""What a type checker sees of groupwise: `make types` reads the calls below."""

import inspect
import re
from pathlib import Path
from typing import assert_type

import pytest

import groupwise
from groupwise.evaluator.metrics.registry import every_metric
from groupwise.metrics import ndcg, recall

GROUPS = [["a", "b"], ["c"]]


def test_results_have_types() -> None:
    assert_type(recall(GROUPS, ["a"], k=5), float | None)
    assert_type(ndcg(GROUPS, ["a"], profile="trec", gain="exponential"), float | None)
    assert_type(groupwise.evaluate({"q": GROUPS}, {"q": ["a"]}).worst(3), list[str])
    assert_type(groupwise.passage_id("title", "text"), str)


def test_wrong_calls_are_refused_by_the_checker_too() -> None:
    """A comment that ignores nothing is an error of mypy."""
    with pytest.raises(groupwise.OptionError):
        recall(GROUPS, ["a"], cutoff=5)  # type: ignore[call-arg]
    with pytest.raises(groupwise.OptionError):
        recall(GROUPS, ["a"], k=1.5)  # type: ignore[arg-type]
    with pytest.raises(groupwise.OptionError):
        recall(GROUPS, ["a"], profile="trek")  # type: ignore[arg-type]
    with pytest.raises(groupwise.OptionError):
        ndcg(GROUPS, ["a"], profile="trec", gain="cubic")  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        groupwise.metrics.recal(GROUPS, ["a"])  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        recall(GROUPS)  # type: ignore[call-arg]


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
