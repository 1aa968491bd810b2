"""The metrics of the trec profile agree with the formulas, read naively."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groupwise import evaluate
from groupwise.evaluator.metrics.registry import metrics_of
from tests import oracle_trec
from tests.comparing import agree
from tests.strategies import CASES, CUTOFFS, MANY, Case

UNWANTED = st.lists(st.sampled_from("abwxyzu"), max_size=4)
CHANCES = st.sampled_from([0.0, 0.5, 0.8, 0.95, 1.0])
PARAMETERS: dict[str, st.SearchStrategy[Any]] = {
    "rel": st.sampled_from([0, 1, 2, 3, 0.75]),
    "p": CHANCES,
    "gain": st.sampled_from(["linear", "exponential"]),
    "highest": st.sampled_from([1, 3, 4, 5]),
}


def test_the_oracle_knows_every_metric_of_the_profile() -> None:
    known = metrics_of("trec").values()
    assert {one.name for one in known if not one.needs} == oracle_trec.NAMES


def test_every_parameter_of_the_profile_is_tried() -> None:
    known = [one for one in metrics_of("trec").values() if not one.needs]
    assert {name for one in known for name in one.parameters} == set(PARAMETERS)


@st.composite
def spelled(draw: st.DrawFn, name: str) -> tuple[str, dict[str, Any]]:
    """A metric's name with any of its parameters, and these."""
    known = metrics_of("trec")[name].parameters
    given = {one: draw(PARAMETERS[one]) for one in sorted(known) if draw(st.booleans())}
    written = ",".join(f"{one}={value}" for one, value in given.items())
    return f"{name}({written})", given


METRICS = st.fixed_dictionaries({name: spelled(name) for name in sorted(oracle_trec.NAMES)})


@MANY
@given(case=CASES, k=st.none() | CUTOFFS, unwanted=UNWANTED, metrics=METRICS)
def test_values_agree_with_the_formulas(
    case: Case, k: int | None, unwanted: list[str], metrics: dict[str, Any]
) -> None:
    record = {"id": "q", "ground_truth": case.truth, "not_relevant": unwanted}
    names = [text if k is None else f"{text}@{k}" for text, _ in metrics.values()]
    report = evaluate([record], {"q": case.ranking}, profile="trec", metrics=names)
    found = dict(zip(metrics, report.per_query["q"].values(), strict=True))
    for name, (text, given_) in metrics.items():
        expected = oracle_trec.value(name, case.groups, case.ranking, k, unwanted, **given_)
        assert agree(found[name], expected), (text, found[name], expected)
