"""From a path to its records: detects the format, which then reads the file.

JSON that is plainly ours is read at once; for other files, each format is asked whether it
recognises them.
"""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.groupwise_json import READERS, is_plainly_ours
from groupwise.evaluator.reading.detection import Sample, take_sample
from groupwise.evaluator.reading.file import File, limit_records, unwrap
from groupwise.evaluator.reading.limits import limiting_records
from groupwise.evaluator.reading.options import AS_IT_IS, ROLE_NAMES, Options, Role
from groupwise.evaluator.reading.records import JsonForm, Records
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.text_file import TextFile, refuse_special_file
from groupwise.evaluator.text import cut, quote

if TYPE_CHECKING:
    from groupwise.evaluator.formats.registry import Format


FilePath: TypeAlias = str | os.PathLike[str] | File


def records_in(path: FilePath | Source, options: Options = AS_IT_IS) -> Records:
    """Return the records of a file, or of standard input for ``-``.

    Raises:
        InputError: The file cannot be read, is empty, or is not of the required format or role.
    """
    return _open(path, options)[0]


class Editable(NamedTuple):
    """A file whose text may be edited: the kind of JSON, and the text."""

    form: JsonForm
    file: TextFile


def open_editable(path: FilePath, options: Options = AS_IT_IS) -> Editable | None:
    """Return a file to be edited, read at once; None if its format is not our own JSON.

    Raises:
        InputError: As for ``records_in``; or it is a pipe, or too large.
    """
    place, options = unwrap(path, options)
    refuse_special_file(place)
    form = records_in(place, options).editable
    return None if form is None else Editable(form, TextFile(place, options.max_bytes))


def detect_records(
    path: FilePath | Source, options: Options = AS_IT_IS
) -> tuple[Records, "Format | None"]:
    """Return the records of a file and its format; None if it is unknown and read as our JSON.

    Raises:
        InputError: As for ``records_in``.
    """
    from groupwise.evaluator.formats.registry import find_format  # noqa: PLC0415

    records, name = _open(path, options)
    return records, None if name is None else find_format(name)


def _open(given: FilePath | Source, options: Options) -> tuple[Records, str | None]:
    """Return the records, and the name of the format if it is known."""
    path, options = unwrap(given, options)
    if not isinstance(path, str | os.PathLike | Source):
        raise InputError([Problem(f"expected a path, got {quote(path)}")])
    source = path if isinstance(path, Source) else Source(path, options.max_bytes)
    with limiting_records(options.max_record_bytes):
        records, name = _read(source, options)
    return limit_records(records, options), name


def _read(source: Source, options: Options) -> tuple[Records, str | None]:
    sample = take_sample(source)
    if sample.files is None and not sample.is_parquet and not sample.is_json:
        _refuse_foreign(sample, options)
    if options.format is None and sample.is_parquet:
        return _open_table(source, sample, options)
    if options.fields and not sample.is_parquet:
        from groupwise.evaluator.formats.mapping.fields import choose_paths  # noqa: PLC0415
        from groupwise.evaluator.formats.registry import find_format  # noqa: PLC0415

        if options.format is not None:
            find_format(options.format)
        if paths := choose_paths(options):
            from groupwise.evaluator.formats.mapping.opening import open_mapped  # noqa: PLC0415

            return open_mapped(source, sample, options, paths), None
    if options.format is None and options.role != "corpus" and is_plainly_ours(sample):
        return READERS[sample.json_form](source, options), sample.json_form
    known = _detect_format(sample, options)
    if known is None:
        return READERS[sample.json_form](source, options), None
    return known.read(source, options), known.name


def _refuse_foreign(sample: Sample, options: Options) -> None:
    """Raise an InputError for a file of a kind that only a user's own format could read."""
    from groupwise.evaluator.reading.foreign import describe_foreign  # noqa: PLC0415

    message = describe_foreign(sample.start)
    if message and not _is_own(options.format, sample):
        raise InputError([Problem(message, sample.name, code="IO001")])


def _is_own(name: str | None, sample: Sample) -> bool:
    """Whether a format that a user added is named, or recognises the sample."""
    from groupwise.evaluator.formats.registry import REGISTRY, list_formats  # noqa: PLC0415

    if name is not None:
        return name not in REGISTRY.built_in
    own = (known for known in list_formats().values() if known.name not in REGISTRY.built_in)
    return any(known.recognises(sample) for known in own)


