"""The page of metrics, from their declarations."""

import re
from collections.abc import Iterator

from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.metrics.registry import SIX, Metric, metrics_of

HEAD = r"""# Metrics

Names are written `[profile:]name[(parameter=value)][@k]`, in any case: `ndcg@10`, `nDCG@10` and
`autorag:ndcg@10` are the same. Without a cutoff `@k` the whole ranking counts; with one, the first
k results and nothing else. Metrics of your own: [extend groupwise](../how-to/extend.md).

A cutoff with a `t` counts tokens: `recall@2000t` keeps results while their running number of tokens
fits. Every metric takes `label=`, as in `recall(label=vital)`: then only the groups of that label
count, and queries without such a group are not scored. What is judged not relevant is so for the
whole query: listed, or graded 0, and relevant to no group of any label.

Notation: a query has groups $g$ with weights $w_g$, and $W = \sum_g w_g$. Its result is
$r_1, \dots, r_n$, best first, and $n_k = \min(k, n)$. $\mathrm{first}(g)$ is the rank of the
first result that meets $g$; for a group that is not met, $1/\mathrm{first}(g)$ is 0. $[\cdot]$ is 1
where the condition holds and 0 elsewhere. $S$ is the number of alternatives listed, and
$\mathrm{grade}^*_i$ the i-th best of their grades. $G$ is the number of groups.
$C_\mathrm{gold}$ are the characters of the alternatives, $C_k$ those of the first k results.

In the profile `trec`, $R$ is the number of relevant documents, $N$ that of documents judged not
relevant, and $n_i$ that of those before rank $i$. In the profile `coverage`, $V_i$ is the weight
that result $i$ adds, $u_i = 1$ if it adds any, $a_i = \sum_g (1 - \alpha)^{\text{hits of } g
\text{ before } i}$ over the groups that it meets, and $b_i = G (1 - \alpha)^{i - 1}$. A star marks
the ideal ranking.

A score is averaged over the scored queries. A rank is not: the report gives how many queries have
one, its median and the worst.

Bands are words for scores, such as "good from 0.8", where a published source gives them for the
definition of a metric, and in its words; most metrics have none. They are advice: what is a good
score depends on the questions, the documents and how they were judged. `evaluate --bands` shows
them.
"""


def metrics_page() -> str:
    """All metrics of all profiles; those that all profiles share are listed once."""
    parts = [HEAD]
    for profile in PROFILES:
        own = [metric for metric in metrics_of(profile).values() if metric.profile == profile]
        parts += [f"## The profile `{profile}`\n", _overview(own), *map(_section, own)]
    shared = [metric for metric in metrics_of("autorag").values() if not metric.profile]
    return "\n".join([*parts, "## In every profile\n", _overview(shared), *map(_section, shared)])


def _overview(metrics: list[Metric]) -> str:
    rows = [
        f"| [`{m.name}`](#{_anchor(m)}) | {m.summary} | {m.range} | {_names(m.aliases)} |"
        for m in metrics
    ]
    six = {metric.name for metric in metrics} >= set(SIX)
    note = [f"Without `metrics=`, the six are computed: {', '.join(SIX)}.\n"] if six else []
    table = ["| metric | | range | also called |", "|---|---|---|---|", *rows]
    return "\n".join([*note, *table, ""])


def _title(metric: Metric) -> str:
    return f"{metric.profile}:{metric.name}" if metric.profile else metric.name


def _anchor(metric: Metric) -> str:
    """The anchor that Markdown gives to the title."""
    return _title(metric).replace(":", "")


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _section(metric: Metric) -> str:
    return "\n".join(_lines(metric))


def _lines(metric: Metric) -> Iterator[str]:
    yield f"### `{_title(metric)}`\n"
    yield f"{metric.description}\n"
    yield f"```math\n{metric.formula}\n```\n"
    yield f"- Range: {metric.range}"
    yield f"- Kind: {'a score, averaged' if metric.kind == 'score' else 'a rank, not averaged'}"
    if metric.aliases:
        yield f"- Also called: {_names(metric.aliases)}"
    for parameter in metric.parameters.values():
        yield f"- Parameter `{parameter.name}`: {parameter.accepted}; default {parameter.default}"
    if metric.needs:
        yield f"- Needs: {metric.needs}"
    if metric.bands:
        source = metric.bands.source
        yield f"- Bands, as advice: {metric.bands} ([{source.title}]({source.address}))"
    yield f"- Reference: {metric.reference}\n"
    yield "| ground truth | result | value |"
    yield "|---|---|---|"
    for case, value in metric.examples.items():
        yield f"{_case(case)} {'none' if value is None else format(value, '.10g')} |"
    yield ""


def _case(case: str) -> str:
    groups, _, ranking = case.partition(":")
    listed = [[part.strip() for part in group.split("|")] for group in groups.split("&")]
    return f"| `{_json(listed)}` | `{_json(ranking.split())}` |"


def _json(value: object) -> str:
    return re.sub("'", '"', repr(value))
