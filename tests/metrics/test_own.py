"""A metric that a user declares: known everywhere, checked, replaced when declared again."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Annotated, Any, Literal

import numpy as np
import pytest

import groupwise.metrics
from groupwise import ExtensionError, Hits, OptionError, UnknownMetric, evaluate, metric
from groupwise.evaluator.metrics.names import parse
from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.plugins.parameters import Between

pytestmark = pytest.mark.usefixtures("nothing_added")
TRUTH = {"q1": [["a", "b"], ["c"]], "q2": [["d"]]}
RUN = {"q1": ["a", "x", "b", "y"], "q2": ["x", "d"]}


def hits_found(hits: Hits) -> Any:
    """Number of results that meet a group."""
    return hits.per_query(hits.query)


def score(name: str, **more: Any) -> float | None:
    return evaluate(TRUTH, RUN, metrics=[name], **more).scores[name]


@pytest.mark.parametrize("profile", PROFILES)
def test_it_is_known_in_every_profile(profile: str) -> None:
    metric(hits_found)
    report = evaluate(TRUTH, RUN, metrics=["hits_found", "HITS_FOUND@2"], profile=profile)
    assert report.scores == {"hits_found": 1.5, "hits_found@2": 1.0}
    assert report.per_query["q1"] == {"hits_found": 2.0, "hits_found@2": 1.0}
    assert score(f"{profile}:hits_found") == 1.5


def test_it_is_a_plain_function_too() -> None:
    metric(hits_found)
    function = getattr(groupwise.metrics, "hits_found")  # noqa: B009  (not in the stub)
    assert function([["a", "b"], ["c"]], ["a", "x", "b"], k=2) == 1.0
    assert "Number of results" in (function.__doc__ or "")
    assert "hits_found" in dir(groupwise.metrics)


def test_the_decorator_takes_any_of_its_arguments() -> None:
    @metric(aliases=["found"], highest=math.inf)
    def results_found(hits: Hits) -> Any:
        return hits.per_query(hits.query)

    @metric()
    def nothing_found(hits: Hits) -> Any:
        return hits.per_query(hits.query) == 0

    known = parse("found@3").metric
    assert (known.name, known.range, known.summary) == ("results_found", "[0, ∞)", "")
    assert score("found") == 1.5
    assert score("nothing_found@1") == 0.5


def test_a_rank_is_not_averaged() -> None:
    @metric(kind="rank")
    def second_hit(hits: Hits) -> Any:
        return [3.0, math.nan]

    (summary,) = evaluate(TRUTH, RUN, metrics=["second_hit"]).ranks.values()
    assert (summary.found, summary.not_found, summary.median) == (1, 1, 3.0)


def test_parameters_are_those_of_the_function() -> None:
    @metric
    def scaled(
        hits: Hits,
        *,
        by: Annotated[float, Between(0, 10)] = 2.0,
        how: Literal["up", "down"] = "up",
        whole: bool = False,
    ) -> Any:
        factor = by if how == "up" else 1 / by
        return np.full(hits.queries, float(int(factor)) if whole else factor)

    assert score("scaled") == 2.0
    assert score("scaled(how=down)") == 0.5
    assert score("scaled(by=2.5,whole=true)") == 2.0
    with pytest.raises(OptionError, match="by is a number from 0 to 10, not '11'"):
        parse("scaled(by=11)")
    with pytest.raises(OptionError, match="how is up or down, not 'left'"):
        parse("scaled(how=left)")


def test_a_query_without_a_value_is_left_out_of_the_mean() -> None:
    @metric
    def sometimes(hits: Hits) -> Any:
        return np.array([0.25, np.nan])

    report = evaluate(TRUTH, RUN, metrics=["sometimes"])
    assert report.scores["sometimes"] == 0.25
    assert report.per_query["q2"]["sometimes"] is None


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (lambda _: 1.0, r"expected an array of shape \(2,\), got float 1.0"),
        (lambda _: [1.0], r"got list of shape \(1,\), float64"),
        (lambda _: None, "got NoneType None"),
        (lambda _: ["a", "b"], r"got list of shape \(2,\), <U1"),
        (lambda hits: np.zeros((hits.queries, 1)), r"got ndarray of shape \(2, 1\), float64"),
        (lambda hits: np.full(hits.queries, np.inf), "returned infinity; NaN stands for no value"),
    ],
)
def test_what_is_not_a_number_per_query_is_refused(
    values: Callable[[Hits], Any], said: str
) -> None:
    @metric
    def odd(hits: Hits) -> Any:
        return values(hits)

    with pytest.raises(ExtensionError, match=f"the metric 'odd' .*{said}"):
        evaluate(TRUTH, RUN, metrics=["odd"])


@pytest.mark.parametrize("taken", ["recall", "ndcg", "success", "strecall", "bpref"])
def test_the_name_of_a_built_in_metric_is_refused(taken: str) -> None:
    with pytest.raises(ExtensionError, match=f"there is a built-in metric '{taken}'"):
        metric(aliases=(taken,))(hits_found)
    hits_found.__name__, name = taken, hits_found.__name__
    try:
        with pytest.raises(ExtensionError, match=f"there is a built-in metric '{taken}'"):
            metric(hits_found)
    finally:
        hits_found.__name__ = name
    with pytest.raises(UnknownMetric):
        parse("hits_found")


def declare(text: str, module: str) -> None:
    """Declare metrics in a module of that name, as an import or a cell of a notebook does."""
    namespace = vars(ModuleType(module)) | {"metric": metric}
    exec(compile(text, f"<{module}: {text}>", "exec"), namespace)  # noqa: S102


def test_a_cell_of_a_notebook_may_run_again() -> None:
    declare("@metric\ndef constant(hits): return [1.0] * hits.queries", "__main__")
    assert score("constant") == 1.0
    declare("@metric\ndef constant(hits): return [2.0] * hits.queries", "__main__")
    assert score("constant") == 2.0
    assert getattr(groupwise.metrics, "constant")([["a"]], ["a"]) == 2.0  # noqa: B009


def test_two_modules_cannot_have_a_metric_of_one_name() -> None:
    declare("@metric\ndef constant(hits): return [1.0] * hits.queries", "first")
    with pytest.raises(ExtensionError, match="first declares a metric 'constant' too"):
        declare("@metric\ndef constant(hits): return [2.0] * hits.queries", "second")
    with pytest.raises(ExtensionError, match="first declares a metric 'constant' too"):
        declare("@metric(aliases=['constant'])\ndef other(hits): ...", "first")
    assert score("constant") == 1.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("metric(lambda hits: 1)", "'<lambda>' cannot name a metric"),
        ("@metric\ndef Found(hits): ...", "'Found' cannot name a metric: expected a lower-case"),
        ("@metric(aliases='a b')\ndef found(hits): ...", "'a b' cannot name a metric"),
        ("@metric\ndef found(): ...", r"expected found\(hits, \*, parameter=default\), got found"),
        ("@metric\ndef found(hits, k): ...", r"got found\(hits, k\)"),
        ("@metric\ndef found(hits, *, k): ...", r"got found\(hits, \*, k\)"),
        ("@metric\ndef found(hits, *, k=None): ...", "as the default of 'k', got None"),
    ],
)
def test_a_declaration_that_cannot_work_says_why(text: str, said: str) -> None:
    with pytest.raises(ExtensionError, match=said):
        declare(text, "mine")


def test_metrics_may_be_declared_while_others_are_computed() -> None:
    failures: list[Exception] = []

    def work(number: int) -> None:
        try:
            for step in range(20):
                name = f"metric_{number}_{step}"
                declare(
                    f"@metric\ndef {name}(hits): return [{step}.0] * hits.queries", f"m{number}"
                )
                assert score(name) == step
                assert score("recall") == 0.75
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
