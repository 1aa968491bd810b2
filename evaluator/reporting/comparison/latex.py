"""A comparison as LaTeX tables (booktabs): the best mean of a metric is bold."""

from collections.abc import Iterator

from groupwise.evaluator.reporting.comparison.sections import Cell, Section, build_sections
from groupwise.evaluator.reporting.comparison.wording import (
    LEGEND,
    describe_counts,
    describe_intervals,
    describe_test,
)
from groupwise.evaluator.reporting.latex import PACKAGES, build_table
from groupwise.evaluator.reporting.profile import describe_profile, matching_of
from groupwise.evaluator.reporting.sanitise import latex_safe
from groupwise.evaluator.text import capitalise
from groupwise.schemas.comparison import Comparison

TEXT_COLUMNS = {"runs": 2, "pairs": 1, "metrics": 1}


def render(comparison: Comparison) -> str:
    """Return a table of runs, one of differences, and those of metrics and slices."""
    return PACKAGES + "\n".join(_list_tables(comparison))


def _list_tables(comparison: Comparison) -> Iterator[str]:
    first, *others = build_sections(comparison)
    yield _build(first, " ".join(_list_captions(comparison, first)))
    test = _end(describe_test(comparison))
    for section in others:
        if section.rows and section.kind in TEXT_COLUMNS:
            yield _build(section, " ".join([_end(section.title), *map(_end, section.notes), test]))


def _list_captions(comparison: Comparison, section: Section) -> Iterator[str]:
    profile = describe_profile(comparison.profile, matching_of(comparison.provenance))
    yield latex_safe(capitalise(f"{profile}; {describe_counts(comparison)}."))
    yield f"Bold: the best mean; {LEGEND}."
    yield latex_safe(f"Test: {describe_test(comparison)}.")
    yield _end(describe_intervals(comparison))
    yield from map(_end, (*section.notes, *comparison.warnings))


def _end(sentence: str) -> str:
    return latex_safe(f"{capitalise(sentence)}.")


def _build(section: Section, caption: str) -> str:
    rows = [[_spell(cell) for cell in row] for row in section.rows]
    return build_table(section.head, rows, caption, TEXT_COLUMNS[section.kind])


def _spell(cell: Cell) -> str:
    text = latex_safe(cell.text)
    bold = rf"\textbf{{{text}}}" if cell.is_best else text
    letters = rf"\textsuperscript{{{cell.letters}}}" if cell.letters else ""
    interval = rf" {{\scriptsize {latex_safe(cell.interval)}}}" if cell.interval else ""
    return f"{bold}{letters}{interval}"
