"""Explanations: what they say of each group is what the data has, and what every metric says."""

import io
import math
import pickle
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import (
    Evaluator,
    InputError,
    LossyConversion,
    OptionError,
    QueryMatcher,
    Reference,
    Report,
    add_matcher,
    evaluate,
    explain,
)
from groupwise.evaluator.evaluation.explanations import Request
from groupwise.evaluator.evaluation.partial import Partial
from groupwise.evaluator.evaluation.plan import Plan
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching import Hit
from groupwise.schemas.explanation import Explanation, GroupExplanation, QueryExplanation
from tests.oracle import Group
from tests.strategies import FEWER, RANKINGS, TRUTHS, written

TRUTH = {"q1": [["test-1", "test-2"], ["test-3"]]}
RUN = {"q1": ["test-1", "pred-1", "test-2", "pred-3"]}
CONTRACT = {
    "schema": "groupwise.explanation/1",
    "k": 10,
    "queries": {
        "q1": {
            "hit_vector": [1, 0, 1, 0],
            "complete": False,
            "groups": [
                {
                    "group": 0, "label": None, "alternatives": ["test-1", "test-2"], "met": True,
                    "rank": 1, "by": "test-1", "again": [3], "reason": None,
                },
                {
                    "group": 1, "label": None, "alternatives": ["test-3"], "met": False,
                    "rank": None, "by": None, "again": [], "reason": "not_retrieved",
                },
            ],
        }
    },
    "reasons": {"met": 1, "beyond_k": 0, "not_retrieved": 1, "not_in_corpus": 0},
    "depth_for": {"0.5": 1, "0.9": None, "0.95": None, "0.99": None},
}  # fmt: skip
"""As the contract of the JSON form has it."""


def test_the_running_example_is_that_of_the_contract() -> None:
    assert explain(TRUTH, RUN).to_dict() == CONTRACT
    assert evaluate(TRUTH, RUN).explain("q1").to_dict() == CONTRACT
    assert Explanation.model_validate(CONTRACT).to_dict() == CONTRACT


@dataclass
class Asked:
    """A query of a data set: its groups, and its results, if it has any."""

    groups: list[Group]
    ranking: list[str] | None
    scores: list[float] | None = None

    def ordered(self, profile: str, ties: str) -> list[str]:
        """The ranking in the order that the profile looks at."""
        if profile != "trec" or ties == "input" or not self.scores:
            return self.ranking or []
        pairs = zip(self.ranking or [], self.scores, strict=True)
        return [one for one, _ in sorted(pairs, key=lambda pair: (pair[1], pair[0]), reverse=True)]


@st.composite
def queries(draw: st.DrawFn) -> Asked:
    groups = draw(st.just([]) | TRUTHS | TRUTHS | TRUTHS)
    ranking = draw(st.none() | RANKINGS | RANKINGS | RANKINGS)
    scores = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=12, max_size=12)
    given_scores = draw(st.none() | scores)
    if ranking is None or given_scores is None:
        return Asked(groups, ranking)
    return Asked(groups, ranking, given_scores[: len(ranking)])


@dataclass
class Data:
    """A data set and a run, and the policies of an evaluation."""

    asked: dict[str, Asked]
    profile: str
    k: int
    policies: dict[str, Any] = field(default_factory=dict)

    @property
    def truth(self) -> list[dict[str, Any]]:
        return [
            {"id": name, "ground_truth": [*map(written, asked.groups)]}
            if asked.groups
            else {"id": name, "answerable": False}
            for name, asked in self.asked.items()
        ]

    @property
    def run(self) -> list[dict[str, Any]]:
        return [
            {"id": name, "results": asked.ranking}
            | ({"scores": asked.scores} if asked.scores else {})
            for name, asked in self.asked.items()
            if asked.ranking is not None
        ]

    def is_scored(self, asked: Asked) -> bool:
        if not asked.groups and self.policies["unanswerable"] != "zero":
            return False
        if asked.ranking is None:
            return bool(self.policies["missing"] == "zero")
        return bool(asked.ranking) or bool(self.policies["empty_results"] == "zero")


