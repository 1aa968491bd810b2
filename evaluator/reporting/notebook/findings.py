"""The findings of a validation in a notebook: how many of each code, and the first ones."""

from groupwise.evaluator.reporting.findings.wording import WORDS, format_counts, format_message
from groupwise.evaluator.reporting.notebook.view import View
from groupwise.evaluator.text import plural
from groupwise.schemas.validation import ValidationReport

HEAD = ("code", "severity", "place", "message")


def view_findings(report: ValidationReport) -> View:
    """Return what a notebook shows of a validation."""
    queries = plural(report.statistics.queries, "query", "queries")
    view = View("ValidationReport", f"{format_counts(report.counts)} in {queries}")
    rows = [
        (finding.code, WORDS[finding.severity], finding.place, format_message(finding))
        for finding in report.findings
    ]
    if rows:
        view.table(HEAD, rows, texts=range(len(HEAD)), total=sum(report.by_code.values()))
    if len(report.by_code) > 1:
        counts = sorted(report.by_code.items(), key=lambda found: (-found[1], found[0]))
        view.table(("code", "findings"), [(code, f"{count:,}") for code, count in counts])
    for note in report.notes:
        view.line(note, mark="Note")
    return view
