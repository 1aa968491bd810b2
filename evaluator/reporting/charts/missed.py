"""Groups missed, by reason: of all queries, by label, and by slice."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from groupwise.evaluator.reporting.charts.chart import Chart, refuse
from groupwise.evaluator.reporting.charts.figure import Axis, Figure, Row, Segment
from groupwise.evaluator.reporting.explained import name_slices
from groupwise.evaluator.text import plural
from groupwise.schemas import Report
from groupwise.schemas.explanation import Explanation, Reasons

MOST = 12
"""So many labels, or slices of a field, are shown; those with the most missed groups."""
TICKS = tuple((share / 100, f"{share} %") for share in (0, 25, 50, 75, 100))


class _Bar(NamedTuple):
    name: str
    reasons: Reasons | None
    """None: the bar is a heading."""


def build(report: Report, *, k: int | None = None) -> Figure:
    """Return the shares of groups that are met, or missed for each reason."""
    explanation = find_explanation(report, k)
    total = explanation.reasons
    if not total.groups:
        refuse("missed", "no scored query has groups")
    bars = [_Bar("all groups", total), *_list_sections(explanation)]
    rows = [Row(bar.name, _note(bar.reasons), is_heading=bar.reasons is None) for bar in bars]
    segments = [
        segment
        for number, bar in enumerate(bars)
        if bar.reasons is not None
        for segment in _list_segments(number, bar.reasons, explanation.k)
    ]
    return Figure(
        f"Groups missed at k = {explanation.k}, by reason",
        _describe(total, explanation.k),
        Axis("share of the groups", 0.0, 1.0, TICKS),
        rows,
        segments,
        legend=[
            (role, text) for role, text in _name_reasons(explanation.k) if getattr(total, role)
        ],
    )


def find_explanation(report: Report, k: int | None = None) -> Explanation:
    """Return the explanation of a report; one without is evaluated again, if its data is known."""
    found: Explanation | None = report.explanation
    if found is not None and k in (None, found.k):
        return found
    if report.again is None:
        reason = (
            "it has no explanation, and its data is not known any more; evaluate with explain=N"
        )
        refuse("missed", reason)
    return report.explain(k=k, worst=1)


def _name_reasons(k: int) -> list[tuple[str, str]]:
    """Return the reasons in the order of the bars, each with its name."""
    return [
        ("not_in_corpus", "not in the corpus"),
        ("not_retrieved", "not retrieved"),
        ("beyond_k", f"met beyond k = {k}"),
        ("met", "met"),
    ]


def _describe(reasons: Reasons, k: int) -> str:
    counts = [(getattr(reasons, role), text) for role, text in _name_reasons(k) if role != "met"]
    named = ", ".join(f"{count:,} {text}" for count, text in counts if count)
    found = f"{reasons.missed:,} of {plural(reasons.groups, 'group')} missed"
    return f"{found}: {named}." if named else f"{found}."


def _note(reasons: Reasons | None) -> str:
    return "" if reasons is None else f"{reasons.missed:,} of {reasons.groups:,}"


def _list_sections(explanation: Explanation) -> Iterator[_Bar]:
    """Yield a heading and bars for labels, and for the slices of each field."""
    yield from _list_section("by label", explanation.labels)
    for field, slices in explanation.slices.items():
        reasons = {name: found.reasons for name, found in slices.items()}
        yield from _list_section(f"by {name_slices(explanation, field)}", reasons)


def _list_section(title: str, parts: Mapping[str, Reasons]) -> Iterator[_Bar]:
    known = [(name, reasons) for name, reasons in parts.items() if reasons.groups]
    if not known:
        return
    known.sort(key=lambda part: (-part[1].missed, part[0]))
    more = f", {MOST} of {len(known)} with the most missed" if len(known) > MOST else ""
    yield _Bar(f"{title}{more}", None)
    yield from (_Bar(name, reasons) for name, reasons in known[:MOST])


def _list_segments(row: int, reasons: Reasons, k: int) -> Iterator[Segment]:
    done = 0
    for role, text in _name_reasons(k):
        count = getattr(reasons, role)
        if count:
            start, end = done / reasons.groups, (done + count) / reasons.groups
            yield Segment(role, row, start, end, f"{text}: {count:,} of {reasons.groups:,}")
        done += count


MISSED = Chart("missed", "report", "groups missed by reason, label and slice", build)
