"""The data in numbers, and what an ideal ranking scores on them."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from groupwise.evaluator.evaluation.ceilings import Ceilings, find_ceilings
from groupwise.evaluator.metrics.names import measures
from groupwise.evaluator.metrics.registry import SIX
from groupwise.evaluator.validation.facts.hashes import count_occurring
from groupwise.evaluator.validation.facts.request import DEFAULT_CUTOFF, Request
from groupwise.evaluator.validation.facts.session import SourceFacts
from groupwise.schemas import Summary


def compute_ceilings(data: Sequence[SourceFacts], request: Request) -> Ceilings:
    """Return what an ideal ranking scores: on the six metrics at the cutoff, and on the gates'."""
    deepest = max((source.request.cutoff for source in data), default=DEFAULT_CUTOFF)
    names = [f"{name}@{request.k or deepest}" for name in SIX]
    names += [gate.metric for gate in request.gates]
    labels = dict.fromkeys(measure.label for measure in measures(names, request.profile, ()))
    counted = chain.from_iterable(source.tally.shapes.count_truths() for source in data)
    return find_ceilings(counted, list(labels), request.profile)


def summarise(
    data: Sequence[SourceFacts], profile: str, reached: dict[str, float | None]
) -> Summary:
    """Return the summary of the data sets."""
    groups_per_query: Counter[int] = Counter()
    alternatives_per_group: Counter[int] = Counter()
    for source in data:
        groups, alternatives = source.tally.shapes.histograms()
        groups_per_query += groups
        alternatives_per_group += alternatives
    distinct, in_several = count_occurring([source.tally.ids for source in data])
    answerable = groups_per_query.total()
    return Summary.model_construct(
        queries=sum(source.tally.queries for source in data),
        unanswerable=sum(source.tally.unanswerable for source in data),
        groups=alternatives_per_group.total(),
        groups_per_query=dict(sorted(groups_per_query.items())),
        alternatives_per_group=dict(sorted(alternatives_per_group.items())),
        distinct_ids=distinct,
        ids_in_several_queries=in_several,
        queries_with_shared_ids=sum(source.tally.sharing for source in data),
        multi_group_share=1 - groups_per_query[1] / answerable if answerable else None,
        profile=profile,
        ceilings=reached,
    )
