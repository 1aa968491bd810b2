"""Signatures of metrics as plain functions, from the declarations of the metrics."""

from collections.abc import Iterable, Mapping
from inspect import Parameter, Signature
from typing import Any, Literal, SupportsIndex

from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.metrics.registry import Metric, metrics_of
from groupwise.evaluator.plugins.parameters import Parameter as Declared
from groupwise.schemas import Policies

POLICIES = ("flat", "ids", "ties", "empty_results", "unanswerable")
"""The policies that concern a single query."""


def build_signature(name: str) -> Signature:
    """Return the signature of the function of that name, with the parameters of every profile.

    >>> [*build_signature("rbp").parameters][-2:]
    ['p', 'rel']
    """
    homes = {home: metrics_of(home)[name] for home in PROFILES if name in metrics_of(home)}
    options: dict[str, Any] = {
        "k": SupportsIndex | str | None,
        "profile": Literal[tuple(homes)] | None,
        **{policy: _kind_of_policy(policy) for policy in POLICIES},
        "characters_per_token": float | None,
        "matching": str | Mapping[str, Any] | None,
        "vectors": Any,
        "label": str | None,
    }
    positional = [
        Parameter(word, Parameter.POSITIONAL_OR_KEYWORD, annotation=Any)
        for word in ("ground_truth", "results")
    ]
    keywords = [
        Parameter(word, Parameter.KEYWORD_ONLY, default=None, annotation=kind)
        for word, kind in options.items()
    ]
    return Signature(
        [*positional, *keywords, *_list_own(homes.values())], return_annotation=float | None
    )


def _kind_of_policy(name: str) -> Any:
    """Return the type of a policy; None leaves it at its default."""
    kind: Any = Policies.model_fields[name].annotation
    return kind | None


def _list_own(metrics: Iterable[Metric]) -> list[Parameter]:
    """Return the parameters of the metrics of one name, each once."""
    declared = {name: own for metric in metrics for name, own in metric.parameters.items()}
    return [
        Parameter(name, Parameter.KEYWORD_ONLY, default=own.default, annotation=_kind_of(own))
        for name, own in declared.items()
    ]


def _kind_of(parameter: Declared) -> Any:
    return Literal[parameter.choices] if parameter.choices else parameter.kind
