"""The groups that two runs meet differently, beside the largest gains and losses."""

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import OptionError, compare, evaluate
from groupwise.schemas.comparison import ChangedGroup, Comparison, QueryChange
from tests.strategies import FEWER

IDS = st.sampled_from("abcdef")
GROUPS = st.lists(st.lists(IDS, min_size=1, max_size=3, unique=True), min_size=1, max_size=3)
RANKINGS = st.lists(st.sampled_from("abcdefuvwxyz"), max_size=12, unique=True)
Ranks = tuple[bool, int | None, str | None]


def list_changes(found: Comparison) -> list[tuple[str, str, str, QueryChange]]:
    """Metric, runs and change of each query that is listed."""
    return [
        (pair.metric, pair.a, pair.b, change)
        for pair in found.pairs
        for change in (*pair.largest_gains, *pair.largest_losses)
    ]


def naive_outcome(group: list[str], ranking: list[str], k: int | None) -> Ranks:
    """Whether a group is met in the first k results, where it is first met, and why it is not."""
    for rank, result in enumerate(ranking, 1):
        if result in group:
            met = k is None or rank <= k
            return met, rank, None if met else "beyond_k"
    return False, None, "not_retrieved"


def naive_groups(
    groups: list[list[str]], first: list[str], second: list[str], k: int | None
) -> list[tuple[int, Ranks, Ranks]]:
    """The groups that two rankings meet differently, those that one misses first."""
    outcomes = [
        (number, naive_outcome(group, first, k), naive_outcome(group, second, k))
        for number, group in enumerate(groups)
    ]
    decisive = [each for each in outcomes if each[1][0] != each[2][0]]
    moved = [each for each in outcomes if each[1][0] and each[2][0] and each[1][1] != each[2][1]]
    return decisive + moved


def plain(group: ChangedGroup) -> tuple[int, Ranks, Ranks]:
    assert group.a is not None
    assert group.b is not None
    a, b = ((each.met, each.rank, each.reason) for each in (group.a, group.b))
    return group.group, a, b


@FEWER
@given(st.lists(st.tuples(GROUPS, RANKINGS, RANKINGS, RANKINGS), min_size=2, max_size=7), st.data())
def test_groups_are_those_that_one_run_misses_or_meets_elsewhere(
    cases: list[tuple[list[list[str]], list[str], list[str], list[str]]], data: st.DataObject
) -> None:
    names = [f"q{number}" for number in range(len(cases))]
    truth = dict(zip(names, (case[0] for case in cases), strict=True))
    runs = {
        run: dict(zip(names, rankings, strict=True))
        for run, rankings in zip(
            "xyz", zip(*(case[1:] for case in cases), strict=True), strict=True
        )
    }
    k = data.draw(st.integers(1, 12))
    found = compare(truth, runs, metrics=[f"recall@{k}", "ndcg"], permutations=20)
    for metric, a, b, change in list_changes(found):
        assert change.difference == change.b - change.a
        cut = k if metric.startswith("recall") else None
        query = change.query
        expected = naive_groups(truth[query], runs[a][query], runs[b][query], cut)
        assert [*map(plain, change.groups)] == expected
        assert [each.alternatives for each in change.groups] == [
            tuple(truth[query][number]) for number, *_ in expected
        ]
        if metric.startswith("recall"):
            met = [
                sum(naive_outcome(g, runs[r][query], k)[0] for g in truth[query]) for r in (a, b)
            ]
            assert (met[1] - met[0]) / len(truth[query]) == pytest.approx(change.difference)


def test_the_order_of_queries_and_runs_changes_no_byte() -> None:
    rng = random.Random(3)  # noqa: S311
    names = [f"q{number}" for number in range(40)]
    truth = {name: [[f"g{n}"] for n in range(rng.randint(1, 3))] for name in names}
    runs = {
        run: {name: rng.sample(["g0", "g1", "g2", "x", "y"], 5) for name in names} for run in "abc"
    }
    options: dict[str, Any] = {"metrics": ["mrr@2", "recall@1"], "permutations": 20}
    expected = compare(truth, runs, **options).to_json()
    for _ in range(3):
        rng.shuffle(names)
        shuffled = {run: {name: runs[run][name] for name in names} for run in rng.sample("abc", 3)}
        again = compare({name: truth[name] for name in sorted(names)}, shuffled, **options)
        assert again.to_json() == expected


def one_change(truth: Any, one: Any, two: Any, **options: Any) -> QueryChange:
    options.setdefault("metrics", "recall@2")
    found = compare(truth, {"one": one, "two": two}, **options)
    ((_, _, _, change),) = list_changes(found)
    return change


def test_labels_and_budgets_of_tokens() -> None:
    groups = [
        {"alternatives": ["a"], "label": "hop-1"},
        {"alternatives": ["b", "c"], "label": "hop-2"},
    ]
    truth = [{"id": "q", "ground_truth": groups}, {"id": "r", "ground_truth": [["z"]]}]
    long, short = ({"id": "x", "tokens": 90}, {"id": "y", "tokens": 10})
    ends = [{"id": "a", "tokens": 10}, {"id": "c", "tokens": 10}]
    one, two = {"q": [long, *ends], "r": [short]}, {"q": [short, *ends], "r": [short]}
    change = one_change(truth, one, two, metrics="recall@50t")
    outcomes = [(each.label, each.alternatives, *plain(each)[1:]) for each in change.groups]
    assert outcomes == [
        ("hop-1", ("a",), (False, 2, "beyond_k"), (True, 2, None)),
        ("hop-2", ("b", "c"), (False, 3, "beyond_k"), (True, 3, None)),
    ]
    change = one_change(truth, one, two, metrics="recall(label=HOP-2)@50t")
    assert [each.label for each in change.groups] == ["hop-2"]


