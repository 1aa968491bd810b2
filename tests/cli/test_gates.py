import pytest

from tests.cli.conftest import Groupwise, Write


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ("recall>=0.5", 0),
        ("recall > 0.5", 1),
        ("recall <= .5", 0),
        ("recall<5e-1", 1),
        ("  Recall@1  >=  0.5  ", 0),
        ("map >= 0.41666666666666663", 0),
        ("map >= 0.4166666666666667", 1),
        ("autorag:ndcg@3 > 0.7", 0),
    ],
)
def test_a_gate_decides_the_exit_code(
    groupwise: Groupwise, fixture: str, gate: str, code: int
) -> None:
    assert groupwise("evaluate", fixture, "--gate", gate).code == code


def test_a_failed_gate_tells_value_and_target(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("evaluate", fixture, "--gate", "map>=0.8", "--gate", "recall>=0.5")
    assert done.code == 1
    assert "gate map >= 0.8 failed: map is 0.41666666666666663" in done.err
    assert "gate recall >= 0.5 passed: recall is 0.5" in done.err
    assert "profile autorag" in done.out


def test_gates_add_to_the_metrics_of_the_fixture(groupwise: Groupwise, write: Write) -> None:
    query = {"id": "q", "ground_truth": [["a"]], "results": ["x", "a"]}
    name = write("f.json", {"metrics": ["mrr"], "queries": [query]})
    done = groupwise("evaluate", name, "--gate", "recall@1 < 0.1", "--format", "csv")
    assert done.code == 0
    assert done.out.splitlines()[0] == "query,mrr,recall@1"


def test_cutoffs_of_the_call_leave_gates_alone(groupwise: Groupwise, fixture: str) -> None:
    words = ("-m", "precision", "-k", "1", "--format", "csv", "--gate", "precision <= 0.5")
    done = groupwise("evaluate", fixture, *words)
    assert done.code == 0
    assert done.out.splitlines()[0] == "query,precision@1,precision"


@pytest.mark.parametrize(
    "gate", ["recall", "recall=0.5", "recall==0.5", ">=0.5", "recall>=", "recall>=nan",
             "recall>=80%", "recall>=1>=2", "nonsense>=1", "recall@0>=1", "first_hit<=2", ""]
)  # fmt: skip
def test_what_is_no_gate_is_a_wrong_call(groupwise: Groupwise, fixture: str, gate: str) -> None:
    done = groupwise("evaluate", fixture, "--gate", gate)
    assert (done.code, done.out) == (2, "")
    assert done.err


def test_a_gate_on_a_metric_without_value(groupwise: Groupwise, write: Write) -> None:
    name = write("f.json", [{"id": "q", "ground_truth": [], "results": ["a"]}])
    done = groupwise("evaluate", name, "--gate", "recall>=0")
    assert done.code == 3
    assert "recall has no value" in done.err
