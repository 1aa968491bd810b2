"""The query id of a parsed record, inside or outside the record."""

from collections.abc import Container, Iterable, Mapping
from typing import Any

from groupwise.evaluator.reading.detection import detect_roles
from groupwise.schemas import FIELD_NAMES
from groupwise.schemas.ids import as_plain, text_of
from groupwise.schemas.shape import find_model


def is_record(value: Any) -> bool:
    """Whether a value is a record with its query id, and not bare ground truth or results."""
    if isinstance(value, Mapping) and not any(name in FIELD_NAMES["id"] for name in value):
        return False
    return bool(detect_roles(value))


def are_records(values: Iterable[Any]) -> bool:
    """Whether all values are records; of plain ones, only the names of their fields matter."""
    known: set[tuple[Any, ...]] = set()
    for value in values:
        names = tuple(value) if type(value) is dict else None
        if names in known:
            continue
        if not is_record(value):
            return False
        if names is not None:
            known.add(names)
    return True


def query_of(record: Any) -> str | None:
    """Return the query id of a record; None if it has no valid one."""
    if type(record) is dict and type(query := record.get("id")) is str:
        return query
    if find_model(record) is not None:
        return str(record.id)
    if not isinstance(record, Mapping):
        return None
    found = [record[name] for name in FIELD_NAMES["id"] if name in record]
    key = as_plain(found[0]) if found else None
    return text_of(key) if isinstance(key, str | int) else None


def record_with_key(key: Any, value: Any, main: str, known: Container[str]) -> Any:
    """Return the record of a query whose id is outside it, as in ``{"q1": …}``.

    Args:
        key: The query id.
        value: A mapping with fields, or the content of the main field.
        main: The main field: ``"ground_truth"`` or ``"results"``.
        known: The names that fields may have; a mapping with any of them has fields.
    """
    if not isinstance(value, Mapping) or not any(name in known for name in value):
        return {"id": key, main: value}
    unused = next((name for name in FIELD_NAMES["id"] if name not in value), "id")
    return {unused: key, **value}
