"""One declaration per format: from it come recognition, reader, writer, docs and round trips.

A module of this folder that declares ``FORMATS`` is listed here. It is imported when a file is
not plainly one of ours, so that reading JSON costs nothing for the others.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Literal, TypeAlias

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.detection import Sample, suffix_of
from groupwise.evaluator.reading.options import Options, Record, Role
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.source import Source

Carried: TypeAlias = Literal[
    "groups", "grades", "weights", "labels", "not_relevant", "unanswerable",
    "query", "metadata", "scores", "text", "spans", "whole_numbers", "tokens", "vectors",
    "empty_results", "repeats", "answers", "both", "expected",
]  # fmt: skip

"""What a format may be able to carry; ``groups`` that differ from a flat list, among others."""

__all__ = [
    "Carried",
    "Format",
    "every_format",
    "named",
    "written_as",
]


@dataclass(frozen=True)
class Format:
    """A format and all there is to say of it.

    Attributes:
        name: What ``--from`` and ``--to`` call it.
        title: What people call it.
        holds: What a file of it can be: ground truth, a run, or a corpus.
        carries: What of our data comes back when it is written and read again.
        fields: Its columns or fields, for the reference.
        groups: What becomes a group, for the reference.
        suffixes: Endings of names; the first format with an ending writes files that have it.
        recognises: Whether the beginning of a file is of this format.
        read: The records of a source, in our shape.
        write: Writes records, in our shape, to a path; None where there is no writer. It may go
            through the records more than once, so as not to hold them.
        extra: The extra of the package that must be installed, if any.
        carries_in_runs: What it carries besides where it holds a run.
    """

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
    carries_in_runs: frozenset[Carried] = frozenset()

    def carried(self, roles: Iterable[str]) -> frozenset[Carried]:
        """What comes back of data in these roles."""
        return self.carries | self.carries_in_runs if set(roles) == {"run"} else self.carries


@lru_cache(maxsize=1)
def every_format() -> dict[str, Format]:
    """All formats by name; an earlier one is asked first whether it knows a file."""
    from groupwise.evaluator.formats import (  # noqa: PLC0415  (they declare with Format)
        beir,
        csv,
        double_bench,
        dpr,
        groupwise_json,
        hotpot,
        kilt,
        llama_index,
        multihop_rag,
        musique,
        parquet,
        qampari,
        ragas,
        text_corpus,
        trec,
    )

    modules = (
        groupwise_json, parquet, llama_index, ragas, hotpot, musique, multihop_rag, dpr, kilt,
        double_bench, qampari, beir, csv, trec, text_corpus,
    )  # fmt: skip
    return {one.name: one for module in modules for one in module.FORMATS}


def named(name: str) -> Format:
    """The format of that name.

    Raises:
        InputError: There is none; the nearest names are suggested.
    """
    formats = every_format()
    if name not in formats:
        near = get_close_matches(name.lower(), formats, n=2)
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else ""
        known = hint or f"there are {', '.join(formats)}"
        raise InputError([Problem(f"no format {name!r}; {known}")])
    return formats[name]


def written_as(path: str, role: Role | None) -> Format | None:
    """The first format with a writer that files of such a name have, for what is to be written."""
    ending = suffix_of(path)
    fitting = [one for one in every_format().values() if one.write and ending in one.suffixes]
    return next((one for one in fitting if role is None or role in one.holds), None)