@st.composite
def data_sets(draw: st.DrawFn) -> Data:
    found = draw(st.lists(queries(), min_size=1, max_size=6))
    found.append(Asked([Group([("a", 1.0)])], ["a"]))
    policies = {
        "missing": draw(st.sampled_from(["zero", "skip"])),
        "empty_results": draw(st.sampled_from(["zero", "skip"])),
        "unanswerable": draw(st.sampled_from(["zero", "skip"])),
        "ties": draw(st.sampled_from(["score", "input"])),
    }
    profile = draw(st.sampled_from(["autorag", "trec", "coverage"]))
    asked = {f"q{number}": each for number, each in enumerate(found)}
    return Data(asked, profile, draw(st.integers(1, 13)), policies)


def naive_ranks(group: Group, ranking: list[str]) -> list[int]:
    return [rank for rank, one in enumerate(ranking, 1) if group.is_met_by(one)]


@FEWER
@given(data_sets())
def test_it_says_of_each_group_what_the_data_has(data: Data) -> None:
    found = explain(data.truth, data.run, data.k, profile=data.profile, **data.policies)
    assert list(found.queries) == sorted(data.asked)
    counts = {"met": 0, "beyond_k": 0, "not_retrieved": 0, "not_in_corpus": 0}
    first: list[int | None] = []
    for name, asked in data.asked.items():
        query = found.queries[name]
        ranking = asked.ordered(data.profile, data.policies["ties"])
        ranks = [naive_ranks(group, ranking) for group in asked.groups]
        hits = {rank for each in ranks for rank in each}
        assert query.hit_vector == tuple(int(rank in hits) for rank in range(1, len(ranking) + 1))
        assert query.results == tuple(ranking[: data.k])
        for group, expected, each in zip(asked.groups, ranks, query.groups, strict=True):
            reason = "not_retrieved" if not expected else "beyond_k"
            met = bool(expected) and expected[0] <= data.k
            assert (each.rank, *each.again) == (tuple(expected) or (None,))
            assert each.by == (ranking[expected[0] - 1] if expected else None)
            assert (each.met, each.reason) == (met, None if met else reason)
            assert set(each.alternatives) == {one for one, grade in group.alternatives if grade > 0}
            if data.is_scored(asked):
                counts["met" if met else reason] += 1
                first.append(expected[0] if expected else None)
    assert dict(found.reasons) == counts
    for share, depth in found.depth_for.items():
        assert depth == naive_depth(Fraction(share), first)


def naive_depth(share: Fraction, first: list[int | None]) -> int | None:
    """The smallest k at which this share of the groups is met, by trying all."""
    for k in range(1, 20):
        met = sum(rank is not None and rank <= k for rank in first)
        if first and Fraction(met, len(first)) >= share:
            return k
    return None


@FEWER
@given(data_sets())
def test_it_agrees_with_the_metrics(data: Data) -> None:
    """Recall from its groups, the ranks of hits from its ranks, in each profile."""
    names = [f"{name}@{data.k}" for name in ("recall", "complete", "hit_rate", "completion_rank")]
    names += ["completion_rank", "first_hit", "complete"]
    options = {"profile": data.profile, **data.policies}
    report = evaluate(data.truth, data.run, metrics=names, **options)
    found = explain(data.truth, data.run, data.k, **options)
    for name, asked in data.asked.items():
        scores, query = report.per_query[name], found.queries[name]
        if not data.is_scored(asked):
            assert query.complete is None
            assert set(scores.values()) == {None}
            continue
        recall = recalls[data.profile](asked, query, data.k)
        assert math.isclose(scores[f"recall@{data.k}"] or 0.0, recall, abs_tol=1e-12)
        assert scores[f"complete@{data.k}"] == float(query.complete or False)
        ranks = [group.rank for group in query.groups]
        assert scores["completion_rank"] == worst_rank(ranks, math.inf)
        assert scores[f"completion_rank@{data.k}"] == worst_rank(ranks, data.k)
        known = [rank for rank in ranks if rank is not None]
        assert scores["first_hit"] == min(known, default=None)
        assert scores[f"hit_rate@{data.k}"] == float(any(query.hit_vector[: data.k]))


def worst_rank(ranks: list[int | None], k: float) -> int | None:
    known = [rank for rank in ranks if rank is not None and rank <= k]
    return max(known) if known and len(known) == len(ranks) else None


def recall_of_weights(asked: Asked, query: QueryExplanation, k: int) -> float:
    weights = [group.weight for group in asked.groups]
    met = [weight for weight, group in zip(weights, query.groups, strict=True) if group.met]
    return sum(met) / sum(weights) if weights else 0.0


