"""The report of a remapping as text: outcomes with counts, and what is ambiguous or lost."""

import csv
import io
import json
import re
import textwrap
from collections.abc import Iterator, Sequence

from groupwise.evaluator.reading.writing import dump_line
from groupwise.evaluator.reporting.explained import show_share
from groupwise.evaluator.reporting.markdown import build_table
from groupwise.evaluator.reporting.page import Page
from groupwise.evaluator.reporting.sanitise import markdown_safe, spreadsheet_safe
from groupwise.evaluator.text import plural, quote, quote_id
from groupwise.schemas import Id
from groupwise.schemas.remap import MovedAlternative, RemapCounts, Remapped

PLAIN_WIDTH, NARROWEST = 100, 40
SHOWN = 20
SPACED = re.compile(r"[\s\"]")
MEANINGS = {
    "exact": "the new chunks hold all of the text",
    "partial": "they hold at least half of it",
    "ambiguous": "there are several ways to move it",
    "lost": "they hold less than half of it",
}
WAYS = {
    "id": "chunks that have not changed",
    "span": "by document, start and end",
    "document": "by text in the same document",
    "corpus": "by text in the whole corpus",
}
HEAD = ("outcome", "alternatives", "share")
COLUMNS = ("query", "group", "from", "to", "outcome", "coverage", "by", "reason")


def render_table(report: Remapped, width: int = PLAIN_WIDTH, *, colour: bool = False) -> str:
    """Return a report for people: counts, ways, and the alternatives that need a decision."""
    page = Page(width, colour=colour)
    page.line(_describe(report), style="bold")
    page.table(HEAD, _list_outcomes(report.counts))
    for sentence in _list_sentences(report):
        for line in textwrap.wrap(sentence, max(width, NARROWEST)):
            page.line(line)
    for text, reason in _list_open(report):
        page.line(text)
        for line in textwrap.wrap(reason, max(width, NARROWEST) - 4):
            page.line(f"    {line}")
    for warning in report.warnings:
        page.line(f"warning: {warning}", style="warning")
    return page.text()


def render_markdown(report: Remapped) -> str:
    """Return a report as Markdown."""
    listed = [f"- {markdown_safe(f'{text}: {reason}')}" for text, reason in _list_open(report)]
    listed += [f"- **Warning:** {markdown_safe(text)}" for text in report.warnings]
    sentences = [markdown_safe(text) for text in _list_sentences(report)]
    table = build_table(HEAD, [*_list_outcomes(report.counts)])
    parts = [f"{markdown_safe(_describe(report))}.", table, *sentences, "\n".join(listed)]
    return "\n\n".join(filter(None, parts)) + "\n"


def render_json(report: Remapped) -> str:
    """Return the JSON object on one line."""
    return f"{dump_line(report.to_dict())}\n"


def render_csv(report: Remapped) -> str:
    """Return a row per alternative, then per document that is judged not relevant."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(map(_build_row, (*report.alternatives, *report.not_relevant)))
    return text.getvalue()


def _build_row(found: MovedAlternative) -> Sequence[object]:
    group = "" if found.group is None else found.group
    texts = [found.query, found.from_, " ".join(map(_spell, found.to)), found.reason or ""]
    query, old, new, reason = (spreadsheet_safe(str(text)) for text in texts)
    return [query, group, old, new, found.outcome, found.coverage, found.by or "", reason]


def _spell(chunk: Id) -> str:
    """Return an id of a list that is separated by spaces; one with a space is in quotes."""
    name = str(chunk)
    return json.dumps(name, ensure_ascii=False) if not name or SPACED.search(name) else name


def _describe(report: Remapped) -> str:
    queries = plural(report.queries, "query", "queries")
    return f"remap: {queries}, {plural(len(report.alternatives), 'alternative')}"


def _list_outcomes(counts: RemapCounts) -> Iterator[Sequence[str]]:
    total = sum(dict(counts).values())
    for outcome, count in dict(counts).items():
        yield f"{outcome} ({MEANINGS[outcome]})", f"{count:,}", show_share(count, total)


def _list_sentences(report: Remapped) -> Iterator[str]:
    found = [each.by for each in report.alternatives if each.outcome in ("exact", "partial")]
    ways = [f"{found.count(by):,} {text}" for by, text in WAYS.items() if by in found]
    if ways:
        yield f"Moved: {'; '.join(ways)}."
    if report.not_relevant:
        counts = report.not_relevant_counts
        rest = len(report.not_relevant) - counts.exact
        lost = f"; not moved, and no longer judged: {rest:,}" if rest else ""
        yield f"Judged not relevant: {counts.exact:,} moved{lost}."


def _list_open(report: Remapped) -> Iterator[tuple[str, str]]:
    """Yield the first alternatives that are ambiguous or lost, each with its reason."""
    found = [*report.list_open()]
    for each in found[:SHOWN]:
        number = 0 if each.group is None else each.group + 1
        place = f"query {quote(each.query)}, group {number}, {quote_id(each.from_)}"
        yield f"{each.outcome}: {place}", each.reason or ""
    if len(found) > SHOWN:
        yield f"… and {len(found) - SHOWN:,} more", "the report as JSON or CSV lists all of them"
