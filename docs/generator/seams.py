"""The page of seams: the types that travel between the rooms, from their docstrings."""

import inspect
import re
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from generator.api import describe_class
from groupwise.evaluator.evaluation.partial import Partial
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.evidence import Checking, Evidence, Explaining
from groupwise.evaluator.matching.matcher import Matcher, MatcherFactory
from groupwise.evaluator.matching.query_matcher import QueryMatcher
from groupwise.evaluator.matching.registry import MATCHERS
from groupwise.evaluator.metrics.registry import Metric
from groupwise.evaluator.plugins.parameters import parameters_of
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reporting.forms import Form
from groupwise.evaluator.validation.facts.draft import Draft
from groupwise.evaluator.validation.rules.rule import Fix, Rule

HEAD = """\
# Seams

Between two rooms of [groupwise](../explanation/how-it-works.md) travels one type. Where several
things can do the job there is a small protocol, and a registry that is open to you. How to use
them, with an example each, is in [extend groupwise](../how-to/extend.md).
"""


class Seam(NamedTuple):
    """A place where something can be exchanged: what it joins, its types, and perhaps more.

    ``module`` tells whether the docstring of the first type's module belongs here.
    """

    title: str
    joins: str
    types: tuple[type, ...]
    module: bool = False


SEAMS = (
    Seam("Format and Records", "From bytes to records.", (Format, Records, Batch, Reading)),
    Seam(
        "Matcher",
        "From rows to hits.",
        (Matcher, MatcherFactory, QueryMatcher, Rows, Explaining, Evidence, Checking),
    ),
    Seam("Metric", "From [`Hits`](api.md#hits) to a number per query.", (Metric,)),
    Seam("Partial", "From some queries to the report of all.", (Partial,), module=True),
    Seam("Rule", "From records to findings.", (Rule, Fix, Draft), module=True),
    Seam("Form", "From a report, or findings, to text.", (Form,)),
)
DEFINITION = re.compile(r"^``([^\n]*)``\n((?: {4}[^\n]*\n?)+)", re.MULTILINE)


def seams_page() -> str:
    """All seams with their types."""
    return "\n".join([HEAD, *(part for seam in SEAMS for part in _describe_seam(seam))])


def _describe_seam(seam: Seam) -> Iterator[str]:
    yield f"## {seam.title}\n"
    yield f"{seam.joins}\n"
    yield from _list_matchers() if Matcher in seam.types else ()
    if seam.module:
        yield f"{_describe_module(seam.types[0])}\n"
    yield from (describe_class(kind.__name__, kind) for kind in seam.types)


def _list_matchers() -> Iterator[str]:
    yield "Built in, chosen by `matching=` or `--match`:\n"
    for name, factory in MATCHERS.built_in.items():
        summary = (inspect.getdoc(factory) or "").partition("\n")[0].replace("``", "`")
        options = [
            f"`{option}={known.default}`" for option, known in parameters_of(factory).items()
        ]
        yield f"- `{name}`: {summary}" + (f" Options: {', '.join(options)}." if options else "")
    yield ""


def _describe_module(kind: Any) -> str:
    """What the module of a type says about it, beyond its first line."""
    text = inspect.getdoc(sys.modules[kind.__module__]) or ""
    rest = text.partition("\n\n")[2]
    return DEFINITION.sub(_format_definition, f"{rest}\n").replace("``", "`").strip()


def _format_definition(match: re.Match[str]) -> str:
    names = match[1].replace("``", "`")
    return f"- `{names}`: {' '.join(match[2].split())}\n"
