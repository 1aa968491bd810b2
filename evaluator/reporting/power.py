"""An analysis of power for people, as Markdown, as JSON and as comma-separated values."""

import csv
import io
import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groupwise.evaluator.reading.json_text import dump_line
from groupwise.evaluator.reporting.forms import Form, Forms
from groupwise.evaluator.reporting.markdown import build_table
from groupwise.evaluator.reporting.page import Page
from groupwise.evaluator.reporting.pivot import format_counts, format_score
from groupwise.evaluator.reporting.sanitise import markdown_safe, spreadsheet_safe
from groupwise.evaluator.text import plural
from groupwise.schemas import Counts
from groupwise.schemas.power import PowerAnalysis, Sensitivity

PLAIN_WIDTH, NARROWEST = 100, 40
UNKNOWN = "–"  # noqa: RUF001
COLUMNS = ("kind", "metric", "n", "sd", "detectable", "observed", "wanted", "queries")
PLAN = "plan"


class Table(NamedTuple):
    """A table of text."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str


def render(analysis: PowerAnalysis, width: int = PLAIN_WIDTH, *, colour: bool = False) -> str:
    """Return the tables, and the conclusions in lines of the given width."""
    page = Page(width, colour=colour)
    page.line(describe(analysis), style="bold")
    for table in _list_tables(analysis):
        page.table(*table)
    for text in [*analysis.conclusions, explain(analysis)]:
        for line in textwrap.wrap(text, max(width, NARROWEST)):
            page.line(line)
    for note in _list_counts(analysis):
        page.line(note)
    for warning in analysis.warnings:
        page.line(f"warning: {warning}", style="warning")
    return page.text()


def render_markdown(analysis: PowerAnalysis) -> str:
    """Return the same tables and sentences as Markdown."""
    tables = [
        build_table(
            [*map(markdown_safe, table.head)], [[*map(markdown_safe, row)] for row in table.rows]
        )
        for table in _list_tables(analysis)
    ]
    said = [*analysis.conclusions, explain(analysis), *_list_counts(analysis)]
    sentences = [f"- {markdown_safe(text)}" for text in said]
    sentences += [f"- **Warning:** {markdown_safe(text)}" for text in analysis.warnings]
    parts = [f"{markdown_safe(describe(analysis))}.", *tables, "\n".join(sentences)]
    return "\n\n".join(parts) + "\n"


def render_json(analysis: PowerAnalysis) -> str:
    """Return a JSON object on one line."""
    return f"{dump_line(analysis.to_dict())}\n"


def render_csv(analysis: PowerAnalysis) -> str:
    """Return a row per metric and difference, then a row per target, with all digits."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *_list_rows(analysis)])
    return text.getvalue()


def _list_rows(analysis: PowerAnalysis) -> Iterator[Sequence[object]]:
    for kind, label, found in _list_found(analysis):
        known = (found.n, found.sd, found.detectable, found.observed)
        cells = ["" if value is None else value for value in known]
        for difference, queries in found.queries_for.items():
            need = "" if queries is None else queries
            yield [kind, spreadsheet_safe(label), *cells, difference, need]
    for target, queries in analysis.targets.items():
        yield ["target", "", "", "", "", "", target, queries]


def _list_found(analysis: PowerAnalysis) -> Iterator[tuple[str, str, Sensitivity]]:
    if analysis.planned is not None:
        yield PLAN, "", analysis.planned
    for label, found in analysis.metrics.items():
        yield "metric", label, found


def describe(analysis: PowerAnalysis) -> str:
    """Return what the numbers rest on."""
    if analysis.profile is None:
        return "planning without data"
    queries = plural(max(c.queries for c in analysis.counts.values()), "query", "queries")
    return f"profile {analysis.profile}, {' and '.join(analysis.runs)}, {queries}"


def explain(analysis: PowerAnalysis) -> str:
    """Return what it means that a difference can be seen."""
    often = f"{analysis.power * 100:g} % of the time (power)"
    sure = f"{analysis.confidence * 100:g} % confidence"
    return f"To see a difference: a two-sided paired test at {sure} finds it {often}."


def _list_counts(analysis: PowerAnalysis) -> Iterator[str]:
    """Yield what is to be known of runs that are not scored on all queries alike."""
    for name, counts in analysis.counts.items():
        if counts != Counts(queries=counts.queries, scored=counts.queries):
            yield f"{name}: {format_counts(counts)}"


def _list_tables(analysis: PowerAnalysis) -> Iterator[Table]:
    found = list(_list_found(analysis))
    if found:
        yield _build_table(analysis, found)
    yield _build_targets(analysis)


def _build_table(analysis: PowerAnalysis, found: list[tuple[str, str, Sensitivity]]) -> Table:
    """Return a row per metric: what can be seen, and what each difference needs."""
    with_observed = analysis.sd_of == "differences"
    observed = ["observed"] if with_observed else []
    differences = [f"for {difference}" for difference in found[0][2].queries_for]
    rows = [
        (
            label or PLAN,
            _format_count(each.n),
            format_score(each.sd),
            format_score(each.detectable),
            *([format_score(each.observed)] if with_observed else []),
            *map(_format_count, each.queries_for.values()),
        )
        for _, label, each in found
    ]
    title = "the smallest difference that n queries show, and the queries that others need"
    return Table(["metric", "n", "sd", "smallest", *observed, *differences], rows, title)


def _build_targets(analysis: PowerAnalysis) -> Table:
    """Return from how many queries on a perfect score clears each target."""
    rows = [(target, f"{queries:,}") for target, queries in analysis.targets.items()]
    return Table(["target", "queries"], rows, "queries on which a perfect score clears a target")


def _format_count(value: int | None) -> str:
    return UNKNOWN if value is None else f"{value:,}"


POWER_FORMS: Forms[PowerAnalysis] = Forms(
    Form("table", render, (".txt",)),
    Form("markdown", render_markdown, (".md",)),
    Form("json", render_json, (".json",)),
    Form("csv", render_csv, (".csv",)),
)


def render_power(analysis: PowerAnalysis, name: str) -> str:
    """Return an analysis as text in the form of that name.

    Raises:
        ValueError: There is no such form.
    """
    return POWER_FORMS.render_text(analysis, name)
