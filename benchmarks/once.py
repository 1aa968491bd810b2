"""One measurement in a process that does nothing else: `python -m benchmarks.once WAY FILE`.

It prints the time of the work and the peak of the process's memory. Imports, and a first call on
a file of one query, come before the clock starts.
"""

import importlib
import json
import resource
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.clock import Span, megabytes, time_work
from benchmarks.measures import METRICS, NAMES
from benchmarks.workloads import Workload, write_array, write_jsonl

Work = Callable[[], object]
_CALLS = 500
_BUFFER = 1 << 18
"""Bytes read at once: reading lines is much faster than with the default of 8,192."""


def report(path: Path, *names: str) -> Work:
    """The whole of groupwise: read, check, match, score, with scores per query."""
    evaluate = importlib.import_module("groupwise").evaluate
    _first_calls(evaluate)
    return lambda: evaluate(path, metrics=list(names) or NAMES)


def pair(path: Path) -> Work:
    """Evaluate a run with the ground truth beside it."""
    evaluate = importlib.import_module("groupwise").evaluate
    truths = path.with_name(f"truth{path.suffix}")
    evaluate(truths, path, metrics=NAMES)
    return lambda: evaluate(truths, path, metrics=NAMES)


def validate(path: Path) -> Work:
    """Validation from Python, all rules, after a first call on a file of one query."""
    check = importlib.import_module("groupwise").validate
    with tempfile.TemporaryDirectory() as folder:
        check(write_jsonl(Workload(1, 1), Path(folder)))
    return lambda: check(path)


def whole(path: Path) -> Work:
    """`orjson.loads` of all bytes, which are already read: the loading and nothing else."""
    loads = importlib.import_module("orjson").loads
    content = path.read_bytes()
    return lambda: loads(content)


def lines(path: Path, buffer: int = _BUFFER) -> Work:
    """`orjson.loads` of line after line, each record thrown away."""
    loads = importlib.import_module("orjson").loads

    def work() -> None:
        with path.open("rb", buffering=buffer) as file:
            for line in file:
                loads(line)

    return work


def means(path: Path) -> Work:
    """A report without scores per query."""
    evaluate = importlib.import_module("groupwise").evaluate
    _first_calls(evaluate)
    return lambda: evaluate(path, metrics=NAMES, per_query=False)


def one_query(path: Path) -> Work:
    """Many calls for a single query, with the six metrics and no cutoff."""
    evaluate = importlib.import_module("groupwise").evaluate
    record = json.loads(_first_line(path))
    truths, results = {"q": record["ground_truth"]}, {"q": record["results"]}

    def work() -> None:
        for _ in range(_CALLS):
            evaluate(truths, results, metrics=METRICS)

    evaluate(truths, results, metrics=METRICS)
    return work


def trec(path: Path) -> Work:
    """Evaluate a TREC run with the qrels beside it."""
    evaluate = importlib.import_module("groupwise").evaluate
    qrels = path.with_suffix(".qrels")
    with tempfile.TemporaryDirectory() as folder:
        evaluate(*_first_lines(folder, qrels, path), profile="trec", metrics=TREC_NAMES)
    return lambda: evaluate(qrels, path, profile="trec", metrics=TREC_NAMES)


def _first_line(path: Path) -> str:
    with path.open() as file:
        return file.readline()


def _first_lines(folder: str, *paths: Path) -> list[Path]:
    """The first line of each file, in files of their own."""
    found = [Path(folder, path.name) for path in paths]
    for target, path in zip(found, paths, strict=True):
        target.write_text(_first_line(path))
    return found


def trec_pytrec_eval(path: Path) -> Work:
    """The same numbers of pytrec_eval, with its parsers."""
    pytrec_eval = importlib.import_module("pytrec_eval")
    names = {"P_10", "recall_10", "map", "ndcg_cut_10", "recip_rank"}

    def work() -> object:
        with path.with_suffix(".qrels").open() as file:
            evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), names)
        with path.open() as file:
            found = evaluator.evaluate(pytrec_eval.parse_run(file))
        return {name: sum(scores[name] for scores in found.values()) / len(found) for name in names}

    return work


def trec_ir_measures(path: Path) -> Work:
    """The same numbers of ir_measures, with its parsers."""
    ir_measures = importlib.import_module("ir_measures")
    names = [ir_measures.parse_measure(name) for name in ("P@10", "R@10", "AP", "nDCG@10", "RR")]

    def work() -> object:
        qrels = ir_measures.read_trec_qrels(str(path.with_suffix(".qrels")))
        run = ir_measures.read_trec_run(str(path))
        return ir_measures.calc_aggregate(names, qrels, run)

    return work


TREC_NAMES = ["precision@10", "recall@10", "map", "ndcg@10", "mrr"]
WAYS: dict[str, Callable[..., Work]] = {
    "trec": trec,
    "trec-pytrec_eval": trec_pytrec_eval,
    "trec-ir_measures": trec_ir_measures,
    "report": report,
    "pair": pair,
    "validate": validate,
    "whole": whole,
    "lines": lines,
    "lines-by-default": partial(lines, buffer=-1),
    "evaluate-1": means,
    "one-query": one_query,
}
REPEATS = {"one-query": _CALLS}


def main() -> None:
    """Measure and print."""
    way, path, names = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    span, kept = time_work(WAYS[way](path, *names))
    peak = megabytes(resource.getrusage(resource.RUSAGE_SELF))
    span = kept if isinstance(kept, Span) else span
    repeats = REPEATS.get(way, 1)
    print(json.dumps([span.cpu / repeats, span.wall / repeats, peak]))


def _first_calls(evaluate: Callable[..., object]) -> None:
    """Import everything that is imported lazily."""
    with tempfile.TemporaryDirectory() as folder:
        jsonl = write_jsonl(Workload(1, 1), Path(folder))
        evaluate(jsonl, metrics=NAMES)
        evaluate(write_array(jsonl), metrics=NAMES)


if __name__ == "__main__":
    main()
