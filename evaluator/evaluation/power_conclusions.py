"""An analysis of power in words: what the data can show, and what it takes to show more."""

import math
from collections.abc import Iterator, Mapping, Sequence

from groupwise.evaluator.evaluation.sensitivity import MOST_QUERIES
from groupwise.evaluator.statistics.intervals import FEW
from groupwise.evaluator.text import plural
from groupwise.schemas.power import Sensitivity

MOST_METRICS, MOST_NEEDS = 6, 2
LARGE = 1e6
"""Values from here on are those of users' own metrics, and shown in powers of ten."""
ONE_RUN = (
    "With one run, the standard deviation of differences is not known: √2 times that of the run "
    "is taken. Runs often fail on the same queries, and then fewer queries are enough; "
    "give two runs to know."
)


def conclude(
    metrics: Mapping[str, Sensitivity],
    runs: Sequence[str],
    targets: Mapping[str, int],
    highest: Mapping[str, float],
) -> Iterator[str]:
    """Yield sentences on the metrics, the first ones if there are many, and on the targets.

    Args:
        metrics: What was found, by metric.
        runs: The names of the runs.
        targets: How many queries a perfect score needs to clear each target.
        highest: The largest value that a metric can have.
    """
    for label, found in list(metrics.items())[:MOST_METRICS]:
        yield describe_metric(label, found, runs, highest.get(label, math.inf))
    if len(metrics) > MOST_METRICS:
        yield f"For {plural(len(metrics) - MOST_METRICS, 'more metric')}, see the table."
    if len(runs) == 1:
        yield ONE_RUN
    queries = max((found.n or 0 for found in metrics.values()), default=0)
    yield from warn_few(queries)
    yield from describe_targets(queries, targets)


def describe_metric(
    label: str, found: Sensitivity, runs: Sequence[str], highest: float = math.inf
) -> str:
    """Return which differences of a metric can be seen, if any that it can have."""
    if not found.n or found.n < 2:
        scored = _count(found.n or 0)
        return f"{label}: scored on {scored}; it takes two or more to see a difference."
    if not found.sd:
        return f"{label}: {_describe_equal(found)}; how much others vary is not known."
    if found.detectable is None or found.detectable > highest:
        unseen = f"With {_count(found.n)} you can see no difference in {label}"
        return f"{unseen}; {describe_need(found)}."
    smallest = _round(found.detectable)
    seen = f"With {_count(found.n)} you can see differences of {smallest} in {label}"
    return f"{seen}; {describe_need(found)}.{describe_observed(found, runs)}"


def _describe_equal(found: Sensitivity) -> str:
    """Return what does not vary."""
    if found.observed is None:
        return f"all {found.n:,} values are equal"
    if found.observed == 0:
        return f"the two runs score the same on all {_count(found.n)}"
    return f"the two runs differ by the same amount on all {_count(found.n)}"


def describe_need(found: Sensitivity) -> str:
    """Return how many queries it takes to see the differences that cannot be seen yet."""
    wanted = sorted(found.queries_for.items(), key=lambda pair: float(pair[0]), reverse=True)
    unseen = [pair for pair in wanted if pair[1] is None or pair[1] > (found.n or 0)]
    if not unseen:
        return f"that is enough for {wanted[-1][0]}"
    needs = [(wish, _describe_count(queries)) for wish, queries in unseen[:MOST_NEEDS]]
    verbs = ["you need ", *[""] * (len(needs) - 1)]
    return ", ".join(f"for {d} {verb}{n}" for (d, n), verb in zip(needs, verbs, strict=True))


def _describe_count(queries: int | None) -> str:
    return f"more than {MOST_QUERIES:,}" if queries is None else f"{queries:,}"


def _count(queries: int | None) -> str:
    """Return a number of queries with its noun."""
    more = "more than " if queries is None else ""
    return more + plural(MOST_QUERIES if queries is None else queries, "query", "queries")


def _describe_seen(found: Sensitivity) -> str:
    known = found.detectable is not None
    return f"differences of {_round(found.detectable or 0.0)}" if known else "no difference"


def _round(difference: float) -> str:
    """Return a difference with two digits.

    >>> _round(0.0594), _round(0.00012), _round(1.0)
    ('0.059', '0.00012', '1')
    """
    return f"{difference:.2g}"


def describe_observed(found: Sensitivity, runs: Sequence[str]) -> str:
    """Return whether the difference between two runs is one that can be seen."""
    if found.observed is None or found.detectable is None:
        return ""
    style = "+.4f" if abs(found.observed) < LARGE else "+.4g"
    between = f" {runs[1]} minus {runs[0]} is {found.observed:{style}}"
    if abs(found.observed) >= found.detectable:
        return f"{between}: large enough to see."
    return f"{between}: smaller, so a test may well miss it."


def warn_few(queries: int) -> Iterator[str]:
    """Yield a warning if the standard deviation itself rests on few queries."""
    if 2 <= queries < FEW:
        yield f"Only {_count(queries)}: the standard deviation is a rough guess."


def describe_targets(queries: int, targets: Mapping[str, int]) -> Iterator[str]:
    """Yield which targets even a perfect score cannot clear."""
    missed = {target: need for target, need in targets.items() if 0 < queries < need}
    if missed:
        target, need = min(missed.items(), key=lambda pair: pair[1])
        score = f"With {_count(queries)}, even a perfect score does not show"
        yield f"{score} that a metric is above {target}: that takes {need:,}."


def conclude_plan(found: Sensitivity | None, targets: Mapping[str, int]) -> Iterator[str]:
    """Yield sentences on a plan, without data."""
    if found is None:
        for target, need in targets.items():
            yield f"A perfect score on {_count(need)} shows that a metric is above {target}."
        return
    at = f"At a standard deviation of {found.sd:g}"
    if found.n is not None:
        yield f"{at}, {_count(found.n)} can show {_describe_seen(found)}."
    for difference, queries in found.queries_for.items():
        yield f"{at}, you need {_count(queries)} to see a difference of {difference}."
