"""Explanations agree with every metric, whatever meets a group: ids, spans, texts; with budgets of
tokens, weights, labels, slices, and queries without results."""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groupwise import Report, evaluate, explain
from groupwise.schemas.explanation import Explanation, QueryExplanation
from tests.strategies import SLOW

Item = dict[str, Any]
Meets = Callable[[Item, list[Item]], list[int]]
WORDS = st.lists(st.sampled_from(["ada", "Bob", "cat", "dog"]), min_size=1, max_size=5)
NAMES = st.sampled_from(["doc", "Doc", "DOC#1", "doc#2", "other", "Other#1", "x"])


@dataclass
class Kind:
    """A matcher: what alternatives and results are made of, and which results meet one, naively."""

    matching: dict[str, Any]
    items: st.SearchStrategy[Item]
    meets: Meets


def has_same_key(gold: Item, results: list[Item]) -> list[int]:
    keys = [result["id"].casefold().split("#")[0] for result in results]
    wanted = gold["id"].casefold().split("#")[0]
    return [rank for rank, key in enumerate(keys, 1) if key == wanted]


def has_same_id(gold: Item, results: list[Item]) -> list[int]:
    return [rank for rank, result in enumerate(results, 1) if result["id"] == gold["id"]]


def places_of(item: Item) -> set[tuple[str, int]]:
    return {(item["document"], place) for place in range(item["start"], item["end"])}


def covers_enough(gold: Item, results: list[Item]) -> list[int]:
    shares = [len(places_of(gold) & places_of(each)) / len(places_of(gold)) for each in results]
    return [rank for rank, share in enumerate(shares, 1) if share >= 0.4]


def completes_enough(gold: Item, results: list[Item]) -> list[int]:
    covered: set[tuple[str, int]] = set()
    for rank, result in enumerate(results, 1):
        covered |= places_of(gold) & places_of(result)
        if len(covered) / len(places_of(gold)) >= 0.4:
            return [rank]
    return []


def holds_words(gold: Item, results: list[Item]) -> list[int]:
    wanted = f" {' '.join(gold['text'].casefold().split())} "
    texts = [f" {' '.join(result['text'].casefold().split())} " for result in results]
    return [rank for rank, text in enumerate(texts, 1) if wanted in text]


@st.composite
def spans(draw: st.DrawFn) -> Item:
    start = draw(st.integers(0, 6))
    document, end = draw(st.sampled_from("ddde")), start + draw(st.integers(1, 6))
    return {"id": f"{document}{start}-{end}", "document": document, "start": start, "end": end}


@st.composite
def texts(draw: st.DrawFn) -> Item:
    text = draw(st.sampled_from([" ", "  "])).join(draw(WORDS))
    return {"id": f"[{text}]", "text": text}


IDS = st.builds(lambda name: {"id": name}, NAMES)
KINDS = [
    Kind({"type": "exact"}, IDS, has_same_id),
    Kind({"type": "normalised", "case": "fold", "pattern": "#.*"}, IDS, has_same_key),
    Kind({"type": "span", "threshold": 0.4}, spans(), covers_enough),
    Kind({"type": "span", "threshold": 0.4, "together": True}, spans(), completes_enough),
    Kind({"type": "text", "method": "contain"}, texts(), holds_words),
]


@dataclass
class Asked:
    """A query: groups of alternatives, results with tokens, or None."""

    groups: list[Item]
    results: list[Item] | None
    type: str

    def ranks(self, kind: Kind) -> list[list[int]]:
        """The ranks at which each group is met."""
        results = self.results or []
        return [
            sorted({rank for gold in group["alternatives"] for rank in kind.meets(gold, results)})
            for group in self.groups
        ]

    def fitting(self, tokens: int) -> int:
        """How many results fit into a budget."""
        total = count = 0
        for result in self.results or []:
            total += result["tokens"]
            if total > tokens:
                break
            count += 1
        return count


@dataclass
class Data:
    """A data set, a run and a cutoff."""

    kind: Kind
    asked: dict[str, Asked]
    k: int
    budget: int
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def truth(self) -> list[Item]:
        return [
            {"id": name, "ground_truth": asked.groups, "metadata": {"type": asked.type}}
            for name, asked in self.asked.items()
        ]

    @property
    def run(self) -> list[Item]:
        asked = self.asked.items()
        return [{"id": n, "results": each.results} for n, each in asked if each.results is not None]

    @property
    def scored(self) -> dict[str, Asked]:
        skips = self.options["missing"] == "skip"
        return {n: each for n, each in self.asked.items() if each.results is not None or not skips}


