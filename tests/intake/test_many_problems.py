"""Problems beyond those that are kept are counted as if the models had described them."""

import json
from pathlib import Path
from typing import Any
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, evaluate
from groupwise.evaluator import errors
from groupwise.evaluator.intake.defects import DefectFinder
from groupwise.evaluator.intake.partition import Partition
from tests.formats.reading import file_of
from tests.strategies import FEWER
from tests.validation.data import FIXTURES

Outcome = tuple[Any, ...]


def outcome_of(path: Path, **options: Any) -> Outcome:
    try:
        report = evaluate(path, k=3, **options)
    except InputError as error:
        return error.count, error.problems
    return (report.model_dump_json(),)


@FEWER
@given(
    FIXTURES,
    st.sampled_from([0, 1, 4]),
    st.sampled_from([".json", ".jsonl"]),
    st.sampled_from([{}, {"flat": "all"}, {"ids": "text"}]),
)
def test_what_is_counted_is_what_would_be_kept(
    records: list[dict[str, Any]], kept: int, suffix: str, options: dict[str, Any]
) -> None:
    sound = [{"id": f"p{n}", "ground_truth": [["a"]], "results": ["a"]} for n in range(6)]
    again = [{**record, "id": f"r{n}"} for n, record in enumerate(records) if record.get("id")]
    many = [*sound[:3], *records, *sound[3:], *again]
    text = "\n".join(map(json.dumps, many)) if suffix == ".jsonl" else json.dumps(many)
    with file_of(text, suffix) as path, mock.patch.object(errors, "KEPT_PROBLEMS", kept):
        quick = outcome_of(path, **options)
        with (
            mock.patch.object(DefectFinder, "find", return_value=None),
            mock.patch.object(DefectFinder, "find_all", return_value=None),
        ):
            careful = outcome_of(path, **options)
            with mock.patch("groupwise.evaluator.intake.checking.partition", one_by_one):
                alone = outcome_of(path, **options)
    assert quick == careful == alone


def one_by_one(_bulk: Any, values: list[Any], *_: Any) -> Partition:
    return Partition([], list(range(len(values))))