def found_ids(query: QueryExplanation, number: int, k: int) -> set[Any]:
    """The results that meet a group in the first k, from its ranks."""
    group = query.groups[number]
    ranks = [rank for rank in (group.rank, *group.again) if rank is not None and rank <= k]
    return {query.results[rank - 1] for rank in ranks}


def recall_of_documents(asked: Asked, query: QueryExplanation, k: int) -> float:
    relevant = {one for group in query.groups for one in group.alternatives}
    found = {one for number in range(len(query.groups)) for one in found_ids(query, number, k)}
    return len(found) / len(relevant) if relevant else 0.0


def recall_of_gains(asked: Asked, query: QueryExplanation, k: int) -> float:
    total = sum(group.weight for group in asked.groups)
    value = 0.0
    for number, group in enumerate(asked.groups):
        best = max(2 ** group.grade_of(one) - 1 for one, _ in group.alternatives)
        gains = [2 ** group.grade_of(one) - 1 for one in found_ids(query, number, k)]
        value += group.weight * max(gains, default=0.0) / best
    return value / total if total else 0.0


recalls = {
    "autorag": recall_of_weights, "trec": recall_of_documents, "coverage": recall_of_gains
}  # fmt: skip


def test_ties_are_broken_as_in_trec_eval() -> None:
    run = {"q": {"results": ["x", "a", "b"], "scores": [0.5, 0.5, 0.5]}}
    by_score = explain({"q": [["a"]]}, run, 1, profile="trec")
    assert by_score.queries["q"].results == ("x",)
    assert by_score.queries["q"].groups[0].rank == 3  # x, b, a: ids descending
    kept = explain({"q": [["a"]]}, run, 1, profile="trec", ties="input")
    assert kept.queries["q"].groups[0].rank == 2
    assert explain({"q": [["a"]]}, run, 1).queries["q"].groups[0].rank == 2


def test_depths_are_those_of_shares_of_groups_and_no_rounding_moves_them() -> None:
    truth = {f"q{n:02}": [[f"d{n}"]] for n in range(100)}
    run = {f"q{n:02}": ["x"] * n + [f"d{n}"] for n in range(100)}
    depths = explain(truth, run).depth_for
    assert depths == {"0.5": 50, "0.9": 90, "0.95": 95, "0.99": 99}


def test_whole_numbers_are_ids() -> None:
    query = explain({"q": [[1, 2], [3]]}, {"q": [2, 9]}, query="q").queries["q"]
    assert (query.groups[0].by, query.groups[1].reason) == (2, "not_retrieved")


NEAR = [
    ("doc-1", "DOC-1", ("case",)),
    ("doc-1", " doc-1", ("space",)),
    ("doc 1", "doc  1", ("space",)),
    ("Straße", "STRASSE", ("case",)),
    ("caf\u00e9", "cafe\u0301", ("unicode",)),
    ("doc１", "doc1", ("unicode",)),  # noqa: RUF001
    ("doc-1", "Doc-1 ", ("case", "space")),
    ("doc-12#3", "doc-12#7", ("chunk",)),
    ("a.pdf::3", "a.pdf::14", ("chunk",)),
    ("ﬁle-2", "file-2", ("unicode",)),
    ("doc\u00a01", "doc 1", ("space",)),
    ("doc-12#3", "doc-12", ("part",)),
    ("doc-12", "doc-12#3", ("part",)),
    ("doc-12::4", "doc-12", ("part",)),
    ("a.pdf", "kb/a.pdf", ("prefix",)),
    ("s3://bucket/a.pdf", "a.pdf", ("prefix",)),
    ("kb:doc#3", "doc#3", ("prefix",)),
    ("msmarco:1234", "1234", ("prefix",)),
    ("kb/7", "7", None),
    ("a::7", "7", None),
    ("kb/a.pdf", "web/a.pdf", None),
    ("kb/doc-1", "oc-1", None),
    ("doc-1", "old-doc-1", None),
    ("doc-1", "doc-11", None),
    ("doc-1", "doc_1", None),
    ("doc-1#3", "doc-12#3", None),
    ("doc-3", "doc-4", None),
    ("#3", "#4", None),
    ("doc#", "doc#4", None),
    ("doc # 3", "doc # 4", None),
    ("a::b#3", "a::b#4", ("chunk",)),
]


