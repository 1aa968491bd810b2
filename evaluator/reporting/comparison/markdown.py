"""A comparison as Markdown, for a pull request or a page: the best mean of a metric is bold."""

from collections.abc import Iterator

from groupwise.evaluator.reporting.comparison.sections import (
    Cell,
    Details,
    Section,
    build_sections,
)
from groupwise.evaluator.reporting.comparison.wording import (
    LEGEND,
    describe_counts,
    describe_intervals,
    describe_test,
    format_score,
)
from groupwise.evaluator.reporting.explained import show_text
from groupwise.evaluator.reporting.markdown import build_table, describe_scores
from groupwise.evaluator.reporting.profile import matching_of
from groupwise.evaluator.reporting.sanitise import markdown_safe
from groupwise.evaluator.text import capitalise
from groupwise.schemas.comparison import Comparison

LONGEST_TEXT = 200
TEXT_COLUMNS = {"runs": 2, "pairs": 1, "queries": 1, "metrics": 1, "note": 0}


def render(comparison: Comparison, *, explain: int | None = None) -> str:
    """Return the tables, what they were computed with, and the warnings."""
    return "\n\n".join(_list_parts(comparison, explain)) + "\n"


def _list_parts(comparison: Comparison, explain: int | None) -> Iterator[str]:
    first, *others = build_sections(comparison, explain)
    yield _summarise(comparison)
    yield from _list_section(first)
    yield _build_caption(comparison)
    if comparison.warnings:
        yield _list_items([f"**Warning:** {markdown_safe(text)}" for text in comparison.warnings])
    for section in others:
        yield from _list_section(section)


def _summarise(comparison: Comparison) -> str:
    """Return which run is the best by the first metric, and which ones it beats."""
    metric = next(iter(comparison.metrics))
    scores = {run: found[metric] for run, found in comparison.runs.items()}
    best = [run for run, score in scores.items() if score.best]
    if not best:
        return f"No run has a value of {markdown_safe(metric)}."
    names = ", ".join(f"**{markdown_safe(run)}**" for run in best)
    mean = format_score(scores[best[0]].mean)
    beaten = dict.fromkeys(run for name in best for run in scores[name].better_than)
    than = ", ".join(map(markdown_safe, beaten)) or "no other run"
    return f"Best by {markdown_safe(metric)}: {names} ({mean}), significantly better than {than}."


def _build_caption(comparison: Comparison) -> str:
    profile = describe_scores(comparison.profile, matching_of(comparison.provenance))
    about = f"{profile}; {describe_counts(comparison)}."
    test = markdown_safe(f"Test: {describe_test(comparison)}.")
    intervals = markdown_safe(capitalise(describe_intervals(comparison)))
    return f"{about} Bold: the best mean; {LEGEND}. {test} {intervals}."


def _list_section(section: Section) -> Iterator[str]:
    if section.title:
        yield f"### {markdown_safe(capitalise(section.title))}"
    if section.rows:
        head = [markdown_safe(name) or " " for name in section.head]
        rows = [[_spell(cell) for cell in row] for row in section.rows]
        if section.verdicts:
            head.append("verdict")
            for row, verdict in zip(rows, section.verdicts, strict=True):
                row.append(markdown_safe(verdict))
        if section.details:
            head.append("groups")
            for row, details in zip(rows, section.details, strict=True):
                row.append("<br>".join(_list_details(details)))
        texts = TEXT_COLUMNS[section.kind]
        text_last = bool(section.verdicts or section.details)
        yield build_table(head, rows, texts, text_last=text_last)
    if section.notes:
        yield _list_items([markdown_safe(note) for note in section.notes])


def _list_details(details: Details) -> Iterator[str]:
    if details.text:
        yield f"*{markdown_safe(show_text(details.text, LONGEST_TEXT))}*"
    yield from map(markdown_safe, details.lines)


def _spell(cell: Cell) -> str:
    text = markdown_safe(cell.text)
    bold = f"**{text}**" if cell.is_best else text
    letters = f"<sup>{cell.letters}</sup>" if cell.letters else ""
    interval = f" {markdown_safe(cell.interval)}" if cell.interval else ""
    return f"{bold}{letters}{interval}"


def _list_items(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
