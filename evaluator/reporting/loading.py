"""Results that were saved as JSON, read back."""

import os
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from groupwise.evaluator.errors import InputError, Problem, UnknownMetric
from groupwise.evaluator.metrics.names import parse
from groupwise.evaluator.reading.json import read_json_file
from groupwise.evaluator.text import json_pointer, quote
from groupwise.schemas import PerQuery, Report, Scores
from groupwise.schemas.rendering import Rendered
from groupwise.schemas.scores import Spellings

Result = TypeVar("Result", bound=Rendered)
MOST_PROBLEMS = 20
SAVED = {
    "groupwise.report/1": "a report: Report.load reads it",
    "groupwise.comparison/1": "a comparison of runs: Comparison.load reads it",
    "groupwise.explanation/1": "an explanation: Explanation.load reads it",
    "groupwise.power/1": "an analysis of power: PowerAnalysis.load reads it",
    "groupwise.remap/1": "the report of a remapping: Remapped.load reads it",
    "groupwise.scores/1": "a baseline of scores: read_baseline reads it",
    "groupwise.findings/1": "the findings of 'groupwise validate'",
    "groupwise.baseline/1": "a baseline of findings, for 'groupwise validate --baseline'",
}
"""Files with a schema, and what reads them."""


def load_result(model: type[Result], path: str | os.PathLike[str]) -> Result:
    """Return a result from the JSON file that it was saved to.

    Raises:
        InputError: The file cannot be read, is no JSON, or holds something else.
    """
    source, expected = os.fspath(path), f"{model.described_as} that was saved as JSON"
    content = read_json_file(source, model.described_as, f"; expected {expected}")
    _check_schema(model, content, source, expected)
    try:
        result = model.model_validate(content)
    except ValidationError as error:
        problems = [
            Problem(detail["msg"], source, pointer=json_pointer(detail["loc"]))
            for detail in error.errors(include_url=False)
        ]
        raise InputError(problems[:MOST_PROBLEMS], len(problems)) from None
    if isinstance(result, Report):
        _check_queries(result, source)
        result = _restore_spellings(result)
    return result


def _check_schema(model: type[Rendered], content: Any, source: str, expected: str) -> None:
    """Refuse a file that claims to be something else, or nothing."""
    found = content.get("schema") if isinstance(content, Mapping) else None
    if found != model.model_fields["schema_"].default:
        what = (
            SAVED.get(str(found), f"a file of the schema {quote(found)}") if found else "other JSON"
        )
        raise InputError([Problem(f"this is {what}; expected {expected}", source)])


def _check_queries(report: Report, source: str) -> None:
    """Refuse a report whose queries lack a metric; one without any scores of queries is fine."""
    _, columns = report.per_query.columns()
    lacking = [label for label in (*report.scores, *report.ranks) if label not in columns]
    if len(report.per_query) and lacking:
        message = f"no query has {quote(lacking[0])}; expected every metric of scores and ranks"
        raise InputError([Problem(message, source, pointer="/per_query")])


def _restore_spellings(report: Any) -> Any:
    """Return the report with scores that are found under any name of their metrics."""
    labels = (*report.scores, *report.ranks)
    spellings = {label: _list_names(label, report.profile) for label in labels}
    known: Spellings = {label: names for label, names in spellings.items() if names}
    scores = Scores.under(known, report.scores)
    ids, columns = report.per_query.columns()
    per_query = PerQuery(ids, columns, known)
    return report.model_copy(update={"scores": scores, "per_query": per_query})


def _list_names(label: str, profile: str) -> tuple[str, ...]:
    """Return the names of a metric; none if it is of a plugin that is not loaded."""
    try:
        return parse(label, profile).names
    except (UnknownMetric, InputError):
        return ()
