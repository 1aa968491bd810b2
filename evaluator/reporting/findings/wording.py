"""Words that the forms share."""

from collections import Counter
from collections.abc import Iterator

from groupwise.evaluator.text import plural, printable, shorten
from groupwise.schemas.validation import Finding, SeverityCounts, ValidationReport

LONGEST_QUERY = 60
WORDS = {"error": "error", "warning": "warning", "info": "note"}


def said(finding: Finding) -> str:
    """What is wrong, and in which query; nothing in it acts."""
    message = printable(finding.message)
    return message if finding.query is None else f"query {query_shown(finding.query)}: {message}"


def query_shown(query: str) -> str:
    """A query's id in quotation marks."""
    return f'"{shorten(query, LONGEST_QUERY)}"'


def left_out(report: ValidationReport) -> dict[str, int]:
    """How many findings of each code the report counts but does not hold."""
    return missing_from(report, Counter(finding.code for finding in report.findings))


def missing_from(report: ValidationReport, shown: "Counter[str]") -> dict[str, int]:
    """How many findings of each code are counted but not among those shown."""
    rest = {code: count - shown[code] for code, count in sorted(report.by_code.items())}
    return {code: count for code, count in rest.items() if count > 0}


def more(code: str, count: int) -> str:
    """The line that stands for findings that are not shown."""
    return f"… and {count:,} more of {code}"


def counted(counts: SeverityCounts) -> str:
    """The counts by severity, in words.

    >>> counted(SeverityCounts(error=1200, info=1))
    '1,200 errors, 1 note'
    """
    return ", ".join(_counts(counts)) or "no findings"


def _counts(counts: SeverityCounts) -> Iterator[str]:
    for severity, word in WORDS.items():
        count = getattr(counts, severity)
        if count:
            yield plural(count, word)
