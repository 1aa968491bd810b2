"""The package ranx, from Qrels and Run."""

import importlib

from benchmarks.differences.model import Case, Peer
from benchmarks.differences.peers.flat import named, qrels, run

_NAMES = {one: one for one in ("precision", "recall", "mrr", "map", "ndcg", "hit_rate", "bpref")}


def _score(case: Case) -> float:
    ranx = importlib.import_module("ranx")
    name = named(_NAMES, case.measure) + (f"@{case.k}" if case.k else "")
    return float(ranx.evaluate(ranx.Qrels(qrels(case)), ranx.Run(run(case)), name))


PEERS = [Peer("ranx", "ranx", _score)]
