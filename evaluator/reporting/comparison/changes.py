"""The groups that two runs meet differently, in words."""

from collections.abc import Iterator

from groupwise.evaluator.reporting.explained import list_alternatives, name_group
from groupwise.evaluator.text import plural, shorten
from groupwise.schemas.comparison import ChangedGroup, GroupOutcome, Pair, QueryChange

SHOWN_GROUPS = 3
LONGEST_RUN = 32
SAME = "the same groups at the same ranks: other results differ"
SAVED = "of saved scores"
REASONS = {"not_retrieved": "not retrieved", "not_met": "not met"}


def describe_change(change: QueryChange, pair: Pair) -> Iterator[str]:
    """Yield a line for each group that the runs meet differently, as far as there is room."""
    for group in change.groups[:SHOWN_GROUPS]:
        yield describe_changed_group(group, pair)
    more = len(change.groups) - SHOWN_GROUPS
    if more > 0:
        yield plural(more, "more group")
    if not change.groups:
        yield SAME


def describe_changed_group(group: ChangedGroup, pair: Pair) -> str:
    """Return where each run meets a group; groups are counted from 1."""
    name = f"{name_group(group)} ({list_alternatives(group.alternatives)})"
    outcomes = [(pair.a, group.a), (pair.b, group.b)]
    return f"{name}: {', '.join(_describe(run, outcome) for run, outcome in outcomes)}"


def _describe(run: str, outcome: GroupOutcome | None) -> str:
    """Return where a run meets a group.

    >>> _describe("bm25", GroupOutcome(met=False, rank=13, reason="beyond_k"))
    'bm25 at rank 13 (beyond k)'
    """
    name = shorten(run, LONGEST_RUN)
    if outcome is None:
        return f"{name} {SAVED}"
    if outcome.met:
        return f"{name} at rank {outcome.rank:,}"
    if outcome.rank is not None:
        return f"{name} at rank {outcome.rank:,} (beyond k)"
    return f"{name} {REASONS[outcome.reason or 'not_met']}"
