"""Queries by id: of data sets, runs and reports."""

import copy
import math
import pickle
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import Dataset, Query, Report, Run, evaluate
from groupwise.schemas import Counts, PerQuery, Scores

TRUTH = {"q1": [["a"]], "q2": [["b"]], "7": [["c"]]}
RUN = {"q1": ["a"], "q2": ["x", "b"], "7": ["c"]}


@pytest.fixture(params=[Dataset, Run, Report])
def holder(request: pytest.FixtureRequest) -> Dataset | Run | Report:
    if request.param is Report:
        return evaluate(TRUTH, RUN, metrics=["recall@5"])
    return Run.model_validate(RUN) if request.param is Run else Dataset.model_validate(TRUTH)


def test_a_query_by_id(holder: Dataset | Run | Report) -> None:
    assert "q2" in holder
    assert "q3" not in holder
    assert None not in holder
    assert ["q1"] not in holder
    assert len(holder) == 3
    assert holder
    with pytest.raises(KeyError, match=r"no query 'Q2'; did you mean 'q2'\?"):
        holder["Q2"]
    with pytest.raises(KeyError, match="no query 'something else'"):
        holder["something else"]
    with pytest.raises(KeyError, match=r"expected the id of a query, got \['q1'\]"):
        holder[["q1"]]  # type: ignore[index]
    with pytest.raises(KeyError) as refused:
        holder["x" * 10_000]
    assert len(str(refused.value)) < 200


def test_what_is_found() -> None:
    dataset, run = Dataset.model_validate(TRUTH), Run.model_validate(RUN)
    assert dataset["q2"] is dataset.queries[1]
    assert run["q2"].ids() == ["x", "b"]
    assert dataset[7].id == run[7].id == "7"  # type: ignore[index]
    assert [query.id for query in dataset] == ["q1", "q2", "7"]
    assert dataset["q1"] in dataset
    assert Query(id="q1", ground_truth=[["other"]]) not in dataset  # type: ignore[arg-type]


def test_scores_of_a_query() -> None:
    report = evaluate(TRUTH, RUN, metrics=["recall@5", "first_hit"])
    assert report["q2"] == {"recall@5": 1.0, "first_hit": 2}
    assert list(report) == ["7", "q1", "q2"]
    with pytest.raises(KeyError, match=r"the mean of this metric is .scores\['recall@5'\]"):
        report["recall@5"]
    means = evaluate(TRUTH, RUN, metrics=["recall@5"], per_query=False)
    assert (len(means), bool(means)) == (0, True)
    with pytest.raises(KeyError, match="the report has no scores of queries"):
        means["q1"]


def test_an_id_of_several_queries_is_refused() -> None:
    record = {"id": "q", "ground_truth": [["a"]]}
    dataset = Dataset.model_validate([record, record])
    assert "q" in dataset
    with pytest.raises(KeyError, match=r"several queries have the id 'q'; see .queries"):
        dataset["q"]


def test_copies_find_their_own_queries() -> None:
    dataset = Dataset.model_validate(TRUTH)
    assert dataset["q1"].id == "q1"
    for other in (copy.deepcopy(dataset), pickle.loads(pickle.dumps(dataset)), copy.copy(dataset)):  # noqa: S301
        assert other == dataset
        assert other["q2"] == dataset["q2"]
    less = dataset.model_copy(update={"queries": dataset.queries[1:]})
    assert "q1" not in less
    assert "q1" in dataset
    assert less["q2"] == dataset["q2"]


def test_many_queries_are_found_in_no_time() -> None:
    dataset = Dataset.model_validate({f"q{number}": [["a"]] for number in range(20_000)})
    start = time.perf_counter()
    assert all(dataset[f"q{number}"].id == f"q{number}" for number in range(20_000))
    with pytest.raises(KeyError):
        dataset["q2000x"]
    assert time.perf_counter() - start < 5


def test_a_report_by_hand_has_its_queries() -> None:
    report = Report(
        profile="autorag",
        counts=Counts(queries=1, scored=1),
        scores=Scores({"f1": 0.5}),
        per_query=PerQuery(["q"], {"f1": [0.5]}),
    )
    assert report["q"] == {"f1": 0.5}


@given(
    values=st.dictionaries(
        st.text("ab1", max_size=4), st.sampled_from([0.0, -0.0, 0.5, 1.0, math.nan])
    ),
    count=st.integers(0, 9),
    is_array=st.booleans(),
)
def test_the_lowest_values_of_a_column_then_by_query_id(
    values: dict[str, float], count: int, *, is_array: bool
) -> None:
    column: Any = np.array([*values.values()]) if is_array else [*values.values()]
    scored = sorted((value, query) for query, value in values.items() if not math.isnan(value))
    found = PerQuery([*values], {"recall": column}).find_lowest(count, "Recall")
    assert found == [query for _, query in scored[:count]]
