"""Our own three profiles."""

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.differences.model import CannotSayError, Case, Peer, Query
from groupwise import UnknownMetric, evaluate


def _in(profile: str) -> Callable[[Case], float | None]:
    def score(case: Case) -> float | None:
        truths = [_truth(name, query) for name, query in case.queries.items()]
        given = {name: query for name, query in case.queries.items() if query.results is not None}
        try:
            report = evaluate(
                truths,
                [_run(*item) for item in given.items()],
                metrics=case.metric,
                profile=profile,
            )
        except UnknownMetric as unknown:
            raise CannotSayError(case.metric) from unknown
        return next(iter(report.scores.values()))

    return score


def _truth(name: str, query: Query) -> dict[str, Any]:
    groups = [dict(group) if isinstance(group, Mapping) else list(group) for group in query.groups]
    return {"id": name, "ground_truth": groups, "not_relevant": list(query.not_relevant)}


def _run(name: str, query: Query) -> dict[str, Any]:
    scores = {"scores": query.scores} if isinstance(query.results, Mapping) else {}
    return {"id": name, "results": query.ranking, **scores}


PEERS = [
    Peer(f"`{profile}`", "groupwise", _in(profile)) for profile in ("trec", "coverage", "autorag")
]
