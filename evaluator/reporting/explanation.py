"""An explanation in its forms: a table for people, Markdown, JSON, and a row per group as CSV."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from groupwise.evaluator.reading.writing import dump_line
from groupwise.evaluator.reporting import explained
from groupwise.evaluator.reporting.explained import (
    NO_HIT,
    SEVERAL,
    describe_extent,
    describe_group,
    describe_near,
    describe_query,
    groups_by_rank,
    letter_of,
    show_id,
    show_text,
)
from groupwise.evaluator.reporting.forms import Form, Forms
from groupwise.evaluator.reporting.page import Page
from groupwise.evaluator.reporting.sanitise import markdown_safe, spreadsheet_safe
from groupwise.evaluator.text import capitalise, plural, shorten
from groupwise.schemas.explanation import Explanation, GroupExplanation, QueryExplanation

PLAIN_WIDTH = 100
COLOURS = ("met", "warning", "blue", "magenta", "info")
"""The styles of groups, in turn."""
MOST_SLICES = 50
SHOWN_RESULTS, SHOWN_GROUPS = 20, 30
LONGEST_QUERY = 60
LONGEST_TEXT = 300
WARNING = "two id spaces"


def render(
    explanation: Explanation,
    width: int = PLAIN_WIDTH,
    *,
    colour: bool = False,
    sums: bool = True,
    title: str = "",
) -> str:
    """Return the explanation for people: reasons, depths, what is missed most, and queries.

    Args:
        explanation: The explanation.
        width: The number of columns.
        colour: Whether to use colour.
        sums: Whether to show the sums over all queries.
        title: A line above the queries, such as why these are shown.
    """
    page = Page(width, colour=colour)
    page.line(describe_extent(explanation), style="bold")
    if sums:
        _show_sums(page, explanation)
    for warning in explanation.warnings:
        page.line(f"warning: {warning}", style="error" if WARNING in warning else "warning")
    if title:
        page.line()
        page.line(title, style="bold")
    show_queries(page, explanation)
    return page.text()


def _show_sums(page: Page, explanation: Explanation) -> None:
    page.table(("reason", "groups", "share"), list(explained.list_reasons(explanation.reasons)))
    shares, depths = explained.list_depths(explanation.depth_for)
    page.table([explained.DEPTH_HEAD, *shares], [[explained.DEPTH_ROW, *depths]])
    if explained.NONE in depths:
        page.line(explained.DEPTH_NOTE, style="dim")
        page.line()
    for line in explained.list_near(explanation):
        page.line(line)
    if explanation.labels:
        page.table(
            ("label", *explained.list_reason_columns(explanation)),
            list(explained.list_labels(explanation)),
        )
    if explanation.missed_groups:
        page.table(explained.MISSED_HEAD, list(explained.list_missed(explanation)))
    _show_slices(page, explanation)


def _show_slices(page: Page, explanation: Explanation) -> None:
    for field in explanation.slices:
        rows = list(explained.list_slices(explanation, field))
        head = (shorten(field, LONGEST_QUERY), *explained.list_slice_columns(explanation))
        name = shorten(explained.name_slices(explanation, field), LONGEST_QUERY)
        page.table(head, rows[:MOST_SLICES], f"by {name}")
        if len(rows) > MOST_SLICES:
            more = plural(len(rows) - MOST_SLICES, "more slice")
            page.line(f"{more} (--format json)", style="dim")


def show_reasons(page: Page, explanation: Explanation) -> None:
    """Add the reasons of all groups in a line, and those of each slice in a table."""
    page.line(explained.summarise_reasons(explanation))
    _show_slices(page, explanation)


def show_queries(page: Page, explanation: Explanation) -> None:
    """Add each query: its hit vector, its ranking, its groups."""
    for name, query in explanation.queries.items():
        page.line()
        title = shorten(name, LONGEST_QUERY)
        page.line(f"{title}: {describe_query(query, explanation)}", "bold")
        if query.query and query.query != title:
            page.line(f"  {show_text(query.query, page.width - 2)}")
        if query.failure:
            page.line(f"  {explained.describe_failure(query.failure)}", style="failed")
        if query.hit_vector and query.groups:
            page.spans(_draw_vector(query, explanation.k, page.width))
        for rank, letters, result in _list_ranking(query):
            page.spans([(f"  {rank:>4}  ", "dim"), *letters, (f"  {result}", "")])
        _show_groups(page, query)


def _show_groups(page: Page, query: QueryExplanation) -> None:
    for group in query.groups[:SHOWN_GROUPS]:
        style = "" if group.met else "failed"
        page.spans([
            ("  ", ""), (letter_of(group.group), _colour_of(group.group)),
            (f"  {describe_group(group, query.results)}", style),
        ])  # fmt: skip
        for near in group.near:
            page.line(f"     near: {describe_near(near)}")
    for line in _count_hidden(query):
        page.line(f"  {line}", style="dim")


def _count_hidden(query: QueryExplanation) -> Iterator[str]:
    """Yield what is said about the groups that there is no room for."""
    hidden = query.groups[SHOWN_GROUPS:]
    if hidden:
        met = sum(group.met for group in hidden)
        yield f"{plural(len(hidden), 'more group')}, {met:,} of them met (--format json)"


def _colour_of(group: int) -> str:
    return COLOURS[group % len(COLOURS)]


def _draw_sign(groups: Sequence[int]) -> tuple[str, str]:
    """Return the sign of a result in a hit vector, and its style."""
    if not groups:
        return NO_HIT, "dim"
    return (letter_of(groups[0]) if len(groups) == 1 else SEVERAL), _colour_of(groups[0])


def _draw_vector(query: QueryExplanation, k: int, width: int) -> list[tuple[str, str]]:
    """Return the hit vector, a sign per result, with a bar after the first k results."""
    met = groups_by_rank(query)
    room = max(1, width - len("  | (10,000 more)"))
    last = min(len(query.hit_vector), room, max(k, *met) if met else k)
    signs = [_draw_sign(met.get(rank, ())) for rank in range(1, last + 1)]
    if last > k:
        signs.insert(k, ("|", "dim"))
    more = len(query.hit_vector) - last
    return [("  ", ""), *signs, (f" ({more:,} more)" if more else "", "dim")]


def _list_ranking(
    query: QueryExplanation,
) -> Iterator[tuple[str, list[tuple[str, str]], str]]:
    """Yield rank, letters and id of the first results."""
    met = groups_by_rank(query)
    shown = query.results[:SHOWN_RESULTS] if query.groups else ()
    wide = max((len(met.get(rank, ())) for rank in range(1, len(shown) + 1)), default=0)
    for rank, result in enumerate(shown, 1):
        groups = met.get(rank, [])
        letters = [(letter_of(group), _colour_of(group)) for group in groups]
        blank = " " * (max(wide, 1) - max(len(groups), 1))
        yield f"{rank:,}", [*(letters or [(NO_HIT, "dim")]), (blank, "")], show_id(result)
    if len(query.results) > len(shown) > 0:
        more = plural(len(query.results) - len(shown), "more result")
        yield "…", [], more


def render_json(explanation: Explanation) -> str:
    """Return the explanation as a JSON object on one line, its queries written one by one."""
    members = (
        f'"{name}":{_dump_queries(explanation) if name == "queries" else dump_line(value)}'
        for name, value in explanation.to_dict(queries=False).items()
    )
    return f"{{{','.join(members)}}}\n"


def _dump_queries(explanation: Explanation) -> str:
    queries = explanation.queries
    lines = (dump_line({name: queries.dump(name)})[1:-1] for name in queries)
    return f"{{{','.join(lines)}}}"


def render_csv(explanation: Explanation) -> str:
    """Return a row per group of each query; groups are counted from 0, as in JSON."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_HEAD)
    for name, query in explanation.queries.items():
        writer.writerows(_list_cells(name, group) for group in query.groups)
    return text.getvalue()


