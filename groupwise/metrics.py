"""Every metric as a plain function of one query's ground truth and results.

    >>> from groupwise.metrics import recall
    >>> recall([["a", "b"], ["c"]], ["a", "x"], k=1)
    0.5

The names are those of ``groupwise metrics``; each takes ``k`` and ``profile`` as keywords.
"""

from typing import Any

from groupwise.evaluator.evaluation.single import MetricFunction, metric_function, metric_names

__all__ = [*metric_names()]  # noqa: PLE0604  (generated from the registry)


def __getattr__(name: str) -> MetricFunction:
    if name not in metric_names():
        raise AttributeError(f"no metric {name!r}; there are {', '.join(metric_names())}")
    return metric_function(name)


def __dir__() -> list[Any]:
    return sorted(metric_names())
