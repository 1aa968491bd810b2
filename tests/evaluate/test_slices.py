"""Scores by slice: beside a grouping in plain loops, for every kind of value and every policy."""

import math
import random
from collections.abc import Iterable
from fractions import Fraction
from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import Dataset, Evaluator, InputError, OptionError, Report, evaluate
from groupwise.evaluator.evaluation.plan import Plan
from groupwise.evaluator.evaluation.slicing import slice_queries
from groupwise.evaluator.evaluation.truth_index import TruthIndex
from groupwise.evaluator.intake.objects import as_records
from tests.strategies import FEWER

VALUES: list[tuple[Any, list[str]]] = [
    ("bridge", ["bridge"]),
    ("2", ["2"]),
    (2, ["2"]),
    (2.0, ["2"]),
    (10, ["10"]),
    (2.5, ["2.5"]),
    (-3, ["-3"]),
    (1e300, ["1e+300"]),
    (True, ["true"]),
    (False, ["false"]),
    (None, ["(none)"]),
    (math.nan, ["(none)"]),
    ([], ["(none)"]),
    ("(none)", ['"(none)"']),
    ('"(none)"', ['"\\"(none)\\""']),
    ("", ['""']),
    (["en", "de", "en"], ["de", "en"]),
    (("en", 2), ["2", "en"]),
    (["en", None], ["(none)", "en"]),
]
"""Values of a field, and the slices that they belong to."""
ORDER = ["-3", "2", "2.5", "10", "1e+300", '""', '"(none)"', '"\\"(none)\\""', "bridge", "de",
         "en", "false", "true", "(none)"]  # fmt: skip


def query(value: Any, groups: list[list[str]] | None = None) -> dict[str, Any]:
    return {"ground_truth": groups or [["a"]], "metadata": {"field": value}}


def all_find_a(truths: Iterable[str]) -> dict[str, list[str]]:
    return {query_id: ["a"] for query_id in truths}


@pytest.mark.parametrize(("value", "names"), VALUES, ids=repr)
def test_a_value_belongs_to_the_slices_of_its_text(value: Any, names: list[str]) -> None:
    report = evaluate({"q": query(value)}, {"q": ["a"]}, metrics="recall", by="field")
    assert sorted(report.slices["field"]) == sorted(names)


def test_numbers_come_by_size_then_texts_then_the_queries_without_a_value() -> None:
    truths = {str(number): query(value) for number, (value, _) in enumerate(VALUES)}
    report = evaluate(truths, all_find_a(truths), metrics="recall", by="field")
    assert list(report.slices["field"]) == ORDER


TYPES: list[Any] = ["x", "y", 1, 2, None, ["x", "y"], [], ...]
"""Values that a query may have; an ellipsis: it lacks the field."""
LABELS = ["vital", "okay", None]
METRICS = ["recall", "ndcg@2", "first_hit", "recall(label=vital)", "first_hit(label=vital)"]


