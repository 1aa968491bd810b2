"""The door from a path to its records: the format is detected, then reads the file.

What is plainly ours is read at once; otherwise the formats are asked whether they recognise it.
"""

import os
from typing import TYPE_CHECKING

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.groupwise_json import is_plainly_ours, read_json
from groupwise.evaluator.plugins.loading import load_installed
from groupwise.evaluator.reading.detection import Sample, take_sample
from groupwise.evaluator.reading.options import AS_IT_IS, ROLE_NAMES, Options, Role
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.text import cut

if TYPE_CHECKING:
    from groupwise.evaluator.formats.registry import Format


def records_in(path: str | os.PathLike[str] | Source, options: Options = AS_IT_IS) -> Records:
    """Return the records of a file, or of standard input for ``-``.

    Raises:
        InputError: The file cannot be read, is empty, or is not of the required format or role.
    """
    return _open(path, options)[0]


def detect_records(
    path: str | os.PathLike[str], options: Options = AS_IT_IS
) -> tuple[Records, "Format | None"]:
    """Return the records of a file and its format; None if it is unknown and read as our JSON.

    Raises:
        InputError: As for ``records_in``.
    """
    records, sample = _open(path, options)
    is_mapped = bool(options.fields) and records.editable is None
    return records, None if is_mapped else _detect_format(sample, options)


def _open(path: str | os.PathLike[str] | Source, options: Options) -> tuple[Records, Sample]:
    source = path if isinstance(path, Source) else Source(path, options.max_bytes)
    sample = take_sample(source)
    if options.format is None and sample.is_parquet:
        from groupwise.evaluator.formats.parquet import parquet_records  # noqa: PLC0415

        return parquet_records(source, options), sample
    if options.fields and not sample.is_parquet:
        from groupwise.evaluator.formats.mapping.fields import choose_paths, map_fields  # noqa: PLC0415

        if paths := choose_paths(options):
            return map_fields(read_json(source, sample, options.role), paths), sample
    if options.format is None and options.role != "corpus" and is_plainly_ours(sample):
        return read_json(source, sample, options.role), sample
    known = _detect_format(sample, options)
    if known is None:
        return read_json(source, sample, options.role), sample
    return known.read(source, options), sample


def _detect_format(sample: Sample, options: Options) -> "Format | None":
    """Return the format that is named or recognises the sample; None for unknown JSON."""
    from groupwise.evaluator.formats.registry import find_format  # noqa: PLC0415

    if options.format is not None:
        return _check_role(find_format(options.format), sample, options.role)
    found = _recognise(sample, options.role)
    if found is None and load_installed():
        found = _recognise(sample, options.role)
    if found is not None:
        return _check_role(found, sample, options.role)
    _refuse_unknown(sample)
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


def _refuse_unknown(sample: Sample) -> None:
    """Raise an InputError for what no format recognises and cannot be JSON."""
    if sample.is_folder:
        message = "this is a folder, not a file; only BEIR folders can be read"
        raise InputError([Problem(message, sample.name)])
    if not sample.may_be_json:
        beginning = cut(sample.text[:200].decode("utf-8", "replace"), 40)
        message = (
            f"unknown format: the file begins with {beginning!r}; if groupwise can read it, name "
            "the format with --from (docs/reference/formats.md lists them)"
        )
        raise InputError([Problem(message, sample.name, code="IO001")])


def _check_role(found: "Format", sample: Sample, role: Role | None) -> "Format":
    """Return the format, if it can hold what is expected in the file."""
    if role is None or role in found.holds:
        return found
    held = " and ".join(ROLE_NAMES[held] for held in ROLE_NAMES if held in found.holds)
    message = (
        f"expected {ROLE_NAMES[role]}, got {found.title} ({found.name}), which holds {held}; "
        "are the files in the wrong order?"
    )
    raise InputError([Problem(message, sample.name)])