SEPARATOR = " | "
CSV_HEAD = (
    "query", "group", "label", "met", "rank", "by", "again", "reason", "alternatives", "near"
)  # fmt: skip


def _list_cells(query: str, group: GroupExplanation) -> list[Any]:
    texts = {
        "label": group.label or "",
        "by": "" if group.by is None else str(group.by),
        "alternatives": SEPARATOR.join(map(str, group.alternatives)),
        "near": SEPARATOR.join(str(near.id) for near in group.near),
    }
    safe = {name: spreadsheet_safe(text) for name, text in texts.items()}
    return [
        spreadsheet_safe(query), group.group, safe["label"], "true" if group.met else "false",
        "" if group.rank is None else group.rank, safe["by"], " ".join(map(str, group.again)),
        group.reason or "", safe["alternatives"], safe["near"],
    ]  # fmt: skip


def render_markdown(explanation: Explanation, *, sums: bool = True, title: str = "") -> str:
    """Return the explanation as Markdown, with the sums over all queries or without."""
    parts = [f"{markdown_safe(describe_extent(explanation))}."]
    parts += _list_sums(explanation) if sums else []
    if explanation.warnings:
        warnings = (f"- **Warning:** {markdown_safe(text)}" for text in explanation.warnings)
        parts.append("\n".join(warnings))
    parts += [f"{markdown_safe(capitalise(title))}:"] if title else []
    return "\n\n".join([*parts, *list_markdown_queries(explanation)]) + "\n"


