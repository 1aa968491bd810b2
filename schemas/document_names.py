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


def names_in(fields: Any) -> dict[str, str]:
    """Return the name of each field of a document that is among these."""
    found = {field: [n for n in names if n in fields] for field, names in DOCUMENT_NAMES.items()}
    return {field: names[0] for field, names in found.items() if names}
