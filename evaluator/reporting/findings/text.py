"""Findings for people: a line each, by file, then counts and a summary of the data."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

from groupwise.evaluator.reporting.findings.summary import summary_lines
from groupwise.evaluator.reporting.findings.wording import (
    count_missing,
    count_omitted,
    describe_omitted,
    format_counts,
    format_message,
    format_query,
)
from groupwise.evaluator.text import apply_style, plural, printable
from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.schemas.validation import Finding, StaleEntry, ValidationReport


@dataclass(frozen=True)
class Layout:
    """How many findings are shown, and how."""

    limit: int = 20
    statistics: bool = False
    quiet: bool = False
    width: int = 100
    colour: bool = False

    def paint(self, text: str, style: str) -> str:
        """Return the text in a style, if colour is on."""
        return apply_style(text, style) if self.colour else text


def render(report: ValidationReport, **options: Any) -> str:
    """Return findings, stale entries, counts and statistics; the options are those of Layout."""
    layout = Layout(**options)
    parts = [
        [*(_list_codes(report) if layout.statistics else _list_findings(report, layout))],
        [*_list_stale(report, layout)],
        *([] if layout.quiet else _list_ending(report, layout)),
    ]
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in parts if lines)


def _list_ending(report: ValidationReport, layout: Layout) -> Iterator[list[str]]:
    """Yield the counts of findings, and the statistics of the data."""
    yield [*_list_outcome(report, layout)]
    yield [*summary_lines(report.statistics, layout.width, lambda text: layout.paint(text, "bold"))]


def _list_findings(report: ValidationReport, layout: Layout) -> Iterator[str]:
    """Yield the first findings of each code by file, then the counts of the others."""
    shown: Counter[str] = Counter()
    for number, findings in enumerate(_group_by_file(report)):
        lines = [*_list_first(findings, shown, layout)]
        yield from ["", *lines] if number and lines else lines
    rest = count_missing(report, shown)
    yield from (layout.paint(describe_omitted(code, count), "dim") for code, count in rest.items())


def _group_by_file(report: ValidationReport) -> list[list[Finding]]:
    """Return the findings of each file, in order of line."""
    files: dict[str | None, list[Finding]] = {file: [] for file in report.files}
    for finding in report.findings:
        files.setdefault(finding.file, []).append(finding)
    return [sorted(findings, key=_position) for findings in files.values() if findings]


def _position(finding: Finding) -> tuple[float, float]:
    """Return line and column to sort by; findings without a line come last."""
    line, column = finding.line, finding.column
    return inf if line is None else line, 0 if column is None else column


def _list_first(findings: list[Finding], shown: "Counter[str]", layout: Layout) -> Iterator[str]:
    for finding in findings:
        if shown[finding.code] < layout.limit:
            shown[finding.code] += 1
            yield _format_line(finding, layout)


def _format_line(finding: Finding, layout: Layout) -> str:
    place = f"{layout.paint(printable(finding.place), 'bold')}: " if finding.place else ""
    code = layout.paint(printable(finding.code), finding.severity)
    mark = "[*] " if finding.fix == "safe" else ""
    return f"{place}{code} {mark}{format_message(finding)}"


def _list_codes(report: ValidationReport) -> Iterator[str]:
    """Yield the number of findings of each code, the most frequent first."""
    rules = every_rule()
    rows = sorted(report.by_code.items(), key=lambda row: (-row[1], row[0]))
    width = max([len(f"{count:,}") for _, count in rows], default=0)
    for code, count in rows:
        rule = rules.get(code)
        name, fix = (rule.name, rule.fixable) if rule else ("", None)
        mark = f"[{'*' if fix == 'safe' else '-'}]" if fix else "[ ]"
        yield f"{count:>{width},}  {code}  {mark} {name}".rstrip()


def _list_stale(report: ValidationReport, layout: Layout) -> Iterator[str]:
    for entry in report.stale[: layout.limit]:
        yield f"baseline: {_format_entry(entry)} matches no finding; write the baseline again"
    rest = len(report.stale) - layout.limit
    if rest > 0:
        yield layout.paint(f"… and {plural(rest, 'more stale entry', 'more stale entries')}", "dim")


def _format_entry(entry: StaleEntry) -> str:
    query = "" if entry.query is None else f" of query {format_query(entry.query)}"
    times = "" if entry.count == 1 else f", {entry.count:,} times,"
    return f"{printable(entry.code)}{query}{times}"


def _list_outcome(report: ValidationReport, layout: Layout) -> Iterator[str]:
    files = f" in {plural(len(report.files), 'file')}" if report.files else ""
    yield layout.paint(f"{format_counts(report.counts)}{files}", "bold")
    if report.baselined:
        yield f"{plural(report.baselined, 'finding')} in the baseline"
    yield from _list_fixable(report)
    if report.by_code and not layout.statistics:
        yield layout.paint(f"groupwise rule {report.codes[0]} explains a code", "dim")


def _list_fixable(report: ValidationReport) -> Iterator[str]:
    fixes = Counter(finding.fix for finding in report.findings)
    least = "at least " if count_omitted(report) else ""
    if fixes["safe"]:
        yield f"[*] {least}{fixes['safe']:,} fixable with --fix"
    if fixes["unsafe"]:
        yield f"{least}{fixes['unsafe']:,} fixable with --unsafe-fixes (with --diff to see how)"
