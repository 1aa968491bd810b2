"""One declaration per format: detection, reader, writer, docs and round trips come from it.

A module of this folder that declares ``FORMATS`` is listed in ``_load_built_in``. It is imported
when a file is not plainly one of ours, so that reading JSON costs nothing for the others.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

from groupwise.evaluator.errors import ExtensionError, InputError, Problem
from groupwise.evaluator.plugins.own import name_in_errors
from groupwise.evaluator.plugins.registry import Registry, check_kind, check_suffixes
from groupwise.evaluator.reading.detection import Sample, suffix_of
from groupwise.evaluator.reading.options import ROLE_NAMES, Options, Record, Role
from groupwise.evaluator.reading.records import Batch, FileRecords, NumberedBatch, Reading, Records
from groupwise.evaluator.reading.source import Source

Carried: TypeAlias = Literal[
    "groups", "grades", "weights", "labels", "not_relevant", "unanswerable",
    "query", "metadata", "scores", "text", "spans", "whole_numbers", "tokens", "vectors",
    "empty_results", "repeats", "answers", "both", "expected",
]  # fmt: skip
"""What a format may carry; ``groups``: groups that are not the same as a flat list."""

Parser: TypeAlias = Callable[[BinaryIO], Iterator[Record]]
RECORDS_PER_BATCH = 256


class ParsedRecords(FileRecords):
    """The records that a parser yields; the number of a record stands for its line."""

    def __init__(self, source: Source, format_name: str, parse: Parser) -> None:
        super().__init__(source)
        self._format = format_name
        self._parse = parse

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield the records; a ValueError of the parser is a problem of the file."""
        first = 1
        with self.source.open() as stream:
            records = self._open(stream, reading)
            while values := self._take(records, first, reading):
                yield NumberedBatch(values, range(first, first + len(values)))
                first += len(values)

    def _open(self, stream: BinaryIO, reading: Reading) -> Iterator[Record]:
        with name_in_errors("format", self._format):
            try:
                records = self._parse(stream)
            except ValueError as error:
                raise self._explain(error, 1, reading) from error
            if not isinstance(records, Iterable):
                raise ExtensionError(f"expected a parser that yields records, got {records!r}")
            return iter(records)

    def _take(self, records: Iterator[Record], first: int, reading: Reading) -> list[Record]:
        values: list[Record] = []
        with name_in_errors("format", self._format):
            try:
                values.extend(islice(records, RECORDS_PER_BATCH))
            except ValueError as error:
                raise self._explain(error, first + len(values), reading) from error
        return values

    def _explain(self, error: ValueError, line: int, reading: Reading) -> InputError:
        problem = Problem(str(error), self.name, line, code="IO008")
        return InputError([*reading.problems, problem])


def _by_parser(
    source: Source, _options: Options, name: str = "", parse: Parser = lambda _stream: iter(())
) -> Records:
    """Return the records that the format's parser yields."""
    return ParsedRecords(source, name, parse)


def _by_suffix(sample: Sample, suffixes: tuple[str, ...] = ()) -> bool:
    """Whether the file has a suffix of the format."""
    return sample.suffix in suffixes


@dataclass(frozen=True)
class Format:
    r"""The declaration of a format; either ``read`` or ``parse`` is required.

    Attributes:
        name: The name for ``--from`` and ``--to``.
        title: The name for people.
        holds: The roles of its files: ``"ground_truth"``, ``"run"``, ``"corpus"``.
        carries: The parts of our data that survive being written and read again.
        fields: Its columns or fields, for the reference.
        groups: What becomes a group, for the reference.
        suffixes: Suffixes of file names; the first format with a suffix writes such files.
        recognises: Whether the sample of a file is of this format; by default, by its suffix.
        read: Returns the records of a source, in our shape.
        write: Writes records, in our shape, to a path; None if there is no writer. It may iterate
            over the records more than once instead of holding them.
        extra: The extra that must be installed, if any.
        parse: The simple way to read: yields records from an open file. A ValueError that it
            raises is reported as a problem of the file.
        ids: What makes up the id of a document, for the reference. A reader reports a document that
            lacks a part of it.
        convert_rows: Turns the rows of a frame, as objects of all their columns, into records in
            our shape; None if the format has no such form.

    Example:
        >>> def parse_words(stream):
        ...     for line in stream:
        ...         query, *ids = line.decode().split()
        ...         yield {"id": query, "ground_truth": [ids]}
        >>> words = Format("words", parse=parse_words, suffixes=(".words",))
    """

    name: str
    title: str = ""
    holds: frozenset[Role] = frozenset({"ground_truth"})
    carries: frozenset[Carried] = frozenset()
    fields: str = ""
    groups: str = ""
    suffixes: tuple[str, ...] = ()
    recognises: Callable[[Sample], bool] = _by_suffix
    read: Callable[[Source, Options], Records] = _by_parser
    write: Callable[[Iterable[Record], str], None] | None = None
    extra: str | None = None
    parse: Parser | None = None
    ids: str = ""
    convert_rows: Callable[[Records, Options], Records] | None = None

    def __post_init__(self) -> None:
        if (self.read is _by_parser) == (self.parse is None):
            raise TypeError(f"format {self.name!r}: expected either read or parse")
        suffixes = check_suffixes("format", self.name, self.suffixes)
        given: dict[str, Any] = {
            "title": self.title or self.name,
            "holds": self._check_roles(),
            "suffixes": suffixes,
        }
        if self.parse is not None:
            given["read"] = partial(_by_parser, name=self.name, parse=self.parse)
        if self.recognises is _by_suffix:
            given["recognises"] = partial(_by_suffix, suffixes=suffixes)
        for name, value in given.items():
            object.__setattr__(self, name, value)

    def _check_roles(self) -> frozenset[Role]:
        roles = frozenset(self.holds)
        if not roles <= set(ROLE_NAMES):
            expected = ", ".join(map(repr, ROLE_NAMES))
            raise ExtensionError(
                f"the format {self.name!r}: expected a set of {expected} as holds, "
                f"got {self.holds!r}"
            )
        return roles


