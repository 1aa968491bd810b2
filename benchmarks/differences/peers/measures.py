"""The package ir_measures with its default providers; groups are subtopics, its `iteration`."""

import importlib
from collections.abc import Iterator
from typing import Any

from benchmarks.differences.model import Case, Peer, grades_of
from benchmarks.differences.peers.flat import name_of

_AT_CUTOFF = {"precision": "P", "recall": "R", "mrr": "RR", "map": "AP", "ndcg": "nDCG",
              "hit_rate": "Success", "strecall": "StRecall",
              "alpha_ndcg": "alpha_nDCG"}  # fmt: skip
_WHOLE = {"precision": "SetP", "recall": "SetR", "mrr": "RR", "map": "AP", "ndcg": "nDCG",
          "bpref": "Bpref"}  # fmt: skip
_SUBTOPICS = ("strecall", "alpha_ndcg")


def _score(case: Case) -> float:
    package = importlib.import_module("ir_measures")
    measure = getattr(package, name_of(_AT_CUTOFF if case.k else _WHOLE, case.measure))
    measure = measure @ case.k if case.k else measure
    judged = _subtopics if case.measure in _SUBTOPICS else _documents
    means = package.calc_aggregate(
        [measure], list(judged(case, package.Qrel)), list(_run(case, package.ScoredDoc))
    )
    return float(means[measure])


def _documents(case: Case, qrel: Any) -> Iterator[Any]:
    for name, query in case.queries.items():
        for document, grade in query.judgements.items():
            yield qrel(name, document, grade)


def _subtopics(case: Case, qrel: Any) -> Iterator[Any]:
    for name, query in case.queries.items():
        for number, group in enumerate(query.groups):
            for document, grade in grades_of(group).items():
                yield qrel(name, document, grade, str(number))


def _run(case: Case, scored: Any) -> Iterator[Any]:
    for name, query in case.queries.items():
        for document, score in zip(query.ranking, query.scores, strict=True):
            yield scored(name, document, score)


PEERS = [Peer("ir_measures", "ir-measures", _score)]
