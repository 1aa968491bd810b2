"""The page of metrics, from their declarations."""

import re
from collections.abc import Iterator

from groupwise.evaluator.metrics.registry import PROFILES, SIX, Metric, metrics_of

HEAD = r"""# Metrics

Names are written `[profile:]name[(parameter=value)][@k]`, in any case: `ndcg@10`, `nDCG@10` and
`autorag:ndcg@10` are the same. Without a cutoff `@k` the whole ranking counts; with one, the first
k results and nothing else.

Notation: a query has groups $g$ with weights $w_g$, and $W = \sum_g w_g$. Its result is
$r_1, \dots, r_n$, best first, and $n_k = \min(k, n)$. $\mathrm{first}(g)$ is the rank of the
first result that meets $g$; for a group that is not met, $1/\mathrm{first}(g)$ is 0. $[\cdot]$ is 1
where the condition holds and 0 elsewhere. $S$ is the number of alternatives listed, and
$\mathrm{grade}^*_i$ the i-th best of their grades.

A score is averaged over the scored queries. A rank is not: the report gives how many queries have
one, its median and the worst.
"""


def metrics_page() -> str:
    """All metrics of all profiles."""
    parts = [HEAD]
    for profile in PROFILES:
        metrics = list(metrics_of(profile).values())
        parts += [f"## The profile `{profile}`\n", _overview(metrics)]
        parts += [_section(metric) for metric in metrics]
    return "\n".join(parts)


def _overview(metrics: list[Metric]) -> str:
    rows = [
        f"| [`{m.name}`](#{m.name}) | {m.summary} | {m.range} | {_names(m.aliases)} |"
        for m in metrics
    ]
    note = f"Without `metrics=`, the six are computed: {', '.join(SIX)}.\n"
    table = ["| metric | | range | also called |", "|---|---|---|---|", *rows]
    return "\n".join([note, *table, ""])


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _section(metric: Metric) -> str:
    return "\n".join(_lines(metric))


def _lines(metric: Metric) -> Iterator[str]:
    yield f"### `{metric.name}`\n"
    yield f"{metric.description}\n"
    yield f"$$\n{metric.formula}\n$$\n"
    yield f"- Range: {metric.range}"
    yield f"- Kind: {'a score, averaged' if metric.kind == 'score' else 'a rank, not averaged'}"
    if metric.aliases:
        yield f"- Also called: {_names(metric.aliases)}"
    for one in metric.parameters.values():
        yield f"- Parameter `{one.name}` ({one.kind.__name__}), default {one.default}"
    yield f"- Reference: {metric.reference}\n"
    yield "| ground truth | result | value |"
    yield "|---|---|---|"
    for case, value in metric.examples.items():
        yield f"{_case(case)} {'none' if value is None else format(value, '.10g')} |"
    yield ""


def _case(case: str) -> str:
    groups, _, ranking = case.partition(":")
    listed = [[one.strip() for one in group.split("|")] for group in groups.split("&")]
    return f"| `{_json(listed)}` | `{_json(ranking.split())}` |"


def _json(value: object) -> str:
    return re.sub("'", '"', repr(value))
