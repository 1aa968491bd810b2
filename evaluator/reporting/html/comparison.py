"""A comparison as a page: runs, differences, charts, the queries that changed most."""

from collections.abc import Iterator
from typing import Any

from groupwise.evaluator.reporting.comparison.sections import build_sections
from groupwise.evaluator.reporting.comparison.wording import (
    LEGEND,
    describe_counts,
    describe_intervals,
    describe_test,
)
from groupwise.evaluator.reporting.html.environment import render_page
from groupwise.evaluator.reporting.html.figures import draw_charts
from groupwise.evaluator.reporting.html.headings import (
    Fact,
    describe_matching,
    list_inputs,
    list_policies,
    name_inputs,
)
from groupwise.evaluator.reporting.html.scores import explain_metric
from groupwise.evaluator.reporting.profile import matching_of
from groupwise.evaluator.text import plural
from groupwise.schemas.comparison import Comparison, RunCounts

TEXT_COLUMNS = {"runs": 2, "pairs": 1, "queries": 1, "metrics": 1, "note": 0}


def render(comparison: Comparison, *, explain: int | None = None) -> str:
    """Return the page.

    Args:
        comparison: The comparison.
        explain: How many of the largest gains and losses to show, of each pair and metric; None: a
            few, of the first metric, if there are few pairs.
    """
    first, *others = build_sections(comparison, explain)
    return render_page(
        "comparison.html",
        **_describe(comparison),
        runs=first,
        sections=[section for section in others if section.kind != "note" or section.notes],
        texts=TEXT_COLUMNS,
        charts=list(draw_charts(comparison, "comparison")),
    )


def _describe(comparison: Comparison) -> dict[str, Any]:
    """Return what the page says about data, test and metrics."""
    provenance = comparison.provenance
    meanings = [(name, explain_metric(name, comparison.profile)) for name in comparison.metrics]
    return {
        "title": _title(comparison),
        "comparison": comparison,
        "counts": describe_counts(comparison),
        "inputs": _name_runs(comparison),
        "policies": list_policies(provenance),
        "matching": describe_matching(matching_of(provenance)),
        "version": provenance.groupwise if provenance else "",
        "test": describe_test(comparison),
        "intervals": describe_intervals(comparison),
        "legend": LEGEND,
        "meanings": meanings,
    }


def _title(comparison: Comparison) -> str:
    """Return the title: how many runs, and the ground truth if it has a name."""
    truth = name_inputs(comparison.provenance, "ground_truth")
    runs = (
        " vs ".join(comparison.runs) if len(comparison.runs) < 4 else f"{len(comparison.runs)} runs"
    )
    return f"{runs} on {truth[0]}" if truth else runs


def _name_runs(comparison: Comparison) -> list[Fact]:
    """Return the inputs; a run is named as in the tables, with what it lacks."""
    facts = list(list_inputs(comparison.provenance))
    runs = [number for number, fact in enumerate(facts) if fact.name == "run"]
    for number, (name, counts) in zip(runs, comparison.run_counts.items(), strict=False):
        fact = facts[number]
        text = "; ".join([fact.text, *_list_lacking(counts)])
        facts[number] = fact._replace(name=f"run {name}", text=text)
    return facts


def _list_lacking(counts: RunCounts) -> Iterator[str]:
    """Yield what a run lacks, or has too much of."""
    lacking = {
        "without results": counts.missing, "with an empty result": counts.empty_results,
        "without ground truth": counts.extra,
    }  # fmt: skip
    for words, count in lacking.items():
        if count:
            yield f"{plural(count, 'query', 'queries')} {words}"