@pytest.mark.parametrize(("gold", "retrieved", "differs_in"), NEAR)
def test_near_misses_are_named_where_they_are_certain(
    gold: str, retrieved: str, differs_in: tuple[str, ...] | None
) -> None:
    found = explain({"q": [[gold], ["y"]]}, {"q": ["x", retrieved, "y"]})
    near = found.queries["q"].groups[0].near
    if differs_in is None:
        assert (near, found.near) == ((), {})
        return
    assert [(n.id, n.rank, n.alternative, n.differs_in) for n in near] == [
        (retrieved, 2, gold, differs_in)
    ]
    assert found.near == dict.fromkeys(differs_in, 1)


def test_a_result_that_meets_another_group_is_no_near_miss() -> None:
    assert explain({"q": [["doc-1"], ["DOC-1"]]}, {"q": ["DOC-1"]}).near == {}


def test_other_spellings_come_before_other_chunks_and_three_are_enough() -> None:
    results = ["d#1", "d#2", "d#4", "D#3"]
    (group,) = explain({"q": [["d#3"]]}, {"q": results}).queries["q"].groups
    assert [near.id for near in group.near] == ["D#3", "d#1", "d#2"]


def test_the_corpus_tells_what_could_not_be_retrieved() -> None:
    truth = {"q": [["a"], ["gone", "also-gone"], ["Here"], ["far"]]}
    run = {"q": ["x", "far"]}
    found = explain(truth, run, 1, corpus=["a", "x", "here", "far"])
    groups = found.queries["q"].groups
    reasons = ["not_retrieved", "not_in_corpus", "not_in_corpus", "beyond_k"]
    assert [group.reason for group in groups] == reasons
    (near,) = groups[2].near
    assert (near.id, near.rank, near.differs_in) == ("here", None, ("case",))
    assert dict(found.reasons) == {
        "met": 0, "beyond_k": 1, "not_retrieved": 1, "not_in_corpus": 2
    }  # fmt: skip


def test_ids_of_a_corpus_without_kinds_are_compared_as_text(tmp_path: Any) -> None:
    (tmp_path / "ids.txt").write_text("1\n2\n")
    found = explain({"q": [[1], [7]]}, {"q": [2]}, corpus=str(tmp_path / "ids.txt"))
    reasons = [group.reason for group in found.queries["q"].groups]
    assert reasons == ["not_retrieved", "not_in_corpus"]
    with pytest.raises(InputError, match="is a string, while those of the ground truth"):
        explain({"q": [[1], [7]]}, {"q": [2]}, corpus=["1", "2"])
    assert explain({"q": [[1]]}, {"q": [2]}, corpus=["1"], ids="text").reasons.not_retrieved == 1


def test_a_corpus_without_documents_is_refused() -> None:
    with pytest.raises(InputError, match="no documents"):
        explain(TRUTH, RUN, corpus=[])


def test_labels_and_groups_missed_most_come_first() -> None:
    hop = {"alternatives": ["b"], "label": "hop-2"}
    truth = {f"q{n}": [{"alternatives": ["a"], "label": "hop-1"}, hop] for n in range(3)}
    found = explain(truth, {"q0": ["a"], "q1": ["a", "b"], "q2": []})
    assert {label: (r.met, r.missed) for label, r in found.labels.items()} == {
        "hop-1": (2, 1), "hop-2": (1, 2)
    }  # fmt: skip
    assert list(found.labels) == ["hop-2", "hop-1"]
    (missed,) = found.missed_groups
    assert (missed.alternatives, missed.missed, missed.queries) == (("b",), 2, 3)


def test_reasons_of_slices() -> None:
    truth = [
        {"id": "q1", "ground_truth": [["a"]], "metadata": {"type": "bridge"}},
        {"id": "q2", "ground_truth": [["a"], ["b"]], "metadata": {"type": "bridge"}},
        {"id": "q3", "ground_truth": [["a"]]},
    ]
    run = {"q1": ["x", "a"], "q2": ["a"], "q3": []}
    slices = explain(truth, run, 1, by="type").slices["type"]
    assert {name: (each.queries, dict(each.reasons)) for name, each in slices.items()} == {
        "bridge": (2, {"met": 1, "beyond_k": 1, "not_retrieved": 1, "not_in_corpus": 0}),
        "(none)": (1, {"met": 0, "beyond_k": 0, "not_retrieved": 1, "not_in_corpus": 0}),
    }
    assert slices["bridge"].depth_for == {"0.5": 2, "0.9": None, "0.95": None, "0.99": None}
    with pytest.raises(InputError, match="no query has the field 'kind'"):
        explain(truth, run, by="kind")