@st.composite
def data_sets(draw: st.DrawFn, kind: Kind) -> Data:
    groups = st.fixed_dictionaries({
        "alternatives": st.lists(kind.items, min_size=1, max_size=3, unique_by=lambda e: e["id"]),
        "weight": st.sampled_from([1.0, 1.0, 2.0, 0.5]),
        "label": st.sampled_from(["hop-1", "hop-2"]),
    })  # fmt: skip
    results = st.lists(
        st.builds(lambda item, n: {**item, "tokens": n}, kind.items, st.integers(1, 9)), max_size=9
    )
    queries = st.builds(
        Asked, st.lists(groups, min_size=1, max_size=4), st.none() | results | results,
        st.sampled_from("xy"),
    )  # fmt: skip
    asked = {
        f"q{n}": each for n, each in enumerate(draw(st.lists(queries, min_size=1, max_size=5)))
    }
    item = draw(kind.items)
    asked["z"] = Asked([{"alternatives": [item], "weight": 1.0, "label": "hop-1"}],
                       [{**item, "tokens": 1}], "x")  # fmt: skip
    options = {"missing": draw(st.sampled_from(["zero", "skip"]))}
    return Data(kind, asked, draw(st.integers(1, 10)), draw(st.integers(1, 40)), options)


def share_met(asked: Asked, ranks: list[int | None], last: int) -> float:
    """Recall from the ranks of groups: the weight of those that are met by a rank."""
    weights = [group["weight"] for group in asked.groups]
    met = [rank is not None and rank <= last for rank in ranks]
    return float(sum(w for w, each in zip(weights, met, strict=True) if each) / sum(weights))


def check_query(data: Data, asked: Asked, query: QueryExplanation, scores: Item) -> None:
    """An explanation says what a naive matcher finds, and each metric follows from it."""
    expected = asked.ranks(data.kind)
    found = [[r for r in (g.rank, *g.again) if r is not None] for g in query.groups]
    assert found == expected
    assert query.results == tuple(each["id"] for each in (asked.results or [])[: data.k])
    ranks, k = [group.rank for group in query.groups], data.k
    hits = {rank for each in expected for rank in each}
    assert [*query.hit_vector] == [int(n in hits) for n in range(1, len(asked.results or []) + 1)]
    assert [group.met for group in query.groups] == [r is not None and r <= k for r in ranks]
    assert math.isclose(scores[f"recall@{k}"], share_met(asked, ranks, k))
    fits = asked.fitting(data.budget)
    assert math.isclose(scores[f"recall@{data.budget}t"], share_met(asked, ranks, fits))
    assert scores[f"complete@{k}"] == float(bool(query.complete))
    assert scores[f"hit_rate@{k}"] == float(any(query.hit_vector[:k]))
    known = [rank for rank in ranks if rank is not None]
    assert scores["first_hit"] == min(known, default=None)
    assert scores["completion_rank"] == (max(known) if len(known) == len(ranks) else None)
    reciprocal = sum(
        group["weight"] / rank
        for group, rank in zip(asked.groups, ranks, strict=True)
        if rank is not None and rank <= k
    )
    weight = sum(group["weight"] for group in asked.groups)
    assert math.isclose(scores[f"mrr@{k}"], reciprocal / weight, abs_tol=1e-12)


def count_reasons(data: Data, asked: Asked) -> Counter[str]:
    """The reasons of the groups of a query, naively."""
    ranks = asked.ranks(data.kind)
    reasons = ["not_retrieved" if not r else "met" if r[0] <= data.k else "beyond_k" for r in ranks]
    return Counter(reasons)


def check_most_missed(data: Data, found: Explanation) -> None:
    """The groups that several queries miss, the one missed most first."""
    listed: dict[Any, set[str]] = {}
    missed: dict[Any, set[str]] = {}
    for query, asked in data.scored.items():
        for group, ranks in zip(asked.groups, asked.ranks(data.kind), strict=True):
            ids = tuple(sorted({item["id"] for item in group["alternatives"]}))
            key = ids, frozenset(repr(sorted(item.items())) for item in group["alternatives"])
            listed.setdefault(key, set()).add(query)
            if not ranks or ranks[0] > data.k:
                missed.setdefault(key, set()).add(query)
    counted = [(-len(queries), key[0], len(listed[key])) for key, queries in missed.items()]
    often = sorted(row for row in counted if row[0] < -1)
    expected = [(ids, -count, queries) for count, ids, queries in often[:10]]
    assert [(g.alternatives, g.missed, g.queries) for g in found.missed_groups] == expected


