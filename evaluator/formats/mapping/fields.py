"""Records of any shape, by naming the path to each field: ``--map query=inputs.question,…``."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.mapping.mapped_records import MappedRecords, Unfit
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.text import cut, suggest
from groupwise.schemas import FIELD_NAMES, Document, Query, RunQuery
from groupwise.schemas.shape import CANONICAL, describe

TARGETS: Mapping[Role | None, tuple[str, ...]] = {
    "ground_truth": tuple(Query.model_fields),
    "run": tuple(RunQuery.model_fields),
    "corpus": tuple(Document.model_fields),
    None: tuple(dict.fromkeys([*Query.model_fields, *RunQuery.model_fields])),
}
"""Our fields that records of each role can have."""
ID_NAMES = (*FIELD_NAMES["id"], "_id")
EVERY = "*"


def parse_map(text: str) -> dict[str, str]:
    """Return the path to each field, from ``field=path`` separated by commas.

    Raises:
        ValueError: The text is malformed, or there is no such field.
    """
    paths: dict[str, str] = {}
    for part in text.split(","):
        field, sign, path = (piece.strip() for piece in part.partition("="))
        if not (field and sign and path):
            expected = "expected FIELD=PATH, such as query=inputs.question"
            raise ValueError(f"{expected}, got {part.strip()!r}")
        _add_path(paths, check_field(field), path)
    return paths


def _add_path(paths: dict[str, str], field: str, path: str) -> None:
    if paths.setdefault(field, path) != path:
        raise ValueError(f"{field} is given twice: {paths[field]!r} and {path!r}")


def check_field(name: str, targets: tuple[str, ...] = TARGETS[None]) -> str:
    """Return the canonical name of a field.

    Raises:
        ValueError: There is no such field.
    """
    field = CANONICAL.get(name, name)
    if field not in targets:
        raise ValueError(f"no field {name!r}; {suggest(name, targets)}")
    return field


def choose_paths(options: Options) -> Mapping[str, str]:
    """Return the path to each field of a file's role; none if the map is for another file.

    Raises:
        InputError: The map names an unknown field.
    """
    own = TARGETS[options.role]
    known = own if options.role == "corpus" else TARGETS[None]
    try:
        paths: dict[str, str] = {}
        for field, path in options.fields.items():
            _add_path(paths, check_field(field, known), path)
    except ValueError as error:
        raise InputError([Problem(f"map: {error}")]) from None
    chosen = {field: path for field, path in paths.items() if field in own}
    return chosen if chosen.keys() - {"id"} else {}


def map_fields(records: Records, paths: Mapping[str, str]) -> Records:
    """Return records with our fields, each taken from its path."""
    return MappedRecords(records, partial(_map_record, paths=paths))


def _map_record(record: Any, paths: Mapping[str, str]) -> dict[str, Any]:
    if not isinstance(record, Mapping):
        raise Unfit(f"expected a record, an object with fields, got {describe(record)}")
    fields = {field: _follow(record, path, field) for field, path in paths.items()}
    if "id" not in fields:
        fields["id"] = _find_id(record)
    return {field: value for field, value in fields.items() if value is not None or field == "id"}


def _find_id(record: Mapping[str, Any]) -> Any:
    known = [record[name] for name in ID_NAMES if name in record]
    if not known:
        keys = cut(", ".join(map(str, record)), 80)
        raise Unfit(f"no id; say where it is, with --map id=PATH; the record has {keys}")
    return known[0]


def _follow(value: Any, path: str, field: str) -> Any:
    """Return what a path leads to; a key that contains dots takes precedence over steps."""
    done: list[str | int] = []
    steps = path.split(".")
    while steps:
        if isinstance(value, Mapping) and (rest := ".".join(steps)) in value:
            return value[rest]
        if steps[0] == EVERY and isinstance(value, list):
            rest = ".".join(steps[1:])
            return [_follow(part, rest, field) for part in value] if rest else value
        value, step = _take_step(value, steps.pop(0), path, field, done)
        done.append(step)
    return value


def _take_step(
    value: Any, step: str, path: str, field: str, done: list[str | int]
) -> tuple[Any, str | int]:
    if isinstance(value, Mapping) and step in value:
        return value[step], step
    if isinstance(value, list) and step.isdigit() and int(step) < len(value):
        return value[int(step)], int(step)
    keys = ", ".join(map(str, value)) if isinstance(value, Mapping) else ""
    has = f"there are {cut(keys, 80)}" if keys else f"there is {describe(value)}"
    raise Unfit(f"{field}={path}: no {step!r} here; {has}", done)
