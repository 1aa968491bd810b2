"""Files to models, and from one format to another; what is lost on the way is told before."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack, overload

from groupwise.evaluator.errors import InputError, LossyConversion, Problem, Problems
from groupwise.evaluator.formats.losses import WORDS, held_in
from groupwise.evaluator.formats.opening import recognised
from groupwise.evaluator.formats.registry import Format, find_format, find_writer, list_formats
from groupwise.evaluator.intake.bulk import Plain
from groupwise.evaluator.intake.checking import Intake
from groupwise.evaluator.intake.documents import open_corpus
from groupwise.evaluator.intake.problems import read_head
from groupwise.evaluator.reading.detection import MODELS, detect_roles
from groupwise.evaluator.reading.options import Options, Record, Role
from groupwise.evaluator.reading.records import Reading, Records
from groupwise.schemas import (
    Corpus,
    Dataset,
    Fixture,
    FixtureQuery,
    Policies,
    Query,
    Run,
    RunQuery,
)
from groupwise.schemas.result import Result
from groupwise.schemas.shape import is_number

Model = type[Query] | type[RunQuery]
WHICH = "ground truth or results? This can be either; say role='ground_truth' or role='run'"


@dataclass(frozen=True)
class Conversion:
    """What was written: the formats, how many queries, what was lost, what reading warned of."""

    source: str
    target: str
    queries: int
    lost: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass
class Content:
    """The sound records of a file, as often as they are asked for, and what else it says."""

    records: Records
    model: Model
    policies: Policies
    roles: frozenset[Role]
    head: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def models(self) -> Iterator[Query | RunQuery]:
        """The records as models; an InputError at the end if there are problems."""
        with self._intake() as intake:
            yield from intake.models()

    def __iter__(self) -> Iterator[Record]:
        """The records as plain data, with the fields of the roles that are asked for."""
        kept = {name for role in self.roles for name in MODELS[frozenset({role})].model_fields}
        kept |= {"expected"} if len(self.roles) == 2 else set()
        fields = [name for name in self.model.model_fields if name in kept and name != "id"]
        with self._intake() as intake:
            for found in intake.contents():
                if isinstance(found, Plain):
                    yield from found.records(["id", *fields])
                else:
                    yield {name: value for name, value in _plain(found).items() if name in kept}

    @contextmanager
    def _intake(self) -> Iterator[Intake]:
        """A new reading; what it found besides records is kept, problems are raised."""
        problems = Problems()
        intake = Intake(self.records, self.model, self.policies, problems)
        yield intake
        self.head = intake.reading.head
        self.warnings = tuple(intake.reading.warnings)
        problems.raise_if_any()


class ReadOptions(TypedDict, total=False):
    """What ``read`` takes besides the role."""

    format: str | None
    flat: Literal["any", "all"] | None
    ids: Literal["text"] | None
    fields: Mapping[str, str] | None
    subtopics: bool
    cnf: bool
    max_bytes: int | None


@overload
def read(
    path: str | os.PathLike[str], *, role: Literal["ground_truth"], **options: Unpack[ReadOptions]
) -> Dataset: ...
@overload
def read(
    path: str | os.PathLike[str], *, role: Literal["run"], **options: Unpack[ReadOptions]
) -> Run: ...
@overload
def read(
    path: str | os.PathLike[str], *, role: Literal["corpus"], **options: Unpack[ReadOptions]
) -> Corpus: ...
@overload
def read(
    path: str | os.PathLike[str], *, role: None = None, **options: Unpack[ReadOptions]
) -> Dataset | Run | Fixture: ...
def read(  # noqa: PLR0913  (what can be said of a file, all by keyword)
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002  (what people call it)
    role: Role | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    fields: Mapping[str, str] | None = None,
    subtopics: bool = False,
    cnf: bool = False,
    max_bytes: int | None = None,
) -> Dataset | Run | Fixture | Corpus:
    """Read a file of any format that groupwise knows.

    Args:
        path: The file, or the folder of a format that has one; ``-`` is standard input.
        format: The name of the format; None recognises it by its content and name.
        role: ``"ground_truth"`` or ``"run"``, where a file can be either or holds both;
            ``"corpus"`` for documents.
        flat: For ground truth without groups: ``"any"`` makes it one group, ``"all"`` one per id.
        ids: ``"text"`` makes all ids strings.
        fields: Where the fields of ours are in records of any shape, such as
            ``{"query": "inputs.question", "ground_truth": "outputs.doc_ids"}``.
        subtopics: TREC qrels have the group in their second column.
        cnf: Expand evidence that is an OR of ANDs, which changes fractions.
        max_bytes: How many bytes compressed data may have when decompressed.

    Returns:
        A Dataset, a Run, a Corpus, or a Fixture if the file holds ground truth and results.

    Raises:
        InputError: The file is unsound; all problems are listed, each with its place.

    Example:
        >>> from groupwise import read
        >>> read("fixtures/formats/long.csv").queries[0].id
        'q1'
    """
    options = Options(format, fields or {}, subtopics, cnf, role, max_bytes, texts=True)
    if role == "corpus":
        return _read_corpus(path, options, ids)
    content = _content(path, options, Policies(flat=flat, ids=ids))
    models: Any = tuple(content.models())
    if not models:
        raise InputError([Problem("no queries", os.fspath(path))])
    if role is not None and content.model is FixtureQuery:
        return _of_role(content, role)
    if content.model is FixtureQuery:
        head = read_head(Reading(head=content.head), os.fspath(path))
        return Fixture.model_construct(**dict(head), queries=models)
    return (Run if content.model is RunQuery else Dataset).model_construct(queries=models)


def _read_corpus(
    path: str | os.PathLike[str], options: Options, ids: Literal["text"] | None
) -> Corpus:
    problems = Problems()
    documents = tuple(open_corpus(path, options=options).models(problems, ids))
    problems.raise_if_any()
    if not documents:
        raise InputError([Problem("no documents", os.fspath(path), code="IO009")])
    return Corpus.model_construct(documents=documents)


def _of_role(content: Content, role: str) -> Dataset | Run:
    """The ground truth or the results of records that hold both."""
    shape = Run if role == "run" else Dataset
    return shape.model_validate(list(content))


def _content(path: str | os.PathLike[str], options: Options, policies: Policies) -> Content:
    """The content of a file, in the role that is asked for or that can be told."""
    records, found = recognised(path, options)
    held = _roles_of(records, found, options, flat=policies.flat is not None)
    roles = held if options.role is None else frozenset({options.role})
    return Content(records, MODELS[held], policies, roles)


def _roles_of(
    records: Records, found: Format | None, options: Options, *, flat: bool
) -> frozenset[Role]:
    """What the records hold: ground truth, a run, or both."""
    first = _first(records)
    if roles := detect_roles(first):
        return roles
    if options.role is not None:
        return frozenset({options.role})
    known = frozenset() if found is None else found.holds - {"corpus"}
    if len(known) == 1:
        return frozenset(known)
    if flat or _has_groups(first):
        return frozenset({"ground_truth"})
    raise InputError([Problem(WHICH, records.name)])


def _first(records: Records) -> Any:
    """The first record, or what stands for it under its query id."""
    reading = Reading()
    for batch in records.batches(reading):
        if batch.values:
            return batch.values[0]
    if reading.problems:
        raise InputError(reading.problems)
    raise InputError([Problem("no queries", records.name)])


def _has_groups(value: Any) -> bool:
    """Whether this is a list of groups, and nothing that a list of results could be."""
    if isinstance(value, Mapping):
        return not all(map(is_number, value.values()))
    return isinstance(value, list) and any(isinstance(one, list) for one in value)


def _plain(model: Query | RunQuery) -> dict[str, Any]:
    """A record as plain data, in the shortest way of writing."""
    fields = {"id": model.id, **model.model_dump(mode="json")}
    results = getattr(model, "results", ())
    if results and all(_has_score_only(one) for one in results):
        fields |= {"results": [one.id for one in results], "scores": [one.score for one in results]}
    return {name: value for name, value in fields.items() if value is not None}


def _has_score_only(result: Any) -> bool:
    return isinstance(result, Result) and result.model_fields_set == {"id", "score"}


def convert(  # noqa: PLR0913  (what can be said of two files, all by keyword)
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002  (what people call it)
    to: str | None = None,
    role: Role | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    fields: Mapping[str, str] | None = None,
    subtopics: bool = False,
    cnf: bool = False,
    lossy: bool = False,
    max_bytes: int | None = None,
) -> Conversion:
    """Write the data of a file in another format.

    Args:
        source: The file to read; ``format``, ``role``, ``flat``, ``ids``, ``fields``,
            ``subtopics``, ``cnf`` and ``max_bytes`` are those of ``read``.
        target: The file to write, whole or not at all.
        format: The name of the format to read.
        to: The name of the format to write; None tells it by the name of the target.
        role: What to write of records that hold both ground truth and results.
        flat: For ground truth without groups, if the target has groups.
        ids: ``"text"`` makes all ids strings.
        fields: Where the fields of ours are in records of any shape.
        subtopics: TREC qrels have the group in their second column, read and written.
        cnf: Expand evidence that is an OR of ANDs, which changes fractions.
        lossy: Write also what the target cannot carry in whole.
        max_bytes: How many bytes compressed data may have when decompressed.

    Returns:
        What was written, and what was lost.

    Raises:
        InputError: The source is unsound, or the target has no writer.
        LossyConversion: The target cannot carry everything; nothing was written.
        OutputError: It could not be written; what was there before is untouched.
    """
    options = Options(format, fields or {}, subtopics, cnf, role, max_bytes, texts=True)
    known = _target(os.fspath(target), to, role, subtopics=subtopics)
    if flat is None and known is not None and "groups" not in known.carries:
        flat = "any"
    content = _content(source, options, Policies(flat=flat, ids=ids))
    chosen = known or _target_for(os.fspath(target), content.roles, subtopics=subtopics)
    if flat is None and "groups" not in chosen.carries:
        content.policies = Policies(flat="any", ids=ids)
    content.roles, left = _written_roles(content.roles, chosen, os.fspath(source))
    return _written(content, chosen, os.fspath(source), os.fspath(target), left, lossy=lossy)


def _target(path: str, to: str | None, role: Role | None, *, subtopics: bool) -> Format | None:
    """The format to write, as far as the call says it."""
    if to is None:
        if Path(path).is_dir() or path.endswith(("/", os.sep)):
            return find_format("beir")
        found = None if role is None else find_writer(path, role)
        return _with_subtopics(found, subtopics=subtopics)
    found = find_format(to)
    if found.write is None:
        writers = ", ".join(one.name for one in list_formats().values() if one.write)
        raise InputError([Problem(f"{to} is read and not written; there are {writers}")])
    return _with_subtopics(found, subtopics=subtopics)


def _with_subtopics(found: Format | None, *, subtopics: bool) -> Format | None:
    is_flat = found is not None and found.name == "trec-qrels"
    return find_format("trec-diversity") if is_flat and subtopics else found


def _target_for(path: str, roles: frozenset[Role], *, subtopics: bool) -> Format:
    """The format to write, by the name of the file and what is written."""
    for role in ("ground_truth", "run"):
        if role in roles:
            found = _with_subtopics(find_writer(path, role), subtopics=subtopics)
            if found is not None:
                return found
    writers = [one for one in list_formats().values() if one.write]
    endings = ", ".join(dict.fromkeys(suffix for one in writers for suffix in one.suffixes))
    names = ", ".join(one.name for one in writers)
    message = f"no format has this ending (known are {endings}); say to='jsonl' or another: {names}"
    raise InputError([Problem(message, path)])


def _written_roles(
    roles: frozenset[Role], target: Format, source: str
) -> tuple[frozenset[Role], list[str]]:
    """What of the roles goes into the target, and the names of what does not."""
    kept = roles & target.holds
    if not kept:
        what = " and ".join(WORDS["results" if one == "run" else "ground_truth"] for one in roles)
        raise InputError([Problem(f"{target.title} ({target.name}) cannot hold {what}", source)])
    if len(kept) == 2 and "both" not in target.carries:
        kept = frozenset({"ground_truth"})
    return kept, ["results" if one == "run" else one for one in sorted(roles - kept)]


def _written(
    content: Content, target: Format, source: str, path: str, left: list[str], *, lossy: bool
) -> Conversion:
    chosen_part = content.model is FixtureQuery and len(content.roles) == 1 and not left
    held = held_in(content)
    if not held.queries:
        raise InputError([Problem("no queries", source)])
    lost = [WORDS[one] for one in left] + held.lost_in(target, content.roles)
    if set(content.head) - {"$schema"} and not chosen_part:
        lost.append(WORDS["expectations"])
    if lost and not lossy:
        raise LossyConversion(target.title, lost)
    if os.path.realpath(source) == os.path.realpath(path):
        raise InputError([Problem("the target is the source; write to another file", path)])
    assert target.write is not None  # noqa: S101  (chosen for its writer)
    target.write(content, path)
    return Conversion(
        content.records.name, target.name, held.queries, tuple(lost), content.warnings
    )
