"""An analysis of power for people."""

import textwrap

from groupwise.evaluator.reporting.page import Page
from groupwise.evaluator.reporting.power.layout import describe, list_sentences, list_tables
from groupwise.schemas.power import PowerAnalysis

PLAIN_WIDTH, NARROWEST = 100, 40


def render(analysis: PowerAnalysis, width: int = PLAIN_WIDTH, *, colour: bool = False) -> str:
    """Return the tables, and the sentences in lines of the given width."""
    page = Page(width, colour=colour)
    page.line(describe(analysis), style="bold")
    for table in list_tables(analysis):
        page.table(*table)
    for text in list_sentences(analysis):
        for line in textwrap.wrap(text, max(width, NARROWEST)):
            page.line(line)
    for warning in analysis.warnings:
        page.line(f"warning: {warning}", style="warning")
    return page.text()