def _load_built_in() -> Mapping[str, Format]:
    from groupwise.evaluator.formats import (  # noqa: PLC0415  (they declare with Format)
        beir,
        chunking_evaluation,
        csv,
        deepeval,
        double_bench,
        dpr,
        financebench,
        groupwise_json,
        hotpot,
        kilt,
        legalbench_rag,
        llama_index,
        multihop_rag,
        musique,
        parquet,
        promptfoo,
        qampari,
        ragas,
        ranx,
        text_corpus,
        trec,
    )

    modules = (
        groupwise_json, parquet, llama_index, ragas, hotpot, musique, multihop_rag, dpr, kilt,
        double_bench, qampari, financebench, chunking_evaluation, legalbench_rag, deepeval,
        promptfoo, beir, ranx, csv, trec, text_corpus,
    )  # fmt: skip
    return {declared.name: declared for module in modules for declared in module.FORMATS}


REGISTRY: Registry[Format] = Registry("format", _load_built_in)


def add_format(declared: Format) -> Format:
    """Add a format of your own to ``--from``, ``--to``, detection, ``read`` and ``convert``.

    It is asked before the built-in formats whether it recognises a file, unless the file is
    plainly JSON of groupwise.

    Args:
        declared: The format; one of the same name that you added before is replaced.

    Raises:
        ExtensionError: A built-in format has that name.
    """
    check_kind(declared, Format)
    REGISTRY.add(declared.name, _check_own(declared))
    return declared


def _check_own(own: Format) -> Format:
    """Return the format of a user with functions whose errors name it."""

    def recognises(sample: Sample) -> bool:
        with name_in_errors("format", own.name):
            return own.recognises(sample)

    def read(source: Source, options: Options) -> Records:
        with name_in_errors("format", own.name):
            records = own.read(source, options)
            if not hasattr(records, "batches"):
                raise ExtensionError(f"expected Records from read, got {records!r}")
            return records

    def write(records: Iterable[Record], path: str) -> None:
        with name_in_errors("format", own.name):
            own.write(records, path)  # type: ignore[misc]
            if not Path(path).exists():
                raise ExtensionError("its writer returned without writing a file")

    writer = None if own.write is None else write
    return replace(own, recognises=recognises, read=read, write=writer, parse=None)


def list_formats() -> dict[str, Format]:
    """Return all formats by name, in the order of detection; users' own come first."""
    known = REGISTRY.list_all()
    own = {name: known[name] for name in known if name not in REGISTRY.built_in}
    return {**own, **REGISTRY.built_in}


def find_format(name: str) -> Format:
    """Return the format of that name.

    Raises:
        InputError: There is none; the nearest names are suggested.
    """
    found = REGISTRY.find(name) if isinstance(name, str) else None
    if found is None:
        raise InputError([Problem(REGISTRY.describe_unknown(str(name)))])
    return found


def find_writer(path: str, role: Role | None) -> Format | None:
    """Return the first format that writes files with this suffix, in this role."""
    suffix = suffix_of(path)
    writers = [known for known in list_formats().values() if known.write]
    fitting = [known for known in writers if suffix in known.suffixes]
    return next((known for known in fitting if role is None or role in known.holds), None)
