"""Phrases that the forms share."""

from collections import Counter
from collections.abc import Iterator

from groupwise.evaluator.text import plural, printable, shorten
from groupwise.schemas.validation import Finding, SeverityCounts, ValidationReport

LONGEST_QUERY = 60
WORDS = {"error": "error", "warning": "warning", "info": "note"}


def format_message(finding: Finding) -> str:
    """Return the query and the message of a finding, sanitised."""
    message = printable(finding.message)
    return message if finding.query is None else f"query {format_query(finding.query)}: {message}"


def format_query(query: str) -> str:
    """Return a query id in quotation marks."""
    return f'"{shorten(query, LONGEST_QUERY)}"'


def count_omitted(report: ValidationReport) -> dict[str, int]:
    """Return how many findings of each code the report counts but does not hold."""
    return count_missing(report, Counter(finding.code for finding in report.findings))


def count_missing(report: ValidationReport, shown: "Counter[str]") -> dict[str, int]:
    """Return how many findings of each code are counted but not shown."""
    rest = {code: count - shown[code] for code, count in sorted(report.by_code.items())}
    return {code: count for code, count in rest.items() if count > 0}


def describe_omitted(code: str, count: int) -> str:
    """Return the line for findings that are not shown."""
    return f"… and {count:,} more of {code}"


def format_counts(counts: SeverityCounts) -> str:
    """Return the counts by severity, in words.

    >>> format_counts(SeverityCounts(error=1200, info=1))
    '1,200 errors, 1 note'
    """
    return ", ".join(_list_counts(counts)) or "no findings"


def _list_counts(counts: SeverityCounts) -> Iterator[str]:
    for severity, word in WORDS.items():
        count = getattr(counts, severity)
        if count:
            yield plural(count, word)
