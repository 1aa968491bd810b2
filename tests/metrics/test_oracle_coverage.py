"""The metrics of the coverage profile agree with the formulas, the ideal found by trying all."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groupwise import evaluate
from groupwise.evaluator.metrics.registry import metrics_of
from tests import oracle_coverage
from tests.comparing import agree
from tests.strategies import CUTOFFS, MANY, SMALL_CASES, Case

CHANCES = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])


def test_the_oracle_knows_every_metric_of_the_profile() -> None:
    known = metrics_of("coverage").values()
    assert {one.name for one in known if not one.needs} == oracle_coverage.NAMES


@st.composite
def spelled(draw: st.DrawFn, name: str) -> tuple[str, dict[str, Any]]:
    """A metric's name with any of its parameters, and these."""
    known = metrics_of("coverage")[name].parameters
    given = {one: draw(CHANCES) for one in sorted(known) if draw(st.booleans())}
    written = ",".join(f"{one}={value}" for one, value in given.items())
    return f"{name}({written})", given


METRICS = st.fixed_dictionaries({name: spelled(name) for name in sorted(oracle_coverage.NAMES)})


@MANY
@given(case=SMALL_CASES, k=st.none() | CUTOFFS, metrics=METRICS)
def test_values_agree_with_the_formulas(case: Case, k: int | None, metrics: dict[str, Any]) -> None:
    names = [text if k is None else f"{text}@{k}" for text, _ in metrics.values()]
    report = evaluate({"q": case.truth}, {"q": case.ranking}, profile="coverage", metrics=names)
    found = dict(zip(metrics, report.per_query["q"].values(), strict=True))
    for name, (text, given_) in metrics.items():
        expected = oracle_coverage.value(name, case.groups, case.ranking, k, **given_)
        assert agree(found[name], expected), (text, found[name], expected)
    assert report.warnings == () or "next best" not in report.warnings[0]
