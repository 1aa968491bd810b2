"""An analysis of power as Markdown."""

from groupwise.evaluator.reporting.markdown import build_table
from groupwise.evaluator.reporting.power.layout import (
    Table,
    describe,
    list_sentences,
    list_tables,
)
from groupwise.evaluator.reporting.sanitise import markdown_safe
from groupwise.schemas.power import PowerAnalysis


def render(analysis: PowerAnalysis) -> str:
    """Return the tables, and the sentences as a list."""
    sentences = [f"- {markdown_safe(text)}" for text in list_sentences(analysis)]
    sentences += [f"- **Warning:** {markdown_safe(text)}" for text in analysis.warnings]
    tables = map(_render_table, list_tables(analysis))
    return "\n\n".join([f"{_begin(analysis)}.", *tables, "\n".join(sentences)]) + "\n"


def _begin(analysis: PowerAnalysis) -> str:
    text = describe(analysis)
    return markdown_safe(text[:1].upper() + text[1:])


def _render_table(table: Table) -> str:
    rows = [[*map(markdown_safe, row)] for row in table.rows]
    return build_table([*map(markdown_safe, table.head)], rows)
