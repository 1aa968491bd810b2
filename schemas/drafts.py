"""Models before they are models: the same fields under the same names, without pydantic.

Whoever calls groupwise gets models. A command that prints a table of scores and ends needs none:
loading pydantic would take it longer than everything else. A draft is built like a model that is
not checked, with ``model_construct``, and read like it; the values come from groupwise itself, or
have been found to be plain.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from groupwise.schemas.report_view import ReportView

if TYPE_CHECKING:
    from groupwise.schemas import policies as policy_models

_wanted: ContextVar[bool] = ContextVar("drafts_wanted", default=False)


class Draft:
    """The fields of a model; ``defaults`` are those that need not be given."""

    defaults: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update({**self.defaults, **fields})

    @classmethod
    def model_construct(cls, _fields_set: None = None, **fields: Any) -> Self:
        """Return a draft of these fields, as models are built without checks."""
        return cls(**fields)

    @classmethod
    def assemble(cls, fields: dict[str, Any]) -> Self:
        """Return a draft of these fields, as models are built of all of theirs."""
        return cls(**fields)

    def model_copy(self, *, update: Mapping[str, Any]) -> Self:
        """Return a copy with other values of some fields."""
        return type(self)(**{**vars(self), **update})

    def __eq__(self, other: object) -> bool:
        return vars(self) == getattr(other, "__dict__", None)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))


class Policies(Draft):
    """Policies; where no others are given, those that are named first."""

    choices: ClassVar[Mapping[str, tuple[str | None, ...]]] = MappingProxyType({
        "missing": ("zero", "skip", "error"),
        "extra": ("ignore", "error"),
        "empty_results": ("zero", "skip"),
        "unanswerable": ("skip", "zero", "error"),
        "flat": (None, "any", "all"),
        "ids": (None, "text"),
        "ties": ("score", "input", "report"),
        "characters_per_token": (None,),
    })  # fmt: skip

    defaults = MappingProxyType({name: values[0] for name, values in choices.items()})

    def accept(self, asked: Mapping[str, Any]) -> Self | None:
        """Return these policies with others in their place; None if one needs a closer look."""
        are_plain = all(
            type(value) is str and value in self.choices.get(name, ())
            for name, value in asked.items()
        )
        return self.model_copy(update=asked) if are_plain else None


class FixtureHead(Draft):
    """A fixture without its queries."""

    defaults = MappingProxyType({
        "name": None, "description": None, "profile": "autorag", "metrics": None,
        "policies": Policies(), "expected": {}, "tolerance": 1e-9,
        "matching": None, "corpus": None, "schema_": None,
    })  # fmt: skip


class Counts(Draft):
    """How many queries there are, and how many were scored, missing or empty."""

    defaults = MappingProxyType({
        "queries": 0, "scored": 0, "missing": 0, "empty_results": 0, "unanswerable": 0, "extra": 0
    })  # fmt: skip


class Input(Draft):
    """What was evaluated."""


class Provenance(Draft):
    """Where a report comes from."""


class Report(ReportView, Draft):
    """A report that is shown, and not handed out."""

    defaults = MappingProxyType({"gates": ()})

    def remember(self, _again: Any, _results: Any = None) -> Self:
        """Forget how to evaluate the same data again: a draft is shown, and gone."""
        return self


@contextmanager
def draft_reports() -> Iterator[None]:
    """Let evaluations return drafts of reports, as long as the context lasts."""
    token = _wanted.set(True)
    try:
        yield
    finally:
        _wanted.reset(token)


def find_shapes() -> ModuleType:
    """Return the module of the classes of reports: drafts, where they are wanted, or models."""
    return sys.modules[__name__] if _wanted.get() else _find_models()


@cache
def _find_models() -> ModuleType:
    import groupwise.schemas as models  # noqa: PLC0415  (which are loaded when they are used)

    return models


def shape_policies(policies: "policy_models.Policies") -> "policy_models.Policies":
    """Return policies as the provenance of a report has them: as a model, or as a draft."""
    return policies if _wanted.get() else _publish_policies(policies)


@lru_cache(maxsize=64)
def _publish_policies(policies: Any) -> "policy_models.Policies":
    from groupwise.schemas.policies import Policies as Model  # noqa: PLC0415  (see above)

    return policies if isinstance(policies, Model) else Model.model_construct(**vars(policies))
