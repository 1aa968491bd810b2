"""Numbers that should be equal, or both be missing; reports that should be equal."""

import math
from fractions import Fraction

from groupwise import Report
from groupwise.schemas import Input

Number = Fraction | float | None


def agree(found: Number, expected: Number, *, within: float = 1e-12) -> bool:
    """Whether two values are the same up to rounding, or both are None."""
    if found is None or expected is None:
        return found is expected
    return math.isclose(found, expected, rel_tol=within, abs_tol=within)


def without_names(report: Report) -> str:
    """Return a report as JSON, with its inputs as objects have them: without file names."""
    inputs = [given.model_copy(update={"name": None}) for given in _list_inputs(report)]
    return _with_inputs(report, inputs)


def without_inputs(report: Report) -> str:
    """Return a report as JSON, as if it were merged from partials, which know no inputs."""
    return _with_inputs(report, [])


def _list_inputs(report: Report) -> tuple[Input, ...]:
    return () if report.provenance is None else report.provenance.inputs


def _with_inputs(report: Report, inputs: list[Input]) -> str:
    assert report.provenance is not None
    provenance = report.provenance.model_copy(update={"inputs": tuple(inputs)})
    return report.model_copy(update={"provenance": provenance}).to_json()
