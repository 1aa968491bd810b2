"""Trials: the beginning of a file is read as proposed, before anything is proposed."""

from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.formats.opening import detect_records
from groupwise.evaluator.inspection.meanings import list_texts, looks_like_id
from groupwise.evaluator.inspection.shapes import MOST_RECORDS
from groupwise.evaluator.intake.check import Intake
from groupwise.evaluator.reading.detection import detect_roles
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import Source
from groupwise.schemas import Policies
from groupwise.schemas.fixture import RECORDS


class Trial(NamedTuple):
    """How many queries were read, and the problems of the others."""

    queries: int
    problems: int = 0
    first: str = ""


def try_fields(
    source: Source, fields: Mapping[str, str], flat: Any, roles: frozenset[Role]
) -> Trial:
    """Read a source with these fields, in these roles."""
    role = None if len(roles) > 1 else next(iter(roles))
    problems = Problems()
    try:
        records, _ = detect_records(source, Options(fields=dict(fields), role=role))
        intake = Intake(records, RECORDS[roles], Policies(flat=flat), problems)
        queries = sum(1 for _ in islice(intake.models(), MOST_RECORDS))
    except InputError as error:
        return Trial(0, error.count, str(error.problems[0].message))
    first = problems.kept[0].message if problems.kept else ""
    return Trial(queries, problems.count, first)


def list_ids(source: Source, fields: Mapping[str, str], flat: Any, role: Role) -> frozenset[str]:
    """Return the first query ids of a source; none if it cannot be read."""
    try:
        records, _ = detect_records(source, Options(fields=dict(fields), role=role))
        intake = Intake(records, RECORDS[frozenset({role})], Policies(flat=flat), Problems())
        return frozenset(str(query.id) for query in islice(intake.models(), MOST_RECORDS))
    except InputError:
        return frozenset()


class Held(NamedTuple):
    """The first records of a file whose format is known.

    ``roles``: What they hold. ``is_flat``: Some ground truth has no groups. ``has_text``: The
    ground truth is a text, which may be an answer. ``is_readable``: There was a record.
    ``problems``: What is wrong with the text of the file, as far as it is described.
    ``problem_count``: How many problems there are.
    """

    records: int
    roles: frozenset[Role]
    is_flat: bool
    has_text: bool = False
    is_readable: bool = True
    problems: tuple[Problem, ...] = ()
    problem_count: int = 0


def read_held(source: Source, options: Options) -> Held:
    """Return what the records of a source hold.

    Raises:
        InputError: They cannot be read.
    """
    records, known = detect_records(source, options)
    reading = Reading()
    values: list[Any] = []
    for batch in records.batches(reading):
        values += batch.values[: MOST_RECORDS - len(values)]
        if len(values) >= MOST_RECORDS:
            break
    if not values:
        reading.refuse()
    roles = frozenset(role for value in values for role in detect_roles(value))
    truths = [_find_truth(value) for value in values]
    if not roles and known is not None and options.role is None:
        roles = known.holds - {"corpus"} if len(known.holds - {"corpus"}) == 1 else roles
    return Held(
        len(values), roles, any(map(is_flat, truths)), any(map(_is_prose, truths)),
        problems=tuple(reading.problems),
        problem_count=len(reading.problems),
    )  # fmt: skip


def _is_prose(truth: Any) -> bool:
    """Whether ground truth is a text, or a list of texts that read like sentences."""
    if isinstance(truth, str):
        return True
    texts = list_texts(truth)
    return bool(texts) and not any(map(looks_like_id, texts))


def _find_truth(value: Any) -> Any:
    if isinstance(value, Mapping) and detect_roles(value):
        return value.get("ground_truth", value.get("retrieval_gt"))
    return value


def is_flat(truth: Any) -> bool:
    """Whether ground truth is a list of ids, or grades by id, without groups."""
    if isinstance(truth, Mapping):
        return bool(truth) and all(isinstance(grade, int | float) for grade in truth.values())
    if not isinstance(truth, list | tuple) or not truth:
        return False
    return all(isinstance(part, str | int) for part in truth)
