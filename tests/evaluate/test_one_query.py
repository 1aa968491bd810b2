"""One query at a time has the values of a batch, bit for bit."""

import copy
import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from groupwise import Evaluator, Hits, InputError, OptionError, UnknownMetric, evaluate, metric
from groupwise.evaluator.evaluation.single import match_query, metric_function
from groupwise.schemas import Counts, Report
from tests.metrics.every import METRICS

NAMES = [name for name, metric in METRICS.items() if not metric.needs]
CUTOFFS = (None, 3)
QUERIES = 100


def list_queries(count: int, kind: type[str] | type[int]) -> Iterator[tuple[Any, Any]]:
    """Queries with shared alternatives, repeated results, none that is met, and all."""
    draw = Random(f"few {kind}")  # noqa: S311  (nothing is secret)
    pool = [str(number) if kind is str else number for number in range(24)]
    for _ in range(count):
        sizes = [draw.randint(1, 3) for _ in range(draw.randint(1, 4))]
        groups = [draw.choices(pool[:12], k=size) for size in sizes]
        yield groups, draw.choices(pool, k=draw.randint(1, 20))


@pytest.mark.parametrize("k", CUTOFFS)
@pytest.mark.parametrize("kind", [str, int])
def test_every_metric_has_the_value_of_a_batch(kind: Any, k: int | None) -> None:
    queries = {f"q{n}": query for n, query in enumerate(list_queries(QUERIES, kind))}
    truths = {name: truth for name, (truth, _) in queries.items()}
    results = {name: ranking for name, (_, ranking) in queries.items()}
    batch = evaluate(truths, results, metrics=NAMES, k=k)
    for name, (truth, ranking) in queries.items():
        alone = evaluate({name: truth}, {name: ranking}, metrics=NAMES, k=k)
        assert dict(alone.per_query[name]) == dict(batch.per_query[name])


@pytest.mark.parametrize("name", NAMES)
def test_every_function_has_the_value_of_a_batch(name: str) -> None:
    profile, _, metric = name.partition(":")
    queries = list(list_queries(QUERIES, str))
    truths, rankings = ([query[part] for query in queries] for part in range(2))
    batch = evaluate(truths, rankings, metrics=name, k=3).per_query
    values = [value for _, value in sorted(batch.column(f"{name}@3"), key=lambda row: int(row[0]))]
    function = metric_function(metric)
    assert [function(*query, k=3, profile=profile) for query in queries] == values


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"k": True}, OptionError),
        ({"k": [1, True]}, OptionError),
        ({"k": 0}, OptionError),
        ({"profile": "other"}, OptionError),
        ({"missing": "never"}, InputError),
        ({"metrics": "recal"}, UnknownMetric),
        ({"metrics": []}, UnknownMetric),
        ({"metrics": [["recall"]]}, UnknownMetric),
    ],
)
def test_what_is_not_accepted_is_refused_after_what_equals_it(
    options: dict[str, Any], error: type[Exception]
) -> None:
    evaluate({"q": [["a"]]}, {"q": ["a"]}, k=1)
    evaluate({"q": [["a"]]}, {"q": ["a"]}, k=[1, 1])
    with pytest.raises(error):
        evaluate({"q": [["a"]]}, {"q": ["a"]}, **options)


def test_names_may_come_from_a_generator() -> None:
    names = (name for name in ["recall", "mrr"])
    cutoffs = (k for k in (1, 2))
    found = evaluate({"q": [["a"]]}, {"q": ["x", "a"]}, metrics=names, k=cutoffs)  # type: ignore[arg-type]
    assert found.scores == {"recall@1": 0, "recall@2": 1, "mrr@1": 0, "mrr@2": 0.5}


def test_the_report_explains_the_data_that_it_is_of() -> None:
    report = evaluate({"q": [["a"], ["b"]]}, {"q": ["x", "a"]}, metrics=["recall@1"])
    query = report.explain().queries["q"]
    assert [group.rank for group in query.groups] == [2, None]


def test_reports_share_nothing_that_can_be_changed() -> None:
    first = evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics="recall")
    assert first.provenance is not None
    fields: list[Any] = [first.scores, first.intervals, first.ranks, first.slices, first.failures]
    for field in fields:
        field["changed"] = 1
    first.provenance.matching["changed"] = 1
    second = evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics="recall")
    assert "changed" not in second.to_json()


def test_an_assembled_model_is_like_any_other() -> None:
    report = evaluate({"q": [["a"]]}, {"q": ["x", "a"]}, metrics=["recall", "mrr"])
    assert list(vars(report)) == list(Report.model_fields)
    assert Report.model_validate_json(report.to_json()) == report
    again = pickle.loads(pickle.dumps(report))  # noqa: S301  (our own)
    assert again == copy.deepcopy(report) == report
    assert report.model_copy(update={"profile": "trec"}).profile == "trec"
    counts = {name: number for number, name in enumerate(Counts.model_fields)}
    assert Counts.assemble(dict(counts)) == Counts(**counts)
    assert repr(Counts.assemble(dict(counts))) == repr(Counts(**counts))


@pytest.mark.usefixtures("nothing_added")
def test_an_evaluator_computes_a_metric_that_is_declared_again() -> None:
    def declare(factor: int) -> None:
        @metric
        def times_met(hits: Hits) -> Any:
            """How many groups are met, times a factor."""
            return factor * hits.per_query(hits.met_query)

    declare(1)
    evaluator = Evaluator({"q": [["a"], ["b"]]}, metrics="times_met")
    before = evaluator.evaluate({"q": ["a", "b"]}).scores["times_met"]
    declare(3)
    assert (before, evaluator.evaluate({"q": ["a", "b"]}).scores["times_met"]) == (2, 6)


def test_sums_of_no_rows_are_not_whole_numbers() -> None:
    hits = match_query([["a"]], ["x"])
    nothing = hits.rank[:0]
    assert hits.per_query(nothing).dtype == hits.per_query(nothing, hits.grade[:0]).dtype == float
