"""The package pytrec_eval: trec_eval's C code behind dicts; it gives no mean, so one is taken."""

import importlib
from statistics import fmean

from benchmarks.differences.model import Case, Peer
from benchmarks.differences.peers.flat import name_of, qrels, run

_AT_CUTOFF = {"precision": "P", "recall": "recall", "map": "map_cut", "ndcg": "ndcg_cut",
              "hit_rate": "success"}  # fmt: skip
_WHOLE = {"precision": "set_P", "recall": "set_recall", "mrr": "recip_rank", "map": "map",
          "ndcg": "ndcg", "bpref": "bpref"}  # fmt: skip


def _score(case: Case) -> float:
    name = name_of(_AT_CUTOFF if case.k else _WHOLE, case.measure)
    name += f"_{case.k}" if case.k else ""
    pytrec_eval = importlib.import_module("pytrec_eval")
    evaluator = pytrec_eval.RelevanceEvaluator(qrels(case), {name})
    return fmean(row[name] for row in evaluator.evaluate(run(case)).values())


PEERS = [Peer("pytrec_eval", "pytrec-eval-terrier", _score)]