def many() -> tuple[dict[str, Any], dict[str, Any]]:
    """A data set of 300 queries, of which the sums need more than one look."""
    chance = random.Random(7)  # noqa: S311
    truth = {f"q{n}": [[f"d{chance.randrange(40)}"] for _ in range(3)] for n in range(300)}
    run = {q: [f"d{chance.randrange(40)}" for _ in range(15)] for q in truth}
    return truth, run


def test_the_order_of_records_changes_nothing() -> None:
    truth, run = many()
    queries = list(truth)
    random.Random(1).shuffle(queries)  # noqa: S311
    mixed = explain({q: truth[q] for q in queries}, {q: run[q] for q in sorted(run)})
    assert mixed.to_json() == explain(truth, run).to_json()
    assert mixed == explain(truth, run)


def test_queries_that_are_asked_for_leave_the_sums_as_they_are() -> None:
    truth, run = many()
    whole = explain(truth, run)
    for some in (explain(truth, run, query="q7"), explain(truth, run, worst=4)):
        assert (some.reasons, some.depth_for) == (whole.reasons, whole.depth_for)
        assert all(whole.queries[name] == query for name, query in some.queries.items())
    assert list(explain(truth, run, query=["q7", "q3", "q7"]).queries) == ["q7", "q3"]
    worst = evaluate(truth, run, metrics="ndcg@5").worst(4)
    assert list(explain(truth, run, worst=4, worst_by="ndcg@5").queries) == worst


