"""A comparison in a notebook: warnings, the means of runs, the differences of pairs."""

from groupwise.evaluator.reporting.comparison.sections import Cell, Section, build_sections
from groupwise.evaluator.reporting.comparison.wording import (
    LEGEND,
    describe_counts,
    describe_test,
)
from groupwise.evaluator.reporting.notebook.view import View
from groupwise.evaluator.reporting.profile import describe_profile, matching_of
from groupwise.evaluator.text import capitalise
from groupwise.schemas.comparison import Comparison

TEXTS = {"runs": (0, 1), "pairs": (0,), "note": ()}
"""The sections that are shown, and their columns of text."""
SECTIONS = 6


def view_comparison(comparison: Comparison) -> View:
    """Return what a notebook shows of a comparison."""
    profile = describe_profile(comparison.profile, matching_of(comparison.provenance))
    view = View("Comparison", f"{profile}; {describe_counts(comparison)}")
    view.warn(comparison.warnings)
    sections = [section for section in build_sections(comparison) if section.kind in TEXTS]
    for section in sections[:SECTIONS]:
        _show_section(view, section)
        if section is sections[0]:
            view.line(f"* the best mean; {LEGEND}")
            view.line(f"test: {describe_test(comparison)}")
    view.line("Gains and losses, metrics and slices: comparison.to_markdown()")
    return view


def _show_section(view: View, section: Section) -> None:
    if section.rows:
        last = ["verdict"] if section.verdicts else []
        verdicts = [[verdict] for verdict in section.verdicts] or [[] for _ in section.rows]
        rows = [
            (*map(_spell, row), *verdict)
            for row, verdict in zip(section.rows, verdicts, strict=True)
        ]
        head = (*section.head, *last)
        texts = (*TEXTS[section.kind], *([len(head) - 1] if last else []))
        view.table(head, rows, title=capitalise(section.title), texts=texts)
    for note in section.notes:
        view.line(note)


def _spell(cell: Cell) -> str:
    best = "*" if cell.is_best else ""
    parts = (f"{cell.text}{best}", cell.letters, cell.interval)
    return " ".join(part for part in parts if part)
