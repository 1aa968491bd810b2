"""A look at the beginning of a file: its format, or its fields and how to read them."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.opening import recognise_format, refuse_unknown
from groupwise.evaluator.formats.registry import Format, find_format
from groupwise.evaluator.inspection.candidates import Known, know_fields
from groupwise.evaluator.inspection.commands import spell_command
from groupwise.evaluator.inspection.documents import (
    Beginning,
    check_text,
    copy_rows,
    cut_lines,
    read_beginning,
)
from groupwise.evaluator.inspection.proposals import Flat, explain, propose
from groupwise.evaluator.inspection.recognised import propose_known
from groupwise.evaluator.inspection.runs import add_run
from groupwise.evaluator.inspection.shapes import FieldFacts, Shape, find_shapes, list_fields
from groupwise.evaluator.inspection.trials import Held, Trial, is_flat, read_held, try_fields
from groupwise.evaluator.inspection.vocabulary import (
    GROUND_TRUTH,
    QUERY,
    RESULTS,
    WRAPPERS,
    is_named,
    split_name,
)
from groupwise.evaluator.reading.detection import Sample, suffix_of, take_sample
from groupwise.evaluator.reading.file import File, takes_files
from groupwise.evaluator.reading.limits import limiting_records
from groupwise.evaluator.reading.options import ROLE_NAMES, Options, Role
from groupwise.evaluator.reading.source import MemorySource, Source
from groupwise.evaluator.text import cut, plural, printable
from groupwise.schemas.inspection import InspectedField, Inspection, Proposal
from groupwise.schemas.values import names_in

SHOWN_FIELDS = 60
LONGEST_EXAMPLE = 60
LONGEST_PATH = 80
FILES_SHOWN = 10
FEW_WORDS = 3
DATA_SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".pq", ".txt", ".qrels")
AS_GROUND_TRUTH, AS_CORPUS = Options(), Options(role="corpus")


@takes_files
def inspect(
    path: str | os.PathLike[str] | File, run: str | os.PathLike[str] | File | None = None
) -> Inspection:
    """Look at the beginning of a file: what it is, its fields, and how to read it.

    Args:
        path: The file, or a folder; ``-`` is standard input. Of a ``File`` the limits count: its
            format and its fields are looked for.
        run: The results that belong to the file, for commands that evaluate them.

    Returns:
        The format if it is known, otherwise the fields of the records with what each could be; and
        proposals, each a command line with the ``map`` that ``File`` takes, and ``flat``. Where a
        flat list can be read as ``any`` or as ``all``, there is a proposal for each.

    Raises:
        InputError: The file cannot be read, or is neither JSON nor a table nor of a known format.

    Example:
        >>> found = inspect("fixtures/formats/golden/flat-lists.json")
        >>> [proposal.flat for proposal in found.proposals]
        ['any', 'all']
    """
    source, found = _inspect_file(path)
    if run is None:
        return found
    results, seen = _inspect_file(run)
    return add_run(found, source, seen, results)


def _inspect_file(path: str | os.PathLike[str] | File) -> tuple[Source, Inspection]:
    file = path if isinstance(path, File) else File(path)
    source = Source(file.path, file.max_bytes)
    with limiting_records(file.max_record_bytes):
        return source, inspect_source(source)


def inspect_source(source: Source) -> Inspection:
    """Return what the beginning of a source says."""
    sample = take_sample(source)
    if sample.is_parquet:
        small, whole = copy_rows(source)
        return _inspect_sample(small, sample).model_copy(update={"whole": whole})
    return _inspect_sample(source, sample)


def inspect_unknown(source: Source) -> Inspection | None:
    """Return what the beginning of a source says; None if its format is known."""
    sample = take_sample(source)
    small = copy_rows(source)[0] if sample.is_parquet else source
    return None if _recognise(small, sample) else _inspect_unrecognised(small, sample)


def _inspect_sample(source: Source, sample: Sample) -> Inspection:
    known = _recognise(source, sample)
    if known is not None:
        return _describe_known(source, sample, *known)
    return _inspect_unrecognised(source, sample)


def _inspect_unrecognised(source: Source, sample: Sample) -> Inspection:
    if sample.files is not None:
        return _describe_folder(source, sample)
    beginning = read_beginning(source, sample)
    if beginning is None:
        refuse_unknown(sample)
        error = check_text(sample, sample.json_form)
        message = "neither JSON nor a table"
        raise error or InputError([Problem(message, sample.name, code="IO001")])
    return _describe_unknown(source, sample, beginning)


def _recognise(source: Source, sample: Sample) -> tuple[Format, Options] | None:
    """Return the format of a file and how to read it: as ground truth or run, else as a corpus."""
    if _has_columns(sample):
        return None
    known = recognise_format(source, sample, AS_GROUND_TRUTH)
    if known is not None:
        return known, AS_GROUND_TRUTH
    if _is_map(source, sample):
        return find_format("json"), AS_GROUND_TRUTH
    known = recognise_format(source, sample, AS_CORPUS)
    if known is None and _has_documents(sample):
        known = find_format(sample.json_form)
    if known is not None and _is_corpus(source, sample, known):
        return known, AS_CORPUS
    return None


def _has_documents(sample: Sample) -> bool:
    """Whether the first JSON record is a document: an id and a text, and no question."""
    record = sample.first_record
    if record is None or not {"id", "text"} <= names_in(record).keys():
        return False
    texts = [value for value in record.values() if isinstance(value, str)]
    return not any(text.rstrip().endswith("?") for text in texts)


def _has_columns(sample: Sample) -> bool:
    """Whether a JSON object has a list of questions, beside other lists: it is no map by id."""
    record = sample.first_record or {}
    lists = [name for name, value in record.items() if isinstance(value, list)]
    return 1 < len(lists) == len(record) and any(is_named(split_name(n), QUERY) for n in lists)


def _is_map(source: Source, sample: Sample) -> bool:
    """Whether a document has lists of ids, or numbers by id, for each query id."""
    if not sample.is_json or sample.text[:1] != b"{":
        return False
    beginning = read_beginning(source, sample)
    document = beginning.document if beginning else None
    return isinstance(document, dict) and bool(document) and all(map(is_flat, document.values()))


def _is_corpus(source: Source, sample: Sample, known: Format) -> bool:
    """Whether a file can be read as a corpus; any text could be a list of ids, but few are."""
    if known.name == "id-list" and not _are_ids(sample.lines):
        return False
    try:
        return read_held(_shorten(source, sample), AS_CORPUS).records > 0
    except InputError:
        return False


def _are_ids(lines: Sequence[bytes]) -> bool:
    """Whether most lines are one word, and none is more than a few."""
    counts = [len(line.split()) for line in lines]
    return max(counts) <= FEW_WORDS and 2 * counts.count(1) > len(counts)


def _describe_known(source: Source, sample: Sample, known: Format, options: Options) -> Inspection:
    held, notes = Held(0, frozenset(), "--flat" in known.groups), list[str]()
    if sample.files is None:
        try:
            held = read_held(_shorten(source, sample), options)
        except InputError as error:
            held = held._replace(is_readable=False)
            notes.append(f"it cannot be read as it is: {error.problems[0].message}")
    roles: frozenset[Role] = frozenset({"corpus"}) if options is AS_CORPUS else held.roles
    held = held._replace(roles=roles)
    if held.has_text:
        notes.append("it holds texts that read like prose, not like ids; answers are not ids")
    if not sample.is_cut:
        notes += _explain_text(held.problems, held.problem_count)
    shown = roles or known.holds - {"corpus"}
    return Inspection(
        file=source.name, format=known.name, title=known.title,
        holds=tuple(role for role in ROLE_NAMES if role in shown),
        records=held.records, whole=not sample.is_cut,
        proposals=tuple(propose_known(source.path, known, held, sample)), notes=tuple(notes),
    )  # fmt: skip


def _shorten(source: Source, sample: Sample) -> Source:
    """Return a source with the beginning of a file only, if the file is long."""
    if not sample.is_cut:
        return source
    if sample.is_json:
        beginning = read_beginning(source, sample)
        data = beginning.data if beginning else b""
        return MemorySource(source.name, data) if data else source
    return MemorySource(source.name, cut_lines(sample))


def _describe_folder(source: Source, sample: Sample) -> Inspection:
    """Return the files of a folder that could be looked at instead."""
    folder = Path(source.path)
    names = [name for name in sorted(sample.files or ()) if _is_data(folder / name)]
    if not names:
        refuse_unknown(sample)
    paths = [os.fspath(folder / name) for name in names[:FILES_SHOWN]]
    whole = spell_command("validate", [source.path])
    return Inspection(
        file=source.name, title="a folder of no known format", whole=len(names) <= FILES_SHOWN,
        proposals=(
            Proposal(command=whole, why="checks every data file in it"),
            *(
                Proposal(command=spell_command("inspect", [path]), why="looks at what is in it")
                for path in paths
            ),
        ),
    )  # fmt: skip


def _is_data(path: Path) -> bool:
    return path.is_dir() or suffix_of(path.name) in DATA_SUFFIXES


def _describe_unknown(source: Source, sample: Sample, beginning: Beginning) -> Inspection:
    shape, known = _choose_shape(beginning.document)
    error = beginning.error
    if error and not known:
        raise error
    try_out = partial(_try_out, source, sample, beginning)
    proposals, failures = propose(source.path, shape, known, try_out, whole=beginning.whole)
    notes = [
        *explain(shape, known, proposals, failures),
        *(_explain_text(error.problems, error.count) if error else ()),
    ]
    return Inspection(
        file=source.name, title=_describe_shape(beginning, shape), records=len(shape.records),
        holds=tuple(_list_roles(proposals)), whole=beginning.whole,
        fields=tuple(_describe_field(field) for field in known[:SHOWN_FIELDS]),
        proposals=tuple(proposals), notes=tuple(notes),
    )  # fmt: skip


def _try_out(
    source: Source,
    sample: Sample,
    beginning: Beginning,
    fields: Mapping[str, str],
    flat: Flat | None,
    roles: frozenset[Role],
) -> Trial:
    tried = MemorySource(sample.name, beginning.data) if beginning.data else source
    return try_fields(tried, fields, flat, roles)


def _choose_shape(document: Any) -> tuple[Shape, list[Known]]:
    """Return the list of records that looks most like queries, with its fields."""
    best: tuple[int, Shape, list[Known]] = (0, Shape(("",), ()), [])
    for shape in find_shapes(document):
        known = know_fields(list_fields(shape))
        rating = _rate(shape, known)
        if rating > best[0]:
            best = rating, shape, known
    if not best[0] and isinstance(document, Mapping):
        shape = Shape(("",), [(document,)])
        return shape, know_fields(list_fields(shape))
    return best[1:]


def _rate(shape: Shape, known: Sequence[Known]) -> int:
    """Return how much records look like queries: by their fields, then by where they are."""
    found = {
        meaning: max((field.strength(meaning) for field in known), default=0)
        for meaning in (GROUND_TRUTH, RESULTS, QUERY)
    }
    fields = 20 * found[GROUND_TRUTH] + 20 * found[RESULTS] + 20 * found[QUERY]
    key = shape.prefixes[-1].removesuffix("[].").rpartition(".")[2]
    return 1 + fields + 5 * (key in WRAPPERS) + max(0, 8 - 2 * len(shape.prefixes))


def _describe_shape(beginning: Beginning, shape: Shape) -> str:
    where = shape.prefixes[-1].removesuffix(".")
    place = f", records under {printable(cut(where, LONGEST_PATH))}" if where else ""
    keyed = ", records by their ids" if shape.by_id else ""
    return f"{beginning.kind} of no known format{place}{keyed}"


def _describe_field(field: Known) -> InspectedField:
    facts = field.facts
    could_be = dict.fromkeys(meaning.name for meaning in field.meanings)
    return InspectedField(
        path=cut(facts.path, LONGEST_PATH), type=facts.type, example=_show_example(facts),
        could_be=tuple(could_be), records=len(facts.values),
    )  # fmt: skip


def _show_example(facts: FieldFacts) -> str:
    """Return the first value that is not empty, cut if it is long."""
    value = next((value for value in facts.values if value not in ("", [])), facts.values[0])
    return cut(value if isinstance(value, str) else _spell(value), LONGEST_EXAMPLE)


def _spell(value: Any) -> str:
    import json  # noqa: PLC0415  (slow to load)

    with suppress(TypeError, ValueError, RecursionError):
        return json.dumps(value, ensure_ascii=False, default=str)
    return repr(value)


def _list_roles(proposals: Sequence[Proposal]) -> Iterator[str]:
    fields = {field for proposal in proposals for field in proposal.map}
    yield from (
        role
        for role, field in {"ground_truth": "ground_truth", "run": "results"}.items()
        if field in fields
    )


def _explain_text(problems: Sequence[Problem], count: int) -> Iterator[str]:
    if problems:
        first = printable(str(problems[0]))
        yield f"{plural(count, 'problem')} of the text: {cut(first, 160)}"