def _detect_format(sample: Sample, options: Options) -> "Format | None":
    """Return the format that is named or recognises the sample; None for unknown JSON."""
    from groupwise.evaluator.formats.refusals import refuse_known_others, refuse_other_content  # noqa: PLC0415
    from groupwise.evaluator.formats.registry import find_format  # noqa: PLC0415

    if options.format is not None:
        named = check_role(find_format(options.format), sample, options.role)
        refuse_other_content(named, sample)
        return named
    found = recognise(sample, options.role)
    if found is not None:
        return check_role(found, sample, options.role)
    refuse_known_others(sample, options.role)
    refuse_unknown(sample)
    return None


def _open_table(source: Source, sample: Sample, options: Options) -> tuple[Records, str]:
    """Return the records of a parquet file: of our columns, or of a format with such rows."""
    from groupwise.evaluator.formats.parquet import table_records  # noqa: PLC0415
    from groupwise.evaluator.formats.parquet_rows import open_rows  # noqa: PLC0415
    from groupwise.evaluator.reading.layout import lacks_columns  # noqa: PLC0415

    file = open_rows(source)
    is_ours = options.fields or options.role == "corpus"
    if not is_ours and lacks_columns(file.schema.names, options.role):
        found = recognise_rows(replace(sample, row=file.first_row()))
        if found is not None:
            return check_role(found, sample, options.role).read(source, options), found.name
    return table_records(file, options), "parquet"


def recognise_rows(sample: Sample) -> "Format | None":
    """Return the format whose records are the rows of a table; the sample has the first row."""
    from groupwise.evaluator.formats.registry import list_formats  # noqa: PLC0415

    others = (known for known in list_formats().values() if known.name != "parquet")
    tables = (known for known in others if ".parquet" in known.suffixes)
    return next((known for known in tables if known.recognises(sample)), None)


def recognise_format(source: Source, sample: Sample, options: Options) -> "Format | None":
    """Return the format that a file is read in without being told; None if there is none.

    Parquet is only recognised if its columns are known.
    """
    from groupwise.evaluator.formats.registry import find_format  # noqa: PLC0415

    if sample.is_parquet:
        try:
            return find_format(_open_table(source, sample, options)[1])
        except InputError:
            return None
    if options.role != "corpus" and is_plainly_ours(sample):
        return find_format(sample.json_form)
    return recognise(sample, options.role)


def recognise(sample: Sample, role: Role | None) -> "Format | None":
    """Return the first format for a role that recognises a sample; None if there is none."""
    from groupwise.evaluator.formats.registry import list_formats  # noqa: PLC0415

    candidates = (known for known in list_formats().values() if _is_candidate(known, role))
    return next((known for known in candidates if known.recognises(sample)), None)


def _is_candidate(known: "Format", role: Role | None) -> bool:
    """Whether a format is asked: in the role of a corpus only those that hold one.

    Formats that hold nothing else are asked in that role only: any text may be a list of ids.
    """
    return "corpus" in known.holds if role == "corpus" else known.holds != {"corpus"}


def refuse_unknown(sample: Sample) -> None:
    """Raise an InputError for what no format recognises and cannot be JSON."""
    if sample.files is not None:
        message = "this is a folder, not a file; only BEIR folders can be read"
        raise InputError([Problem(message, sample.name)])
    _refuse_foreign(sample, AS_IT_IS)
    if not sample.may_be_json:
        beginning = cut(sample.text[:200].decode("utf-8", "replace"), 40)
        message = (
            f"unknown format: the file begins with {beginning!r}; if groupwise can read it, name "
            "the format with File(…, format=…) (docs/reference/formats.md lists them)"
        )
        raise InputError([Problem(message, sample.name, code="IO001")])


def check_role(found: "Format", sample: Sample, role: Role | None) -> "Format":
    """Return the format, if it can hold what is expected in the file."""
    if role is None or role in found.holds:
        return found
    held = " and ".join(ROLE_NAMES[held] for held in ROLE_NAMES if held in found.holds)
    message = (
        f"expected {ROLE_NAMES[role]}, got {found.title} ({found.name}), which holds {held}; "
        "are the files swapped?"
    )
    raise InputError([Problem(message, sample.name)])
