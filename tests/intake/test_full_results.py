"""Results in full: what is accepted in bulk is what the schemas make of it, and nothing else."""

from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.errors import Problems
from groupwise.evaluator.intake import full_results
from groupwise.evaluator.intake.checking import Intake
from groupwise.evaluator.intake.objects import as_records
from groupwise.evaluator.intake.rows import Rows
from groupwise.schemas import Policies, RunQuery

VALUES = {
    "id": st.sampled_from(["a", "b", " ", 7, "\ud800", None, True]),
    "score": st.sampled_from([0.5, 3, float("nan"), float("inf"), 10**400, "1", None, True]),
    "text": st.sampled_from(["t", "", "東", "\ud800", None, 3]),
    "document": st.sampled_from(["d", 4, None, 1.5, True]),
    "start": st.sampled_from([0, 5, -1, None, 2**70, "0", True]),
    "end": st.sampled_from([0, 5, None, 1.0]),
    "tokens": st.sampled_from([0, 12, -3, None, 1.0]),
    "vector": st.just([0.5, 1.0]),
    "odd": st.just(1),
}
LIKELY: dict[str, list[Any]] = {
    "id": ["a", "b"],
    "score": [0.5, 3],
    "text": ["t", "東"],
    "document": ["d"],
    "start": [0],
}


@st.composite
def runs(draw: st.DrawFn) -> dict[str, Any]:
    names = draw(st.sets(st.sampled_from(sorted(VALUES)), max_size=4)) | {"id"}
    if draw(st.booleans()):
        names &= LIKELY.keys()
    plain = st.fixed_dictionaries(
        {n: st.sampled_from(LIKELY[n]) if n in LIKELY else VALUES[n] for n in sorted(names)}
    )
    odd = st.fixed_dictionaries({name: VALUES[name] for name in sorted(names)})
    results: st.SearchStrategy[list[Any]] = st.lists(plain, max_size=4)
    if draw(st.booleans()):
        results = st.lists(st.one_of(plain, odd, st.just("bare")), max_size=4)
    return {f"q{number}": draw(results) for number in range(draw(st.integers(1, 3)))}


def read(run: Any, policies: Policies) -> tuple[list[Any], list[str]]:
    problems = Problems()
    rows = Rows()
    for part in Intake(
        as_records(run, "run"), RunQuery, policies, problems, references=True
    ).rows():
        rows.extend(part)
    filled = [
        (rows.ids, rows.results),
        [[*map(float, scores)] if scores else None for scores in rows.scores or [None] * len(rows)],
        [tokens or None for tokens in rows.tokens or [None] * len(rows)],
        [
            [*references]
            if references is not None
            else [(one, None, None, None, None) for one in ids]
            for references, ids in zip(
                rows.result_references or [None] * len(rows), rows.results, strict=True
            )
        ],
    ]
    return filled, [str(problem) for problem in problems.kept]


@given(runs(), st.sampled_from([None, "text"]))
def test_bulk_and_schemas_agree(run: Any, ids: Any) -> None:
    policies = Policies(ids=ids)
    quick = read(run, policies)
    with patch.object(full_results, "split_results", return_value=None):
        assert read(run, policies) == quick
