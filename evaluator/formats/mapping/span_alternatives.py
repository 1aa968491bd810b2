"""Alternatives that are spans of a document, in data sets that have no ids of passages."""

from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Cursor
from groupwise.evaluator.formats.mapping.mapped_records import Unfit


def build_alternative(
    document: str, start: Cursor, end: Cursor, text: Cursor | None
) -> dict[str, Any]:
    """Return an alternative whose id is its document and span, such as ``finance:120-387``.

    Raises:
        Unfit: The span is empty, or not of whole numbers.
    """
    first, last = _read_offset(start), _read_offset(end)
    if first >= last:
        raise Unfit(f"expected an end after {first}, got {last}", end.pointer)
    span = {"document": document, "start": first, "end": last}
    content = {} if text is None else {"text": text.text()}
    return {"id": f"{document}:{first}-{last}", **content, **span}


def _read_offset(value: Cursor) -> int:
    if type(value.value) is not int or value.value < 0:
        raise value.wrong_type("a whole number from 0 on")
    return value.value