def test_explanations_can_be_pickled() -> None:
    truth, run = many()
    found = explain(truth, run)
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301
    assert Explanation.model_validate(found.to_dict(results=True)).reasons == found.reasons


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "k: expected a whole number from 1 on, got 0"),
        ({"k": 1.5}, "k: expected a whole number from 1 on, got 1.5"),
        ({"k": True}, "k: expected a whole number from 1 on, got True"),
        ({"worst": 0}, "worst: expected a whole number from 1 on"),
        ({"query": "q1", "worst": 1}, "both query and worst"),
        ({"query": 1.5}, "query: expected an id, got 1.5"),
        ({"query": [None]}, "query: expected an id, got None"),
        ({"worst_by": 5}, "worst_by: expected the name of a metric"),
        ({"by": 5}, "by: expected the name of a field"),
    ],
)
def test_nonsense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        explain(TRUTH, RUN, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        ("query-13", "did you mean 'query-12'?"),
        ("QUERY-12", "did you mean 'query-12'?"),
        ("zebra", "the ground truth has 'query-12'"),
        ("", "the ground truth has 'query-12'"),
    ],
)
def test_an_unknown_query_suggests_the_nearest(query: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        explain({"query-12": [["a"]]}, {"query-12": ["a"]}, query=query)
    assert f"no query {query!r}; {hint}" in str(caught.value)


def test_a_query_of_the_run_alone_has_no_explanation() -> None:
    with pytest.raises(InputError, match="no query 'extra'"):
        explain(TRUTH, {**RUN, "extra": ["a"]}, query="extra")


def test_a_report_explains_the_worst_queries() -> None:
    truth, run = many()
    report = evaluate(truth, run, metrics=["ndcg@5", "recall"], explain=3)
    assert report.explanation.k == 5
    assert list(report.explanation.queries) == report.worst(3)
    assert report.to_dict()["explanation"]["queries"].keys() == set(report.worst(3))
    plain = evaluate(truth, run, metrics=["ndcg@5", "recall"])
    assert {**report.to_dict(), "explanation": None} == {**plain.to_dict(), "explanation": None}
    assert Report.model_validate_json(report.to_json()).explanation == report.explanation
    with pytest.raises(OptionError, match="explain: expected a whole number"):
        evaluate(truth, run, explain=0)
    with pytest.raises(OptionError, match="per_query=True"):
        evaluate(truth, run, explain=1, per_query=False)


def test_a_report_explains_its_queries_afterwards() -> None:
    truth, run = many()
    for report in (evaluate(truth, run), Evaluator(truth).evaluate(run)):
        found, expected = report.explain("q3"), explain(truth, run, query="q3")
        assert (found.queries, found.reasons) == (expected.queries, expected.reasons)
        assert found.warnings == report.warnings
        assert list(report.explain(worst=2).queries) == report.worst(2)
        assert report.explain(k=3).reasons == explain(truth, run, 3).reasons
        with pytest.raises(InputError, match="no query 'nope'"):
            report.explain("nope")
    assert evaluate(truth, run, metrics="recall@4").explain("q3").k == 4


def test_a_report_whose_data_has_changed_says_so() -> None:
    run = {"q1": ["a"], "q2": ["b"]}
    report = evaluate({"q1": [["a"]], "q2": [["b"]]}, run)
    run["q1"] = ["x"]
    with pytest.raises(InputError, match="the data has changed since this report"):
        report.explain("q1")


def test_a_report_without_its_data_says_so() -> None:
    report = evaluate(TRUTH, RUN)
    for other in (pickle.loads(pickle.dumps(report)), Report.model_validate(report.to_dict())):  # noqa: S301
        assert other == report
        with pytest.raises(InputError, match=r"use explain\(ground_truth, run\)"):
            other.explain("q1")


def test_queries_that_a_retriever_failed_on_have_the_reason() -> None:
    data = [{"id": f"q{n}", "query": f"number {n}", "ground_truth": [["a"]]} for n in range(3)]

    def retrieve(text: str) -> list[str]:
        if text == "number 1":
            raise RuntimeError("no\x1b[31m network")
        return ["a"]

    report = evaluate(data, retriever=retrieve, metrics="recall@1", explain=1)
    found = report.explain()
    assert report.explanation.queries["q1"].failure == "RuntimeError: no\x1b[31m network"
    failures = [query.failure for query in found.queries.values()]
    assert failures == [None, "RuntimeError: no\x1b[31m network", None]
    dumped = report.to_dict()["explanation"]["queries"]["q1"]
    assert dumped["failure"] == "RuntimeError: no\x1b[31m network"
    assert "failure" not in found.to_dict()["queries"]["q0"]
    for shown in (str(found), found.to_markdown(), str(report)):
        assert "he retriever failed: RuntimeError: no" in shown
        assert "\x1b" not in shown


def test_what_a_retriever_returned_is_kept() -> None:
    truth = [{"id": "q1", "query": "one", "ground_truth": [["a"], ["b"]]}]
    report = evaluate(truth, retriever=lambda _: [("a", 0.9), ("x", 0.1)])
    assert report.results is not None
    assert report.results.queries[0].ids() == ["a", "x"]
    assert evaluate(truth, report.results).scores == report.scores
    assert report.explain("q1").queries["q1"].groups[1].reason == "not_retrieved"
    assert evaluate(TRUTH, RUN).results is None
    explained = evaluate(truth, retriever=lambda _: ["b"], explain=1)
    assert explained.explanation.queries["q1"].groups[0].reason == "not_retrieved"
    assert explained.results is not None


def test_a_retriever_that_fails_is_told_with_the_explanation(tmp_path: Any) -> None:
    truth = [{"id": "q1", "query": "one", "ground_truth": [["a"]]}]
    report = evaluate(truth, retriever=lambda _: 1 / 0)
    found = report.explain("q1")
    assert found.queries["q1"].groups[0].reason == "not_retrieved"
    assert any("ZeroDivisionError" in warning for warning in found.warnings)
    assert report.results is not None
    report.results.save(tmp_path / "run.jsonl")
    assert evaluate(truth, tmp_path / "run.jsonl").scores == report.scores
    with pytest.raises(LossyConversion):
        report.results.save(tmp_path / "run.trec")
    report.results.save(tmp_path / "run.trec", lossy=True)


def test_near_misses_by_text_have_their_overlap() -> None:
    text = "the fee for a late return is five euros per day and per item"
    truth = {"q": [[{"id": "g", "text": text}]]}
    part = {"id": "c", "text": "as said before, the fee for a late return is five euros"}
    found = explain(truth, {"q": [part]}, matching={"type": "text", "threshold": 0.9})
    (near,) = found.queries["q"].groups[0].near
    assert (near.id, near.threshold) == ("c", 0.9)
    assert near.overlap is not None
    assert 0 < near.overlap < 0.9


def test_failing_queries_score_below_a_value() -> None:
    truth = {q: [["a"], ["b"]] for q in ("q1", "q2", "q3", "none")}
    run = {"q1": ["a", "b"], "q2": ["a"], "q3": [], "none": ["b"]}
    names = ["complete@10", "recall", "completion_rank"]
    report = evaluate({**truth, "u": []}, {**run, "u": ["a"]}, metrics=names)
    assert report.failing("Complete@10") == ["none", "q2", "q3"]
    assert report.failing("recall") == ["q3", "none", "q2"]
    assert report.failing("recall", below=0.5) == ["q3"]
    assert report.worst(2, by="recall") == report.worst(2, metric="recall") == ["q3", "none"]
    assert report.failing("Completion_Rank") == ["none", "q2", "q3"]
    assert report.worst(9, by="completion_rank") == ["none", "q2", "q3", "q1"]
    with pytest.raises(KeyError, match="no score 'recal'"):
        report.failing("recal")


def test_without_scores_per_query_nobody_is_told_that_no_query_fails() -> None:
    report = evaluate(TRUTH, {"q1": ["x"]}, metrics="recall", per_query=False)
    with pytest.raises(ValueError, match="no scores per query; evaluate with per_query=True"):
        report.failing("recall")
    assert evaluate({"u": []}, {"u": ["x"]}, metrics="recall", per_query=False).failing("r") == []


def test_an_evaluation_is_not_kept_alive_by_standard_input(monkeypatch: Any) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"q1": ["test-1"]}')))
    report = evaluate(TRUTH, "-")
    with pytest.raises(InputError, match="stdin"):
        report.explain("q1")


