"""The package ranx, from Qrels and Run."""

import importlib

from benchmarks.differences.model import Case, Peer
from benchmarks.differences.peers.flat import name_of, qrels, run

_NAMES = {name: name for name in ("precision", "recall", "mrr", "map", "ndcg", "hit_rate", "bpref")}


def _score(case: Case) -> float:
    ranx = importlib.import_module("ranx")
    name = name_of(_NAMES, case.measure) + (f"@{case.k}" if case.k else "")
    return float(ranx.evaluate(ranx.Qrels(qrels(case)), ranx.Run(run(case)), name))


PEERS = [Peer("ranx", "ranx", _score)]
