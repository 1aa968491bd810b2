"""Bytes to records: one module per format, recognised by content and name.

What is plainly ours is read at once; for all else the other formats are asked whether they know it.
"""

import os
from typing import TYPE_CHECKING

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.groupwise_json import is_plainly_ours, read_json
from groupwise.evaluator.plugins.loading import load_installed
from groupwise.evaluator.reading.detection import Sample, take_sample
from groupwise.evaluator.reading.options import AS_IT_IS, Options, Role
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.text import shorten

if TYPE_CHECKING:
    from groupwise.evaluator.formats.registry import Format


def records_in(path: str | os.PathLike[str] | Source, options: Options = AS_IT_IS) -> Records:
    """The records of a file, or of standard input for ``-``; an empty file is refused.

    Raises:
        InputError: It cannot be read, holds nothing, or is not of the format that is insisted on.
    """
    return _open(path, options)[0]


def detect_records(
    path: str | os.PathLike[str], options: Options = AS_IT_IS
) -> tuple[Records, "Format | None"]:
    """The records of a file and its format; None for one that nobody knows, read as ours."""
    records, sample = _open(path, options)
    mapped = bool(options.fields) and records.editable is None
    return records, None if mapped else _format_of(sample, options)


def _open(path: str | os.PathLike[str] | Source, options: Options) -> tuple[Records, Sample]:
    source = path if isinstance(path, Source) else Source(path, options.max_bytes)
    sample = take_sample(source)
    if options.format is None and sample.is_parquet:
        from groupwise.evaluator.formats.parquet import parquet_records  # noqa: PLC0415

        return parquet_records(source, options), sample
    if options.fields and not sample.is_parquet:
        from groupwise.evaluator.formats.mapping.fields import mapped_fields, ways_for  # noqa: PLC0415

        if ways := ways_for(options):
            return mapped_fields(read_json(source, sample, options.role), ways), sample
    if options.format is None and options.role != "corpus" and is_plainly_ours(sample):
        return read_json(source, sample, options.role), sample
    found = _format_of(sample, options)
    return (
        read_json(source, sample, options.role) if found is None else found.read(source, options)
    ), sample


def _format_of(sample: Sample, options: Options) -> "Format | None":
    from groupwise.evaluator.formats.registry import find_format  # noqa: PLC0415

    if options.format is not None:
        return _in_role(find_format(options.format), sample, options)
    found = _recognise(sample, options.role)
    if found is None and load_installed():
        found = _recognise(sample, options.role)
    if found is not None:
        return _in_role(found, sample, options)
    if sample.is_folder:
        message = "this is a folder, not a file; the folders that are read are BEIR's"
        raise InputError([Problem(message, sample.name)])
    _refuse_the_unknown(sample)
    return None


def _recognise(sample: Sample, role: Role | None) -> "Format | None":
    from groupwise.evaluator.formats.registry import list_formats  # noqa: PLC0415

    candidates = (known for known in list_formats().values() if _is_candidate(known, role))
    return next((known for known in candidates if known.recognises(sample)), None)


def _is_candidate(known: "Format", role: Role | None) -> bool:
    """Whether a format is asked: in the role of a corpus only those that hold one.

    Formats that hold nothing else are asked in that role only: any text may be a list of ids.
    """
    return "corpus" in known.holds if role == "corpus" else known.holds != {"corpus"}


def _refuse_the_unknown(sample: Sample) -> None:
    """What nobody knows is read as JSON, if it can be JSON by its name or its first sign."""
    if not sample.may_be_json:
        beginning = shorten(sample.text[:200].decode("utf-8", "replace"), 40)
        message = (
            f"no format that groupwise knows: it begins with {beginning!r}; if it is one, name it "
            "with --from (docs/reference/formats.md lists them)"
        )
        raise InputError([Problem(message, sample.name, code="IO001")])


def _in_role(found: "Format", sample: Sample, options: Options) -> "Format":
    """The format, if it can hold what is looked for in the file."""
    if options.role is None or options.role in found.holds:
        return found
    what = {"ground_truth": "ground truth", "run": "results", "corpus": "corpus"}
    held = " and ".join(sorted(what[role] for role in found.holds))
    message = (
        f"{found.title} ({found.name}) where {what[options.role]} should be: it has {held}; "
        "are the files in the wrong order?"
    )
    raise InputError([Problem(message, sample.name)])
