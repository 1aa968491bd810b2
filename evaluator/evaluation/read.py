"""Read a file of any format into a model."""

import os
from typing import Any, Literal, TypedDict, TypeVar, Unpack, overload

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.evaluation.arguments import checks_arguments
from groupwise.evaluator.evaluation.checked_records import open_checked
from groupwise.evaluator.formats.opening import FilePath
from groupwise.evaluator.inspection.refusals import explain_refusals
from groupwise.evaluator.inspection.settling import settle
from groupwise.evaluator.intake.documents import open_corpus
from groupwise.evaluator.intake.problems import read_head
from groupwise.evaluator.reading.file import path_of
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.records import Reading, paused_collector
from groupwise.schemas import Corpus, Dataset, Fixture, FixtureQuery, Policies, Run, RunQuery

Model = TypeVar("Model", bound=Dataset | Run | Corpus)


class ReadOptions(TypedDict, total=False):
    """What ``read`` takes besides the role."""

    flat: Literal["any", "all"] | None
    ids: Literal["text"] | None


@overload
def read(
    path: FilePath, *, role: Literal["ground_truth"], **options: Unpack[ReadOptions]
) -> Dataset: ...
@overload
def read(path: FilePath, *, role: Literal["run"], **options: Unpack[ReadOptions]) -> Run: ...
@overload
def read(path: FilePath, *, role: Literal["corpus"], **options: Unpack[ReadOptions]) -> Corpus: ...
@overload
def read(
    path: FilePath, *, role: None = None, **options: Unpack[ReadOptions]
) -> Dataset | Run | Fixture: ...
@checks_arguments
def read(
    path: FilePath,
    *,
    role: Role | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
) -> Dataset | Run | Fixture | Corpus:
    """Read a file of any format that groupwise knows.

    Args:
        path: The file, or the folder of a format that has one; ``-`` is standard input. ``File``
            says how it is read: its format, where its fields are, its limits.
        role: ``"ground_truth"`` or ``"run"``, if a file can be either or holds both;
            ``"corpus"`` for documents.
        flat: For ground truth without groups: ``"any"`` makes it one group, ``"all"`` one per id.
        ids: ``"text"`` makes all ids strings.

    Returns:
        A Dataset, a Run, a Corpus, or a Fixture if the file holds ground truth and results.

    Raises:
        InputError: The file is invalid; all problems are listed, with their locations.

    Example:
        >>> from groupwise import read
        >>> read("fixtures/formats/long.csv").queries[0].id
        'q1'
    """
    settled = settle(path, flat, role, texts=True)
    options = settled.options
    if role == "corpus":
        return _read_corpus(settled.value, options, ids)
    with explain_refusals([settled.refused], flat), paused_collector():
        records = open_checked(settled.value, options, Policies(flat=settled.flat, ids=ids))
        models: Any = tuple(records.models_of_role())
    if not models:
        raise InputError([Problem("no queries", settled.path)])
    if type(models[0]) is not FixtureQuery:
        return (Run if type(models[0]) is RunQuery else Dataset).model_construct(queries=models)
    head = read_head(Reading(head=records.head), settled.path)
    return Fixture.model_construct(**dict(head), queries=models)


def read_as(
    model: type[Model], path: FilePath, role: Role, **options: Unpack[ReadOptions]
) -> Model:
    """Read a file into a model, for ``Dataset.load`` and ``Run.load``.

    Raises:
        InputError: The file is invalid, or holds something else.
    """
    found = read(path, role=role, **options)
    if not isinstance(found, model):
        message = f"this is {found.described_as}; expected {model.described_as}"
        raise InputError([Problem(message, os.fspath(path_of(path)))])
    return found


def _read_corpus(path: Any, options: Options, ids: Literal["text"] | None) -> Corpus:
    problems = Problems()
    with paused_collector():
        documents = tuple(open_corpus(path, options=options).models(problems, ids))
    problems.raise_if_any()
    if not documents:
        raise InputError([Problem("no documents", os.fspath(path_of(path)), code="IO009")])
    return Corpus.model_construct(documents=documents)