def test_results_are_in_the_order_of_their_scores_in_trec() -> None:
    truth, one = {"q": [["a"]], "r": [["b"]]}, {"q": ["x", "y", "a"], "r": ["b"]}
    two = {"q": {"results": ["x", "y", "a"], "scores": [0.1, 0.2, 0.3]}, "r": ["b"]}
    change = one_change(truth, one, two, metrics="hit_rate@2", profile="trec")
    assert [*map(plain, change.groups)] == [(0, (False, 3, "beyond_k"), (True, 1, None))]


def test_a_query_without_results_misses_all_groups() -> None:
    change = one_change({"q": [["a"], ["b"]], "r": [["c"]]}, {"r": ["c"]}, {"q": ["b"], "r": ["c"]})
    assert [*map(plain, change.groups)] == [(1, (False, None, "not_retrieved"), (True, 1, None))]


def test_where_no_group_differs_none_is_listed() -> None:
    truth, one = {"q": [["a", "b"]], "r": [["c"]]}, {"q": ["a", "x"], "r": ["c"]}
    change = one_change(truth, one, one | {"q": ["a", "b"]}, metrics="ndcg", profile="trec")
    assert (change.query, change.groups) == ("q", ())


def test_matchers_of_texts_are_asked_no_deeper_than_the_metrics_look() -> None:
    truth = {
        "q": [[{"id": "a", "text": "the sky is blue"}], [{"id": "b", "text": "snow is white"}]]
    }
    other = [{"id": f"x{n}", "text": f"nothing {n}"} for n in range(4)]
    sky, snow = {"id": "c", "text": "the sky is blue"}, {"id": "d", "text": "snow is white"}
    change = one_change(truth, {"q": [*other, sky]}, {"q": [sky, other[0], snow]}, matching="text")
    assert [*map(plain, change.groups)] == [(0, (False, None, "not_met"), (True, 1, None))]
    deep = one_change(
        truth, {"q": [*other, sky]}, {"q": [sky, *other]}, matching="text", metrics="mrr"
    )
    assert [*map(plain, deep.groups)] == [(0, (True, 5, None), (True, 1, None))]


def test_a_saved_baseline_has_no_ranks(tmp_path: Path) -> None:
    truth, one, two = {"q": [["a"], ["b"]], "r": [["c"]]}, {"q": ["a"], "r": ["c"]}, {"q": ["x"]}
    path = tmp_path / "saved.json"
    evaluate(truth, one, metrics="recall", save_baseline=path)
    found = compare(truth, {"new": two, "saved": path}, metrics="recall")
    changes = {change.query: change.groups for *_, change in list_changes(found)}
    assert [(each.group, each.a and each.a.met, each.b) for each in changes["q"]] == [
        (0, False, None),
        (1, False, None),
    ]


@pytest.mark.parametrize("profile", ["autorag", "trec", "coverage"])
def test_scores_and_warnings_are_the_same_without(profile: str) -> None:
    rng = random.Random(profile)  # noqa: S311
    truth = {f"q{n}": [["a"], ["b", "c"]] for n in range(30)}
    runs = {
        run: {name: rng.choices("abcxyz", k=9) for name in truth if rng.random() > 0.1}
        for run in ("one", "two")
    }
    options: dict[str, Any] = {
        "metrics": ["recall@2", "ndcg@3"],
        "profile": profile,
        "by": "groups",
    }
    full, bare = (compare(truth, runs, explain=count, **options).to_dict() for count in (7, 0))
    for found in (full, bare):
        for part in (found, *found["slices"]["groups"].values()):
            counts = [len(pair.pop("largest_gains")) for pair in part["pairs"]]
            wins = [min(7, pair["wins"]) for pair in part["pairs"]]
            assert counts == (wins if found is full else [0, 0])
            for pair in part["pairs"]:
                assert len(pair.pop("largest_losses")) == min(7 * (found is full), pair["losses"])
    assert full == bare


def test_slices_have_them_as_well() -> None:
    truth = [
        {"id": f"q{n}", "ground_truth": [["a"]], "metadata": {"type": "xy"[n % 2]}}
        for n in range(8)
    ]
    one, two = ({f"q{n}": ["a" if n % 4 == at else "z"] for n in range(8)} for at in (0, 1))
    found = compare(truth, {"one": one, "two": two}, metrics="recall", by="type")
    for name, part in found.slices["type"].items():
        (pair,) = part.pairs
        changes = pair.largest_losses if name == "x" else pair.largest_gains
        assert [change.query for change in changes] == (
            ["q0", "q4"] if name == "x" else ["q1", "q5"]
        )
        assert all(len(change.groups) == 1 for change in changes)


@pytest.mark.parametrize("count", [-1, 1.5, True, "3", 10**6])
def test_how_many_is_a_whole_number(count: Any) -> None:
    runs = {"a": {"q": ["x"]}, "b": {"q": ["y"]}}
    with pytest.raises(OptionError, match="explain: expected a whole number from 0 to 1,000"):
        compare({"q": [["x"]]}, runs, explain=count)
