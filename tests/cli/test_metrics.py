import json

import pytest

from groupwise.evaluator.cli.metrics import RUNNING_EXAMPLE
from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.metrics.registry import every_metric
from tests.cli.conftest import SIX, Groupwise


def test_the_list_has_every_metric_with_summary_and_range(groupwise: Groupwise) -> None:
    done = groupwise("metrics")
    assert (done.code, done.err) == (0, "")
    for _, metric in every_metric():
        lines = [one for one in done.out.splitlines() if one.split()[:1] == [metric.name]]
        summary = metric.summary.replace("``", "")
        assert any(summary in line and metric.range in line for line in lines)
    for profile in PROFILES:
        assert f"profile {profile}\n" in done.out


@pytest.mark.parametrize("name", sorted({metric.name for _, metric in every_metric()}))
def test_a_page_says_all_there_is(groupwise: Groupwise, name: str) -> None:
    done = groupwise("metrics", name)
    assert done.code == 0
    for metric in {id(m): m for _, m in every_metric() if m.name == name}.values():
        assert metric.description.replace("``", "") in done.out
        assert metric.reference in done.out
        assert all(alias in done.out for alias in metric.aliases)
    for part in ("formula", "range", "parameters", "spelled", "examples", "the running example"):
        assert part in done.out
    assert "\\" not in done.out


@pytest.mark.parametrize("name", SIX)
def test_the_running_example_has_the_values_of_the_semantics(name: str) -> None:
    declared = {m.name: m for profile, m in every_metric() if profile == "autorag"}
    assert declared[name].examples[RUNNING_EXAMPLE] == pytest.approx(SIX[name], abs=1e-12)


def test_names_are_read_as_elsewhere(groupwise: Groupwise) -> None:
    assert groupwise("metrics", "nDCG@10") == groupwise("metrics", "ndcg")
    page = groupwise("metrics", "autorag:ndcg")
    assert groupwise("metrics", "ndcg", "--profile", "autorag") == page
    assert groupwise("metrics", "success").out.startswith("hit_rate")


def test_the_meanings_of_a_name_stand_side_by_side(groupwise: Groupwise) -> None:
    *_, heads, values = groupwise("metrics", "ndcg").out.splitlines()
    assert heads.split()[-3:] == ["autorag", "trec", "coverage"]
    # 1.5 / (1 + 1/log2(3) + 0.5) in the first two, 1 / (1 + 1/log2(3)) in the third
    assert values.split() == ["0.7039", "0.7039", "0.6131"]


def test_an_unknown_name_gets_the_nearest(groupwise: Groupwise) -> None:
    done = groupwise("metrics", "ndgc")
    assert (done.code, done.out) == (2, "")
    assert "did you mean 'ndcg'?" in done.err


def test_as_json(groupwise: Groupwise) -> None:
    found = json.loads(groupwise("metrics", "--format", "json").out)
    assert found["schema"] == "groupwise.metrics/1"
    names = [metric["name"] for metric in found["metrics"]]
    assert set(names) == {metric.name for _, metric in every_metric()}
    (one,) = json.loads(groupwise("metrics", "map", "--profile", "autorag", "--format",
                                  "json").out)["metrics"]  # fmt: skip
    assert (one["name"], one["profile"], one["aliases"]) == ("map", "autorag", ["ap"])


def test_no_marks_of_docstrings_are_shown(groupwise: Groupwise) -> None:
    for name in ("", *{metric.name for _, metric in every_metric()}):
        assert "``" not in groupwise("metrics", *filter(None, [name])).out
