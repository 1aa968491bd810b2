"""The metrics of the autorag profile agree with the formulas, read naively."""

from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.metrics.registry import metrics_of
from tests import oracle
from tests.comparing import agree
from tests.metrics.every import values
from tests.strategies import CASES, CUTOFFS, MANY, Case


def test_the_oracle_knows_every_metric_of_the_profile() -> None:
    known = metrics_of("autorag").values()
    assert {one.name for one in known if not one.needs} == set(oracle.METRICS)


@MANY
@given(case=CASES, k=st.none() | CUTOFFS)
def test_values_agree_with_the_formulas(case: Case, k: int | None) -> None:
    found = values(case.truth, case.ranking, k)
    for name in oracle.METRICS:
        expected = oracle.value(name, case.groups, case.ranking, k)
        assert agree(found[f"autorag:{name}"], expected), (name, expected)
