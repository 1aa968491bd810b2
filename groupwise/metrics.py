"""Every metric as a plain function of one query's ground truth and results.

    >>> from groupwise.metrics import recall
    >>> recall([["a", "b"], ["c"]], ["a", "x"], k=1)
    0.5

The names are those of ``groupwise metrics``. Each function returns the value that ``evaluate`` has
for this query; it takes ``k``, ``profile``, ``label``, policies, and the parameters of the metric
as keywords. Metrics of your own are here too, once they are declared.
"""

from groupwise.evaluator.evaluation.single import MetricFunction, metric_function, metric_names
from groupwise.evaluator.plugins.loading import load_installed

__all__ = [*metric_names()]  # noqa: PLE0604  (generated from the registry)


def __getattr__(name: str) -> MetricFunction:
    if name.startswith("_") or not _is_known(name):
        raise AttributeError(f"no metric {name!r}; choose from {', '.join(metric_names())}")
    return metric_function(name)


def _is_known(name: str) -> bool:
    return name in metric_names() or (load_installed() and name in metric_names())


def __dir__() -> list[str]:
    return metric_names()
