"""Read a file of any format into a model."""

import os
from collections.abc import Mapping
from typing import Any, Literal, TypedDict, TypeVar, Unpack, overload

from groupwise.evaluator.arguments import checks_arguments
from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.evaluation.checked_records import open_checked
from groupwise.evaluator.inspection.refusals import Refused, explain_refusals
from groupwise.evaluator.inspection.settling import settle
from groupwise.evaluator.intake.documents import open_corpus
from groupwise.evaluator.intake.problems import read_head
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.records import Reading, paused_collector
from groupwise.schemas import Corpus, Dataset, Fixture, FixtureQuery, Policies, Run, RunQuery

Model = TypeVar("Model", bound=Dataset | Run | Corpus)


class ReadOptions(TypedDict, total=False):
    """What ``read`` takes besides the role."""

    format: str | None
    flat: Literal["any", "all"] | None
    ids: Literal["text"] | None
    fields: Mapping[str, str] | Literal["auto"] | None
    subtopics: bool
    cnf: bool
    max_bytes: int | None
    max_record_bytes: int | None


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
@checks_arguments
def read(  # noqa: PLR0913  (what can be said of a file, all by keyword)
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002  (what people call it)
    role: Role | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    fields: Mapping[str, str] | Literal["auto"] | None = None,
    subtopics: bool = False,
    cnf: bool = False,
    max_bytes: int | None = None,
    max_record_bytes: int | None = None,
) -> Dataset | Run | Fixture | Corpus:
    """Read a file of any format that groupwise knows.

    Args:
        path: The file, or the folder of a format that has one; ``-`` is standard input.
        format: The name of the format; None detects it from the content and the name.
        role: ``"ground_truth"`` or ``"run"``, if a file can be either or holds both;
            ``"corpus"`` for documents.
        flat: For ground truth without groups: ``"any"`` makes it one group, ``"all"`` one per id.
        ids: ``"text"`` makes all ids strings.
        fields: The paths of fields in records of any shape, such as
            ``{"query": "inputs.question", "ground_truth": "outputs.doc_ids"}``. Steps are separated
            by dots; ``*`` takes every element of a list, ``cases[].gold`` begins at the records
            under a key, ``gold.*.doc+page`` joins two parts to an id with ``#``, ``gold[;]``
            separates the ids of a text, and ``"id": "#"`` numbers the records. ``"auto"`` takes
            what ``inspect`` proposes, if it is the only proposal.
        subtopics: TREC qrels have the group in their second column.
        cnf: Expand evidence that is an OR of ANDs, which changes fractions.
        max_bytes: The limit for decompressed data; None: 16 GiB.
        max_record_bytes: The limit for a line, a row or a record; None: 256 MiB.

    Returns:
        A Dataset, a Run, a Corpus, or a Fixture if the file holds ground truth and results.

    Raises:
        InputError: The file is invalid; all problems are listed, with their locations.

    Example:
        >>> from groupwise import read
        >>> read("fixtures/formats/long.csv").queries[0].id
        'q1'
    """
    settled = settle(path, fields, flat, role)
    options = Options(format, settled.fields, subtopics, cnf, role, max_bytes, texts=True)
    if role == "corpus":
        return _read_corpus(path, options, ids)
    with explain_refusals([Refused(path, role)], fields, flat), paused_collector():
        records = open_checked(settled.value, options, Policies(flat=settled.flat, ids=ids))
        models: Any = tuple(records.models_of_role())
    if not models:
        raise InputError([Problem("no queries", os.fspath(path))])
    if type(models[0]) is not FixtureQuery:
        return (Run if type(models[0]) is RunQuery else Dataset).model_construct(queries=models)
    head = read_head(Reading(head=records.head), os.fspath(path))
    return Fixture.model_construct(**dict(head), queries=models)


def read_as(
    model: type[Model], path: str | os.PathLike[str], role: Role, **options: Unpack[ReadOptions]
) -> Model:
    """Read a file into a model, for ``Dataset.load`` and ``Run.load``.

    Raises:
        InputError: The file is invalid, or holds something else.
    """
    found = read(path, role=role, **options)
    if not isinstance(found, model):
        message = f"this is {found.described_as}; expected {model.described_as}"
        raise InputError([Problem(message, os.fspath(path))])
    return found


def _read_corpus(
    path: str | os.PathLike[str], options: Options, ids: Literal["text"] | None
) -> Corpus:
    problems = Problems()
    with paused_collector():
        documents = tuple(open_corpus(path, options=options).models(problems, ids))
    problems.raise_if_any()
    if not documents:
        raise InputError([Problem("no documents", os.fspath(path), code="IO009")])
    return Corpus.model_construct(documents=documents)
