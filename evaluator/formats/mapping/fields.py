"""Records of any shape, by naming the way to each field: ``--map query=inputs.question,…``."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.mapping.records import MappedRecords, Unfit
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.text import cut, suggest
from groupwise.schemas import FIELD_NAMES, Query, RunQuery
from groupwise.schemas.shape import CANONICAL, describe

TARGETS = tuple(dict.fromkeys([*Query.model_fields, *RunQuery.model_fields]))
"""The fields of ours that can be filled."""
OF_THE_OTHER: Mapping[str, frozenset[str]] = {
    "ground_truth": frozenset(RunQuery.model_fields) - {"id"},
    "run": frozenset(Query.model_fields) - {"id"},
}
"""The fields that are not looked for in a ground truth, or in a run."""
IDS = (*FIELD_NAMES["id"], "_id")
EVERY = "*"


def parsed_map(text: str) -> dict[str, str]:
    """The way to each field, from ``field=way`` between commas.

    Raises:
        ValueError: It is not written so, or there is no such field.
    """
    found: dict[str, str] = {}
    for part in text.split(","):
        field, sign, way = (one.strip() for one in part.partition("="))
        if not (field and sign and way):
            raise ValueError(f"{part.strip()!r} is not FIELD=PATH, such as query=inputs.question")
        found[checked_field(field)] = way
    return found


def checked_field(name: str) -> str:
    """The field of ours that goes by this name.

    Raises:
        ValueError: There is none.
    """
    field = CANONICAL.get(name, name)
    if field not in TARGETS:
        raise ValueError(f"no field {name!r}; {suggest(name, TARGETS)}")
    return field


def ways_for(options: Options) -> Mapping[str, str]:
    """The way to each field that is looked for in a file; none if the map is of another file.

    Raises:
        InputError: The map names a field that is not there.
    """
    try:
        ways = {checked_field(field): way for field, way in options.fields.items()}
    except ValueError as error:
        raise InputError([Problem(f"map: {error}")]) from None
    theirs = OF_THE_OTHER.get(options.role or "", frozenset())
    own = {field: way for field, way in ways.items() if field not in theirs}
    return own if own.keys() - {"id"} else {}


def mapped_fields(records: Records, ways: Mapping[str, str]) -> Records:
    """Records with our fields, each taken from where it is said to be."""
    return MappedRecords(records, partial(_made, ways=ways))


def _made(record: Any, ways: Mapping[str, str]) -> dict[str, Any]:
    if not isinstance(record, Mapping):
        raise Unfit(f"{describe(record)} where a record belongs, an object with fields")
    fields = {field: _found(record, way, field) for field, way in ways.items()}
    if "id" not in fields:
        fields["id"] = _own_id(record)
    return {field: value for field, value in fields.items() if value is not None or field == "id"}


def _own_id(record: Mapping[str, Any]) -> Any:
    known = [record[name] for name in IDS if name in record]
    if not known:
        keys = cut(", ".join(map(str, record)), 80)
        raise Unfit(f"no id; say where it is, with --map id=PATH; the record has {keys}")
    return known[0]


def _found(value: Any, way: str, field: str) -> Any:
    """What the way leads to; a key with dots in it goes before the steps they stand for."""
    done: list[str | int] = []
    steps = way.split(".")
    while steps:
        if isinstance(value, Mapping) and (rest := ".".join(steps)) in value:
            return value[rest]
        if steps[0] == EVERY and isinstance(value, list):
            behind = ".".join(steps[1:])
            return [_found(one, behind, field) for one in value] if behind else value
        value, step = _step(value, steps.pop(0), way, field, done)
        done.append(step)
    return value


def _step(
    value: Any, step: str, way: str, field: str, done: list[str | int]
) -> tuple[Any, str | int]:
    if isinstance(value, Mapping) and step in value:
        return value[step], step
    if isinstance(value, list) and step.isdigit() and int(step) < len(value):
        return value[int(step)], int(step)
    keys = ", ".join(map(str, value)) if isinstance(value, Mapping) else ""
    has = f"there are {cut(keys, 80)}" if keys else f"there is {describe(value)}"
    raise Unfit(f"{field}={way}: no {step!r} here; {has}", done)
