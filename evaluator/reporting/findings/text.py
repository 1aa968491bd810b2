"""The findings for a person: one line each, by file, then counts and a summary of the data."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from groupwise.evaluator.reporting.findings.summary import summary_lines
from groupwise.evaluator.reporting.findings.wording import (
    counted,
    left_out,
    missing_from,
    more,
    query_shown,
    said,
)
from groupwise.evaluator.text import plural, printable
from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.schemas.validation import Finding, StaleEntry, ValidationReport

STYLES = {"error": "1;31", "warning": "33", "info": "36", "bold": "1", "dim": "2"}
MARKS = {"safe": "[*] ", "unsafe": "", None: ""}


@dataclass(frozen=True)
class Layout:
    """How much is shown, and in what manner."""

    limit: int = 20
    statistics: bool = False
    width: int = 100
    colour: bool = False

    def paint(self, text: str, style: str) -> str:
        """The text in a style, if there are colours."""
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self.colour else text


def render(report: ValidationReport, layout: Layout) -> str:
    """All that a person wants to see at once."""
    findings = _table if layout.statistics else _findings
    parts = [
        [*findings(report, layout)],
        [*_stale(report, layout)],
        [*_outcome(report, layout)],
        [*summary_lines(report.statistics, layout.width, lambda text: layout.paint(text, "bold"))],
    ]
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in parts if lines)


def _findings(report: ValidationReport, layout: Layout) -> Iterator[str]:
    """The first findings of each code, files apart from each other, then what is left out."""
    shown: Counter[str] = Counter()
    for number, findings in enumerate(_by_file(report)):
        lines = [*_first_ones(findings, shown, layout)]
        yield from ["", *lines] if number and lines else lines
    rest = missing_from(report, shown)
    yield from (layout.paint(more(code, count), "dim") for code, count in rest.items())


def _by_file(report: ValidationReport) -> list[list[Finding]]:
    """Files in the order in which they were given, findings in the order of lines."""
    files: dict[str | None, list[Finding]] = {file: [] for file in report.files}
    for finding in report.findings:
        files.setdefault(finding.file, []).append(finding)
    return [sorted(findings, key=_position) for findings in files.values() if findings]


def _position(finding: Finding) -> tuple[float, float]:
    """What is of no line comes last."""
    line, column = finding.line, finding.column
    return inf if line is None else line, 0 if column is None else column


def _first_ones(findings: list[Finding], shown: "Counter[str]", layout: Layout) -> Iterator[str]:
    for finding in findings:
        if shown[finding.code] < layout.limit:
            shown[finding.code] += 1
            yield _line(finding, layout)


def _line(finding: Finding, layout: Layout) -> str:
    place = f"{layout.paint(printable(finding.place), 'bold')}: " if finding.place else ""
    code = layout.paint(printable(finding.code), finding.severity)
    return f"{place}{code} {MARKS[finding.fix]}{said(finding)}"


def _table(report: ValidationReport, _layout: Layout) -> Iterator[str]:
    """How many findings there are of each code, the most frequent first."""
    rules = every_rule()
    rows = sorted(report.by_code.items(), key=lambda row: (-row[1], row[0]))
    width = max([len(f"{count:,}") for _, count in rows], default=0)
    for code, count in rows:
        rule = rules.get(code)
        name, fix = (rule.name, rule.fixable) if rule else ("", None)
        mark = f"[{'*' if fix == 'safe' else '-'}]" if fix else "[ ]"
        yield f"{count:>{width},}  {code}  {mark} {name}".rstrip()


def _stale(report: ValidationReport, layout: Layout) -> Iterator[str]:
    for entry in report.stale[: layout.limit]:
        yield f"baseline: {_entry(entry)} is gone; write the baseline anew"
    rest = len(report.stale) - layout.limit
    if rest > 0:
        yield layout.paint(f"… and {plural(rest, 'more stale entry', 'more stale entries')}", "dim")


def _entry(entry: StaleEntry) -> str:
    query = "" if entry.query is None else f" of query {query_shown(entry.query)}"
    times = "" if entry.count == 1 else f", {entry.count:,} times,"
    return f"{printable(entry.code)}{query}{times}"


def _outcome(report: ValidationReport, layout: Layout) -> Iterator[str]:
    files = f" in {plural(len(report.files), 'file')}" if report.files else ""
    yield layout.paint(f"{counted(report.counts)}{files}", "bold")
    if report.baselined:
        yield f"{plural(report.baselined, 'finding')} accounted for by the baseline"
    yield from _fixable(report)
    if report.by_code and not layout.statistics:
        yield layout.paint(f"groupwise rule {report.codes[0]} says what a code means", "dim")


def _fixable(report: ValidationReport) -> Iterator[str]:
    fixes = Counter(finding.fix for finding in report.findings)
    least = "at least " if left_out(report) else ""
    if fixes["safe"]:
        yield f"[*] {least}{fixes['safe']:,} fixable with --fix"
    if fixes["unsafe"]:
        yield f"{least}{fixes['unsafe']:,} fixable with --unsafe-fixes (with --diff to see how)"