SPANS = [
    [{"id": "g", "document": "d", "start": 0, "end": 100}],
    [{"id": "h", "document": "d", "start": 200, "end": 300}],
    [{"id": "i", "document": "e", "start": 1, "end": 3}],
]
CHUNKS = [
    {"id": "c0", "document": "d", "start": 0, "end": 31},
    {"id": "c1", "document": "d", "start": 190, "end": 400},
    {"id": "c2", "document": "d", "start": 31, "end": 40},
]
"""31 and 9 of the 100 characters of g, all of h, nothing of i."""


def test_near_misses_of_spans_have_their_overlap() -> None:
    found = explain({"q": SPANS}, {"q": CHUNKS}, matching="span")
    first, second, third = found.queries["q"].groups
    assert [(n.id, n.rank, n.overlap, n.threshold) for n in first.near] == [
        ("c0", 1, 0.31, 0.5), ("c2", 3, 0.09, 0.5)
    ]  # fmt: skip
    assert (second.by, second.rank, second.near, third.near) == ("c1", 2, (), ())
    assert "near: c0 at rank 1, overlap 0.31 < 0.5" in str(found)
    assert found.near == {"overlap": 1}
    together = {"type": "span", "together": True, "threshold": 0.4}
    (group,) = explain({"q": SPANS[:1]}, {"q": CHUNKS}, matching=together).queries["q"].groups
    assert (group.rank, group.by) == (3, "c2")


def test_ids_of_the_corpus_are_normalised_as_those_of_the_results() -> None:
    matching = {"type": "normalised", "case": "fold", "pattern": "#.*"}
    truth, run = {"q": [["Doc-1#3"], ["doc-2#1"], ["gone#1"], ["x"]]}, {"q": ["DOC-2#9", "X "]}
    found = explain(truth, run, matching=matching, corpus=["doc-1#8", "doc-2#9"])
    groups = found.queries["q"].groups
    assert [group.reason for group in groups] == [
        "not_retrieved", None, "not_in_corpus", "not_in_corpus"
    ]  # fmt: skip
    assert [near.differs_in for near in groups[3].near] == [("space",)]


def test_parts_merge_to_the_explanation_of_one_piece() -> None:
    truth, run = many()
    plan = Plan(explain=Request(5), by=("groups",))
    whole = add_part(plan.start(), truth, run)
    parts = [add_part(plan.start(), truth, run, rest) for rest in range(3)]
    merged = pickle.loads(pickle.dumps(parts[2]))  # noqa: S301
    merged.merge(parts[0]).merge(parts[1])
    assert merged.report().to_json() == whole.report().to_json()


def add_part(partial: Partial, truth: Any, run: Any, rest: int | None = None) -> Partial:
    """The partial with all queries, or with every third one."""
    names = [*truth] if rest is None else [*truth][rest::3]
    partial.add(Rows(names, [truth[name] for name in names], [run[name] for name in names]))
    return partial


