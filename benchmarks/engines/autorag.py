"""AutoRAG's own retrieval metrics, from its package, without its other dependencies.

Importing `autorag` runs its `__init__`, which wants a hundred distributions. Its metric modules
want three, so the packages around them are stood in for by empty ones that know only their
folder, and the libraries that one helper module imports, but no metric uses, by blank modules.
Every function that runs here is AutoRAG's, from its own file.
"""

import importlib
import importlib.util
import sys
from importlib import metadata
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Any

from benchmarks.engines.registry import Engine, Scores
from benchmarks.measures import METRICS, Measures
from benchmarks.workloads import Results, Truths

Inputs = tuple[list[Any], list[list[str]]]

_PACKAGES = ("autorag", "autorag.evaluation", "autorag.evaluation.metric", "autorag.schema",
             "autorag.utils")  # fmt: skip
_UNUSED = ("emoji", "tiktoken", "yaml", "llama_index", "llama_index.embeddings",
           "llama_index.embeddings.openai")  # fmt: skip


def engine(measures: Measures) -> Engine:
    """One input object a query; its results are cut anew for each k, as a retriever would."""
    every, metric_input = retrieval_metrics()
    functions = {name: every[name] for name in measures.metrics}

    def build(truths: Truths, results: Results) -> Inputs:
        inputs = [metric_input(retrieval_gt=groups) for groups in truths.values()]
        return inputs, [results[query] for query in truths]

    def scores(inputs: Inputs) -> Scores:
        return {
            f"{name}@{k}": mean
            for k in measures.cutoffs
            for name, mean in _at(functions, inputs, k).items()
        }

    return Engine(build, scores)


def _at(functions: dict[str, Any], inputs: Inputs, k: int) -> Scores:
    """Do as AutoRAG's `evaluate_retrieval` does: set the results, call every metric on the list."""
    metric_inputs, rankings = inputs
    for metric_input, ranking in zip(metric_inputs, rankings, strict=True):
        metric_input.retrieved_ids = ranking[:k]
    return {name: fmean(call(metric_inputs=metric_inputs)) for name, call in functions.items()}


def retrieval_metrics() -> tuple[dict[str, Any], Any]:
    """AutoRAG's six functions by name, and the class of their input."""
    root = Path(str(metadata.distribution("AutoRAG").locate_file("")))
    for name in _PACKAGES:
        sys.modules[name] = _package(name, root)
    for name in [name for name in _UNUSED if _absent(name)]:
        sys.modules[name] = _blank(name)
    retrieval = importlib.import_module("autorag.evaluation.metric.retrieval")
    functions = {name: getattr(retrieval, f"retrieval_{name}") for name in METRICS}
    return functions, retrieval.MetricInput


def _package(name: str, root: Path) -> ModuleType:
    module = ModuleType(name)
    module.__path__ = [str(root.joinpath(*name.split(".")))]
    return module


def _absent(name: str) -> bool:
    return name not in sys.modules and importlib.util.find_spec(name.partition(".")[0]) is None


def _blank(name: str) -> ModuleType:
    module = ModuleType(name)
    module.__path__ = []
    vars(module)["OpenAIEmbedding"] = object
    return module