def check_sums(data: Data, found: Explanation, report: Report) -> None:
    """Sums over all queries, labels and slices are those of the queries that are scored."""
    each = {name: count_reasons(data, asked) for name, asked in data.scored.items()}
    assert +Counter(dict(found.reasons)) == sum(each.values(), Counter())
    types = {name: asked.type for name, asked in data.scored.items()}
    assert {*found.slices["type"]} == {*types.values()}
    for name, part in found.slices["type"].items():
        chosen = [counts for query, counts in each.items() if types[query] == name]
        assert +Counter(dict(part.reasons)) == sum(chosen, Counter())
        assert part.queries == len(chosen) == report.slices["type"][name].counts.scored
    labels: dict[str, Counter[str]] = {}
    for asked in data.scored.values():
        for group, ranks in zip(asked.groups, asked.ranks(data.kind), strict=True):
            one = Asked([group], asked.results, "")
            assert one.ranks(data.kind) == [ranks]
            labels.setdefault(group["label"], Counter()).update(count_reasons(data, one))
    assert {label: +Counter(dict(r)) for label, r in found.labels.items()} == labels
    check_most_missed(data, found)
    missed = [reasons.missed for reasons in found.labels.values()]
    assert missed == sorted(missed, reverse=True)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind.matching.values())))
@settings(max_examples=settings().max_examples if SLOW else 20)
@given(data=st.data())
def test_explanations_agree_with_every_metric(kind: Kind, data: st.DataObject) -> None:
    check(data.draw(data_sets(kind)))


def check(data: Data) -> None:
    names = [f"{name}@{data.k}" for name in ("recall", "complete", "hit_rate", "mrr")]
    names += [f"recall@{data.budget}t", "first_hit", "completion_rank"]
    options = {"matching": data.kind.matching, "by": "type", **data.options}
    report = evaluate(data.truth, data.run, metrics=names, explain=99, **options)
    found = explain(data.truth, data.run, data.k, **options)
    for name, asked in data.asked.items():
        if name in data.scored:
            check_query(data, asked, found.queries[name], report.per_query[name])
        else:
            assert found.queries[name].complete is None
    check_sums(data, found, report)
    assert report.explanation.reasons == found.reasons
    assert report.explanation.slices == found.slices


@pytest.mark.parametrize("options", [{}, {"case": "fold"}, {"pattern": "^v2-"}])
def test_normalised_ids_have_near_misses_as_given_ids_do(options: dict[str, str]) -> None:
    truth = {"q": [["zz", "kb/Doc-1"], ["D#1"]]}
    run = {"q": ["x", "Doc-1", "D#2"]}
    found = explain(truth, run, matching={"type": "normalised", **options}).queries["q"].groups
    assert [
        [(n.id, n.alternative, n.rank, n.differs_in) for n in group.near] for group in found
    ] == [
        [("Doc-1", "kb/Doc-1", 2, ("prefix",))],
        [("D#2", "D#1", 3, ("chunk",))],
    ]


def test_near_misses_of_normalised_ids_are_those_after_the_rules() -> None:
    truth, run = {"q": [["Kb/doc-1"]]}, {"q": ["v2-DOC-1"]}
    rules = {"type": "normalised", "case": "fold", "pattern": "^v2-"}
    (near,) = explain(truth, run, matching=rules).queries["q"].groups[0].near
    assert (near.id, near.alternative, near.differs_in) == ("v2-DOC-1", "Kb/doc-1", ("prefix",))
    assert explain(truth, run).queries["q"].groups[0].near == ()


def test_groups_with_the_same_ids_and_other_spans_are_not_one_missed_group() -> None:
    def place(start: int) -> dict[str, Any]:
        return {"id": "doc", "document": "doc", "start": start, "end": start + 10}

    truth = {f"q{start}": [[place(start)]] for start in (0, 10, 20)}
    run = {query: [place(0)] for query in truth}
    assert explain(truth, run, matching="span").missed_groups == ()
    again = explain({**truth, "p": [[place(20)], [place(20)]]}, {**run, "p": []}, matching="span")
    assert [(each.missed, each.queries) for each in again.missed_groups] == [(2, 2)]
    (by_id,) = explain(truth, {query: ["x"] for query in truth}).missed_groups
    assert (by_id.missed, by_id.queries) == (3, 3)