def data(source: random.Random, count: int) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Queries with metadata and labels; some unanswerable, missing, empty or extra."""
    truths: dict[str, Any] = {}
    results: dict[str, list[str]] = {"extra": ["a"]}
    for number in range(count):
        kind = source.choice(TYPES)
        groups = [
            {"alternatives": [letter], "label": source.choice(LABELS)}
            for letter in "abc"[: source.randrange(4)]
        ]
        record: dict[str, Any] = {"ground_truth": groups} if groups else {"answerable": False}
        truths[f"q{number}"] = record | ({} if kind is ... else {"metadata": {"kind": kind}})
        if source.random() < 0.8:
            results[f"q{number}"] = source.sample("abxy", source.randrange(4))
    return truths, results


def naive_members(truths: dict[str, Any], field: str) -> dict[str, set[str]]:
    """The queries of each slice, in plain loops."""
    members: dict[str, set[str]] = {}
    for query_id, record in truths.items():
        groups = record.get("ground_truth", [])
        if field == "groups":
            values: list[Any] = [len(groups)]
        elif field == "label":
            values = [group["label"] for group in groups if group["label"]]
        else:
            value = record.get("metadata", {}).get(field)
            values = value if isinstance(value, list) else [value]
        for value in values or [None]:
            name = "(none)" if value is None else str(value)
            members.setdefault(name, set()).add(query_id)
    return members


def naive_mean(report: Report, metric: str, members: set[str]) -> float | None:
    values = [report.per_query[query_id][metric] for query_id in members]
    scored = [Fraction(value) for value in values if value is not None]
    return float(sum(scored) / len(scored)) if scored else None


def naive_counts(
    truths: dict[str, Any], results: dict[str, list[str]], members: set[str], zero: bool
) -> dict[str, int]:
    """How many queries of a slice are what; ``zero``: those without groups are scored."""
    blank = {query_id for query_id in members if not truths[query_id].get("ground_truth")}
    asked = members if zero else members - blank
    return {
        "queries": len(members),
        "missing": len(asked - results.keys()),
        "empty_results": len({query_id for query_id in asked if results.get(query_id) == []}),
        "unanswerable": len(blank),
        "extra": 0,
    }


def check_slice(report: Report, field: str, name: str, members: set[str]) -> None:
    """Compare scores and ranks of a slice with those of its queries."""
    found = report.slices[field][name]
    for metric in report.scores:
        assert found.scores[metric] == naive_mean(report, metric, members)
    scored = [q for q in members if report.per_query[q]["recall"] is not None]
    ranks = [report.per_query[query_id]["first_hit"] for query_id in scored]
    known = sorted(rank for rank in ranks if rank is not None)
    summary = found.ranks["first_hit"]
    assert found.counts.scored == len(scored)
    assert summary.median == (median(known) if known else None)
    assert (summary.found, summary.not_found) == (len(known), len(scored) - len(known))


@FEWER
@given(
    source=st.randoms(use_true_random=False),
    count=st.integers(2, 25),
    missing=st.sampled_from(["zero", "skip"]),
    empty=st.sampled_from(["zero", "skip"]),
    unanswerable=st.sampled_from(["skip", "zero"]),
)
def test_slices_are_means_over_their_queries(
    source: random.Random, count: int, missing: Any, empty: Any, unanswerable: Any
) -> None:
    truths, results = data(source, count)
    truths["q0"] = {"ground_truth": [{"alternatives": ["a"], "label": "vital"}],
                    "metadata": {"kind": "x"}}  # fmt: skip
    results["q0"] = ["a"]
    options: dict[str, Any] = {
        "missing": missing, "empty_results": empty, "unanswerable": unanswerable,
        "metrics": METRICS, "by": ["kind", "groups", "label"],
    }  # fmt: skip
    report = evaluate(truths, results, **options)
    for field in ("kind", "groups", "label"):
        expected = naive_members(truths, field)
        assert report.slices[field].keys() == expected.keys()
        for name, members in expected.items():
            check_slice(report, field, name, members)
            counts = naive_counts(truths, results, members, unanswerable == "zero")
            assert report.slices[field][name].counts.model_dump(exclude={"scored"}) == counts
    names = ("queries", "scored", "missing", "empty_results", "unanswerable")
    for name in names:  # each query has one number of groups
        total = sum(getattr(found.counts, name) for found in report.slices["groups"].values())
        assert total == getattr(report.counts, name)
    without = evaluate(truths, results, **options, per_query=False)
    assert without.slices == report.slices
    assert Evaluator(truths, **options).evaluate(results).to_json() == report.to_json()
    shuffled = dict(source.sample(sorted(truths.items()), len(truths)))
    assert evaluate(shuffled, results, **options).to_json() == report.to_json()


@FEWER
@given(source=st.randoms(use_true_random=False), count=st.integers(1, 20))
def test_queries_of_slices_for_others_are_the_same(source: random.Random, count: int) -> None:
    truths, _ = data(source, count)
    truths["q0"] = {"ground_truth": [{"alternatives": ["a"], "label": "vital"}],
                    "metadata": {"kind": "x"}}  # fmt: skip
    partial = Plan("recall", by=("kind",)).start()
    rows = TruthIndex.read(as_records(truths, "ground_truth"), partial).rows
    fields = ["kind", "groups", "label"]
    sliced = slice_queries(rows, fields)
    for field in fields:
        expected = naive_members(truths, field)
        assert sliced[field] == {name: sorted(members) for name, members in expected.items()}


def test_metadata_wins_over_the_special_names() -> None:
    truths = {
        "q1": {"ground_truth": [["a"], ["b"]], "metadata": {"groups": "many", "label": 7}},
        "q2": {"ground_truth": [{"alternatives": ["a"], "label": "vital"}]},
    }
    report = evaluate(truths, {"q1": ["a"], "q2": ["a"]}, metrics="recall", by=["groups", "label"])
    assert list(report.slices["groups"]) == ["many", "(none)"]
    assert list(report.slices["label"]) == ["7", "(none)"]


def test_a_field_that_no_query_has_is_an_error_that_lists_those_there_are() -> None:
    truths = {"q": query(1), "r": {"ground_truth": [{"alternatives": ["a"], "label": "vital"}]}}
    expected = "no query has the field 'fild' to slice by; did you mean 'field'? "
    with pytest.raises(InputError) as caught:
        evaluate(truths, {"q": ["a"]}, by=["field", "fild"])
    assert str(caught.value) == f"{expected}There are field, groups, label"
    with pytest.raises(InputError, match="by; choose from groups"):
        evaluate({"q": [["a"]]}, {"q": ["a"]}, by="label")


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"a": 1}, "an object"),
        ([["a"]], "a list"),
        (["a", {}], "an object"),
    ],
)
def test_a_value_that_makes_no_slice_is_refused_with_its_place(value: Any, found: str) -> None:
    with pytest.raises(InputError, match=f"query 'q', /metadata/field: {found} makes no slice"):
        evaluate({"q": query(value)}, {"q": ["a"]}, by="field")
    evaluate({"q": query(value)}, {"q": ["a"]}, by="groups")  # it is not asked for


@pytest.mark.parametrize("by", [3, ["field", 3], {"field": 1}.values()])
def test_a_field_is_named_by_a_text(by: Any) -> None:
    with pytest.raises(OptionError, match="by: expected the name of a field, got"):
        evaluate({"q": query(1)}, {"q": ["a"]}, by=by)


def test_a_field_that_is_named_twice_is_one() -> None:
    report = evaluate({"q": query(1)}, {"q": ["a"]}, metrics="recall", by=["field", "field"])
    assert list(report.slices) == ["field"]
    assert not evaluate({"q": query(1)}, {"q": ["a"]}, by=[]).slices


def test_slices_of_few_queries_are_named_in_a_warning() -> None:
    truths = {str(n): query("many" if n < 10 else f"few {n}") for n in range(17)}
    report = evaluate(truths, all_find_a(truths), by="field", metrics="recall")
    shown = "few 10 (1), few 11 (1), few 12 (1), few 13 (1), few 14 (1), …"
    few = f"7 slices have fewer than 10 scored queries, too few to tell much: {shown}"
    assert report.warnings == (f"by field: {few}",)
    ten = dict(list(truths.items())[:10])
    assert not evaluate(ten, all_find_a(ten), by="field", metrics="recall").warnings


def test_without_slices_a_report_is_what_it_was() -> None:
    report = evaluate({"q": query(1)}, {"q": ["a"]}, metrics="recall")
    assert "slices" not in report.to_dict()
    data = evaluate({"q": query(1)}, {"q": ["a"]}, metrics="recall", by="field").to_dict()
    assert data["slices"] == {
        "field": {
            "1": {
                "counts": {"queries": 1, "scored": 1, "missing": 0, "empty_results": 0,
                           "unanswerable": 0, "extra": 0},
                "scores": {"recall": 1.0},
            }
        }
    }  # fmt: skip
    assert Report.model_validate(data).slices["field"]["1"].scores["Recall"] == 1.0


def test_a_live_retriever_is_sliced_by_the_metadata_of_the_data_set() -> None:
    truths = Dataset.model_validate(
        [{"id": "q1", "query": "one", **query("x")}, {"id": "q2", "query": "two", **query("y")}]
    )
    report = evaluate(
        truths, retriever=lambda text: ["a"] if text == "one" else [], metrics="recall", by="field"
    )
    assert {name: dict(found.scores) for name, found in report.slices["field"].items()} == {
        "x": {"recall": 1.0}, "y": {"recall": 0.0},
    }  # fmt: skip