class Prefix(QueryMatcher):
    """A result meets an alternative that it begins with; it counts how often it is asked."""

    calls: ClassVar[list[int]] = []

    def match(self, groups: list[list[Reference]], results: list[Reference]) -> Iterator[Hit]:
        self.calls.append(1)
        for rank, result in enumerate(results, 1):
            for number, group in enumerate(groups):
                for place, alternative in enumerate(group):
                    if str(result.id).startswith(str(alternative.id)):
                        yield rank, number, place


@pytest.mark.usefixtures("nothing_added")
def test_a_matcher_of_ones_own_is_explained_and_not_asked_a_third_time() -> None:
    add_matcher("prefix", Prefix)
    Prefix.calls.clear()
    found = explain({"q": [["doc-1"], ["doc-2"]]}, {"q": ["x", "doc-1#3"]}, matching="prefix")
    assert (found.queries["q"].groups[0].by, found.reasons.met) == ("doc-1#3", 1)
    assert len(Prefix.calls) == 2  # for the scores, and for the explanation


def test_texts_that_have_changed_in_the_corpus_are_named() -> None:
    gold = {"a": "The fee is 5 euros.", "b": "Open on Monday.", "c": "Closed.", "d": "Same text"}
    truth = {"q": [[{"id": name, "text": text}] for name, text in gold.items()] + [["e"]]}
    corpus = {"a": "The fee is 7 euros.", "b": "OPEN  on monday. Or Friday.", "e": "x"}
    corpus["d"] = "same\ntext"
    found = explain(truth, {"q": ["x"]}, corpus=corpus)
    groups = found.queries["q"].groups
    assert [[near.differs_in for near in group.near] for group in groups] == [
        [("text",)], [], [], [], []
    ]  # fmt: skip
    assert [group.reason == "not_in_corpus" for group in groups] == [
        False, False, True, False, False
    ]  # fmt: skip
    assert found.near == {"text": 1}
    assert "near: a in the corpus, its text has changed" in str(found)


RANGES = st.tuples(st.sampled_from("de"), st.integers(0, 8), st.integers(1, 6))


def build_span(number: int, span: tuple[str, int, int]) -> dict[str, Any]:
    document, start, length = span
    return {"id": f"s{number}", "document": document, "start": start, "end": start + length}


@FEWER
@given(
    st.lists(st.lists(RANGES, min_size=1, max_size=2), min_size=1, max_size=3),
    st.lists(RANGES, max_size=6),
    st.integers(1, 7),
    st.booleans(),
)
def test_it_agrees_with_the_metrics_when_spans_are_matched(
    groups: Any, spans: Any, k: int, together: bool
) -> None:
    truth = {"q": [[build_span(n, span) for n, span in enumerate(group)] for group in groups]}
    run = {"q": [build_span(n, span) for n, span in enumerate(spans)]}
    matching = {"type": "span", "together": together}
    names = [f"recall@{k}", f"complete@{k}", "completion_rank"]
    scores = evaluate(truth, run, metrics=names, matching=matching).per_query["q"]
    query = explain(truth, run, k, matching=matching).queries["q"]
    met = [group.met for group in query.groups]
    assert math.isclose(scores[names[0]] or 0.0, sum(met) / len(met))
    assert scores[names[1]] == float(query.complete or False)
    assert scores["completion_rank"] == worst_rank([group.rank for group in query.groups], math.inf)
    for group in query.groups:
        assert all(near.overlap and near.overlap < 0.5 for near in group.near)
        assert not (group.near and group.rank)


def test_queries_are_built_as_they_are_validated() -> None:
    truth = {"q": [["a", "b"], {"alternatives": ["c"], "label": "x"}], "r": [["d"]], "s": []}
    found = explain(truth, {"q": ["z", "a", "b"], "r": ["D"]}, k=2)
    assert len(found.queries) == 3
    for query in found.queries.values():
        assert query == QueryExplanation.model_validate(query.model_dump())
        assert [*vars(query)] == [*QueryExplanation.model_fields]
        assert query.model_fields_set == {*QueryExplanation.model_fields} - {"failure"}
        for group in query.groups:
            assert [*vars(group)] == [*GroupExplanation.model_fields]
            assert group.model_fields_set == {*GroupExplanation.model_fields}
