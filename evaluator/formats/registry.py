"""One declaration per format: from it come recognition, reader, writer, docs and round trips.

A module of this folder that declares ``FORMATS`` is listed here. It is imported when a file is
not plainly one of ours, so that reading JSON costs nothing for the others.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import PurePath
from typing import Any, Literal, TypeAlias

import orjson

from groupwise.evaluator.formats.batch import Records
from groupwise.evaluator.formats.source import Source

Role: TypeAlias = Literal["ground_truth", "run", "corpus"]
Record: TypeAlias = Mapping[str, Any]
Carried: TypeAlias = Literal[
    "groups", "grades", "weights", "labels", "not_relevant", "unanswerable",
    "query", "metadata", "scores", "text", "spans", "whole_numbers",
]  # fmt: skip

MODULES = (
    "native", "llama_index", "ragas", "hotpot", "musique", "multihop_rag", "dpr", "kilt",
    "double_bench", "qampari",
)  # fmt: skip
"""The modules that declare formats; an earlier one is asked first whether it knows a file."""


@dataclass(frozen=True)
class Options:
    """What a call says of a file: how to read what can be read in several ways."""

    format: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    subtopics: bool = False
    cnf: bool = False
    role: Role | None = None
    largest: int | None = None


@dataclass(frozen=True)
class Sample:
    """What is known of a file before it is read: its name and its beginning."""

    name: str
    start: bytes

    @property
    def suffix(self) -> str:
        """The last ending of the name, without that of compression, in lower case."""
        endings = [one.lower() for one in PurePath(self.name).suffixes if one.lower() != ".gz"]
        return endings[-1] if endings else ""

    @cached_property
    def lines(self) -> list[bytes]:
        """The first whole lines that hold anything."""
        lines = self.start.removeprefix(b"\xef\xbb\xbf").splitlines()
        return [line for line in lines[:20] if line.strip()]

    @cached_property
    def first_record(self) -> Record | None:
        """The first object of JSON Lines or of a JSON list; None where there is none."""
        return _first_object(self.start.removeprefix(b"\xef\xbb\xbf"))


def _first_object(start: bytes) -> Record | None:
    first, _, _ = start.lstrip().partition(b"\n")
    for text in (first, start.lstrip()):
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError:
            continue
        value = value[0] if isinstance(value, list) and value else value
        return value if isinstance(value, dict) else None
    return None


@dataclass(frozen=True)
class Format:
    """A format and all there is to say of it."""

    name: str
    title: str
    holds: frozenset[Role]
    carries: frozenset[Carried]
    fields: str
    groups: str
    suffixes: tuple[str, ...]
    recognises: Callable[[Sample], bool]
    read: Callable[[Source, Options], Records]
    write: Callable[[Iterable[Record], str], None] | None = None
    extra: str | None = None


def every_format() -> dict[str, Format]:
    """All formats by name, in the order in which they are asked."""
    modules = [import_module(f"groupwise.evaluator.formats.{name}") for name in MODULES]
    return {one.name: one for module in modules for one in module.FORMATS}
