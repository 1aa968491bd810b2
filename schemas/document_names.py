"""The names that fields of a document go by."""

from collections.abc import Mapping
from typing import Any

DOCUMENT_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "doc_id", "_id", "docid", "document_id"),
    "text": ("text", "contents", "content", "page_content"),
    "document": ("document", "path"),
    "start": ("start",),
    "end": ("end",),
    "metadata": ("metadata",),
}
"""The names that fields of a document go by; where a record has several, the first one counts."""

SPAN = "start_end_idx"
"""AutoRAG's name for start and end in a list."""


FIELDS = [(name, field) for field, names in DOCUMENT_NAMES.items() for name in names]
"""All names with the field that each stands for; those that count come first."""


def names_in(fields: Any) -> dict[str, str]:
    """Return the name of each field of a document that is among these."""
    found: dict[str, str] = {}
    for name, field in FIELDS:
        if name in fields:
            found.setdefault(field, name)
    return found