def _list_sums(explanation: Explanation) -> Iterator[str]:
    yield _build_table(("reason", "groups", "share"), explained.list_reasons(explanation.reasons))
    shares, depths = explained.list_depths(explanation.depth_for)
    yield _build_table([explained.DEPTH_HEAD, *shares], [[explained.DEPTH_ROW, *depths]])
    if explained.NONE in depths:
        yield f"{explained.DEPTH_NOTE}."
    if near := [*explained.list_near(explanation)]:
        yield "\n".join(f"- {line}" for line in near)
    if explanation.labels:
        head = ("label", *explained.list_reason_columns(explanation))
        yield _build_table(head, explained.list_labels(explanation))
    if explanation.missed_groups:
        yield _build_table(explained.MISSED_HEAD, explained.list_missed(explanation))
    yield from _list_markdown_slices(explanation)


def _list_markdown_slices(explanation: Explanation) -> Iterator[str]:
    for field in explanation.slices:
        name = explained.name_slices(explanation, field)
        columns = (name, *explained.list_slice_columns(explanation))
        yield _build_table(columns, explained.list_slices(explanation, field))


def list_markdown_reasons(explanation: Explanation) -> Iterator[str]:
    """Yield the reasons of all groups in a line, and those of each slice as a table."""
    yield f"{explained.summarise_reasons(explanation)}."
    yield from _list_markdown_slices(explanation)


def list_markdown_queries(explanation: Explanation) -> Iterator[str]:
    """Yield each query as a heading, its ranking as a table, its groups as a list."""
    for name, query in explanation.queries.items():
        title = shorten(name, LONGEST_QUERY)
        found = describe_query(query, explanation)
        yield f"**{markdown_safe(title)}**: {markdown_safe(found)}."
        if query.query and query.query != title:
            yield f"> {markdown_safe(show_text(query.query, LONGEST_TEXT))}"
        if query.failure:
            yield f"{markdown_safe(capitalise(explained.describe_failure(query.failure)))}."
        met = groups_by_rank(query)
        if query.results and query.groups:
            rows = (
                (f"{rank:,}", "".join(map(letter_of, met.get(rank, ()))) or NO_HIT, show_id(result))
                for rank, result in enumerate(query.results[:SHOWN_RESULTS], 1)
            )
            yield _build_table(("rank", "groups", "result"), rows, "---")
        if query.groups:
            yield "\n".join(_list_items(query))


def _list_items(query: QueryExplanation) -> Iterator[str]:
    for group in query.groups[:SHOWN_GROUPS]:
        yield f"- {letter_of(group.group)}: {markdown_safe(describe_group(group, query.results))}"
        yield from (f"  - near: {markdown_safe(describe_near(near))}" for near in group.near)
    yield from (f"- {line}" for line in _count_hidden(query))


def _build_table(head: Sequence[str], rows: Iterable[Sequence[str]], align: str = "---:") -> str:
    """Return a table whose columns but the first are aligned alike, by default on the right."""
    rule = ["---", *[align] * (len(head) - 1)]
    cells = [[markdown_safe(cell) for cell in row] for row in (head, *rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (cells[0], rule, *cells[1:]))


EXPLANATION_FORMS: Forms[Explanation] = Forms(
    Form("table", render, (".txt",)),
    Form("json", render_json, (".json",)),
    Form("csv", render_csv, (".csv",)),
    Form("markdown", render_markdown, (".md",), layout=("sums", "title")),
)
