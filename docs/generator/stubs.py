"""The stub of ``groupwise.metrics``: a typed function per metric, from their declarations."""

from collections.abc import Iterator
from inspect import Parameter, getdoc
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from groupwise.evaluator.evaluation.signatures import build_signature
from groupwise.evaluator.evaluation.single import metric_function, metric_names

HEAD = '''\
"""Every metric as a plain function of one query's ground truth and results."""

# Written by docs/generate.py from the declarations of the metrics; run `make docs` to update it.

from collections.abc import Mapping
from typing import Any, Literal, SupportsIndex

__all__ = [
{names}
]
'''


def metrics_stub() -> str:
    """The text of ``groupwise/metrics.pyi``."""
    names = metric_names()
    listed = "\n".join(f'    "{name}",' for name in names)
    return "\n".join([HEAD.format(names=listed), *(_function(name) for name in names)])


def _function(name: str) -> str:
    signature = build_signature(name)
    summary = (getdoc(metric_function(name)) or "").partition("\n")[0]
    arguments = "".join(f"    {line},\n" for line in _arguments([*signature.parameters.values()]))
    returned = spell(signature.return_annotation)
    return f'def {name}(\n{arguments}) -> {returned}:\n    """{summary}"""\n'


def _arguments(parameters: list[Parameter]) -> Iterator[str]:
    first = next(p for p in parameters if p.kind is Parameter.KEYWORD_ONLY)
    for parameter in parameters:
        if parameter is first:
            yield "*"
        default = "" if parameter.default is Parameter.empty else f" = {_quote(parameter.default)}"
        yield f"{parameter.name}: {spell(parameter.annotation)}{default}"


def spell(kind: Any) -> str:
    """A type as source, the same in every version of Python."""
    if get_origin(kind) is Literal:
        return f"Literal[{', '.join(map(_quote, get_args(kind)))}]"
    if get_origin(kind) in (Union, UnionType):
        return " | ".join(map(spell, get_args(kind)))
    if get_args(kind):
        return f"{get_origin(kind).__name__}[{', '.join(map(spell, get_args(kind)))}]"
    return {NoneType: "None", Any: "Any"}.get(kind) or str(kind.__name__)


def _quote(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)
