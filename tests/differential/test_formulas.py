"""The oracle itself: published worked values, and what AutoRAG, trec_eval and ndeval gave."""

from collections.abc import Sequence
from typing import Any

import pytest

from groupwise.evaluator.metrics.registry import metrics_of
from tests.differential import formulas
from tests.differential.data import Group
from tests.differential.formulas.view import View
from tests.metrics.test_autorag_golden import CASES as OF_AUTORAG
from tests.metrics.test_autorag_golden import CLASSES
from tests.metrics.test_ndeval_golden import CASES as OF_NDEVAL
from tests.metrics.test_ndeval_golden import NORMALISED, PLAIN
from tests.metrics.test_trec_golden import CASES as OF_TREC
from tests.metrics.test_trec_golden import NAMES as TREC_NAMES

SIX = ("precision", "recall", "f1", "mrr", "map", "ndcg")


def plain(truth: Sequence[Sequence[Any]]) -> tuple[Group, ...]:
    return tuple(Group(tuple((one, 1) for one in group)) for group in truth)


def graded(grades: dict[str, float]) -> tuple[Group, ...]:
    return tuple(Group(((one, grade),)) for one, grade in grades.items() if grade > 0)


def value(
    profile: str, asked: str, groups: tuple[Group, ...], ids: Sequence[Any], **more: Any
) -> float | None:
    """A metric, written with its cutoff, of a ranking."""
    name, _, k = asked.partition("@")
    cutoff = int(k) if k else None
    against = more.pop("not_relevant", ())
    view = View(groups, against, tuple(ids)[:cutoff], cutoff, more.pop("vectors", None))
    return formulas.value(profile, name, view, more)


@pytest.mark.parametrize("profile", formulas.FORMULAS)
def test_every_metric_has_a_formula(profile: str) -> None:
    """Those of spans, which these cases have none of, are compared in test_characters.py."""
    known = {name for name, metric in metrics_of(profile).items() if not metric.needs_spans}
    assert known == set(formulas.FORMULAS[profile])


@pytest.mark.parametrize(
    ("name", "expected"),
    list(zip(SIX, (0.5, 0.5, 0.5, 0.5, 0.41666666666666663, 0.7039180890341347), strict=True)),
)
def test_the_running_example(name: str, expected: float) -> None:
    groups = plain([["test-1", "test-2"], ["test-3"]])
    found = value("autorag", name, groups, ["test-1", "pred-1", "test-2", "pred-3"])
    assert found == pytest.approx(expected, abs=1e-15)


TUTORIAL = {"doc1": 7, "doc2": 5, "doc4": 3}
LETTERS = dict.fromkeys("ACFG", 1)


@pytest.mark.parametrize(
    ("asked", "grades", "ranking", "expected"),
    [
        ("ndcg@3", TUTORIAL, [f"doc{n}" for n in range(1, 11)], 0.8713),
        ("ndcg@5", TUTORIAL, [f"doc{n}" for n in range(1, 11)], 0.9822),
        ("mrr", TUTORIAL, [f"doc{n}" for n in range(1, 11)], 1),
        ("map@3", TUTORIAL, [f"doc{n}" for n in range(1, 11)], 0.6667),
        ("map@5", TUTORIAL, [f"doc{n}" for n in range(1, 11)], 0.9167),
        ("precision@3", dict.fromkeys("123", 1), "15382", 2 / 3),
        ("recall@5", dict.fromkeys("123", 1), "15382", 1),
        ("map", dict.fromkeys("123", 1), "15382", 0.7556),
        ("mrr", dict.fromkeys("123", 1), "85132", 1 / 3),
        ("precision@3", LETTERS, "ABCDE", 2 / 3),
        ("precision@5", LETTERS, "ABCDE", 0.4),
        ("recall@3", LETTERS, "ABCDE", 0.5),
        ("map", dict.fromkeys("247", 1), "2345", 0.5556),
        ("ndcg", dict.fromkeys("bd", 1), "abcde", 0.6509),
    ],
)
def test_worked_values_of_the_literature(
    asked: str, grades: dict[str, float], ranking: Sequence[str], expected: float
) -> None:
    assert value("trec", asked, graded(grades), ranking) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("ranking", "expected"), [("axbcy", 0.9508), ("xcyba", 0.4930)])
def test_worked_values_of_exponential_gain(ranking: str, expected: float) -> None:
    groups = graded({"a": 3, "b": 2, "c": 1})
    found = value("trec", "ndcg@5", groups, ranking, gain="exponential")
    assert found == pytest.approx(expected, abs=5e-5)


def test_the_worked_value_of_ild() -> None:
    """Cosines of 0.9, 0.3 and 0.4 between three vectors."""
    second = (0.9, (1 - 0.9**2) ** 0.5, 0.0)
    x, y = 0.3, (0.4 - 0.9 * 0.3) / second[1]
    vectors = {"a": (1.0, 0.0, 0.0), "b": second, "c": (x, y, (1 - x * x - y * y) ** 0.5)}
    found = value("coverage", "ild", plain([["a"]]), "abc", vectors=vectors)
    assert found == pytest.approx(0.4667, abs=5e-5)


def test_what_autorag_gave() -> None:
    for name, case in OF_AUTORAG.items():
        if CLASSES[name] == "scored":
            groups = plain(case["retrieval_gt"])
            found = {one: value("autorag", one, groups, case["retrieved_ids"]) for one in SIX}
            assert found == pytest.approx(case["expected"], abs=1e-9), name


def test_what_trec_eval_gave() -> None:
    for name, case in OF_TREC.items():
        run = case["run"]
        ranking = sorted(run, key=lambda one: (run[one], one), reverse=True)
        against = tuple(one for one, grade in case["qrels"].items() if grade == 0)
        for measure, asked in TREC_NAMES.items():
            groups = graded(case["qrels"])
            found = value("trec", asked, groups, ranking, not_relevant=against) if groups else 0.0
            assert found == pytest.approx(case["expected"][measure], abs=1e-9), (name, measure)


def test_what_ndeval_gave() -> None:
    for number, (name, case) in enumerate(OF_NDEVAL.items()):
        groups = plain(case["ground_truth"])
        normalised = NORMALISED if number % 8 == 0 and not case["shared_ids"] else {}
        for measure, asked in (PLAIN | normalised).items():
            found = value("coverage", asked, groups, case["result"])
            assert found == pytest.approx(case["expected"][measure], abs=1e-6), (name, measure)
