"""The columns of the long form, in CSV, parquet and frames: a row per alternative or result."""

from collections.abc import Mapping, Sequence
from itertools import chain

from groupwise.evaluator.text import shorten

NAMES: Mapping[str, tuple[str, ...]] = {
    "query_id": ("query_id", "query-id", "q_id", "qid", "topic", "query"),
    "id": ("id", "doc_id", "docid", "docno", "document_id", "document", "corpus-id", "corpus_id"),
    "group": ("group", "group_id", "subtopic"),
    "grade": ("grade", "relevance", "rel"),
    "rank": ("rank",),
    "score": ("score",),
    "query": ("query", "question"),
    "weight": ("weight",),
    "label": ("label",),
    "text": ("text",),
}
"""The names of a column, the first one being ours."""
SPELLINGS = frozenset(chain.from_iterable(NAMES.values()))
NEEDED = ("query_id", "id")
WHOLE_ID = "id"
PARTS = frozenset({
    "page", "page_id", "page_no", "page_num", "page_number", "chunk", "chunk_id", "chunk_index",
    "chunk_no", "chunk_number", "passage", "passage_id", "paragraph", "paragraph_id", "section",
    "section_id", "sentence", "sentence_id", "sent_id", "start", "end", "offset",
})  # fmt: skip
"""Columns that identify a part of a document: beside the id of a document they complete it."""


def _spell(name: str) -> str:
    return name.strip().lower().replace(" ", "_")


def find_columns(header: Sequence[str]) -> dict[str, int]:
    """Return the position of each known column; a name stands for one column only."""
    places: dict[str, int] = {}
    for name in dict.fromkeys(header):
        if (spelled := _spell(name)) in SPELLINGS and spelled not in places:
            places[spelled] = header.index(name)
    found: dict[str, int] = {}
    for column, spellings in NAMES.items():
        free = [s for s in spellings if s in places and places[s] not in found.values()]
        if free:
            found[column] = places[free[0]]
    return found


def describe_missing(
    header: Sequence[str], columns: Mapping[str, int], there: str = "the first line names"
) -> str | None:
    """Return a message if a column that is needed is missing."""
    missing = [column for column in NEEDED if column not in columns]
    if not missing:
        return None
    wanted = " and no ".join(f"{column} ({', '.join(NAMES[column])})" for column in missing)
    return f"no column {wanted}; {there} {shorten(', '.join(header), 80)!r}"


def describe_parts(header: Sequence[str], place: int) -> str | None:
    """Return a message if the id stands beside a column that may be a part of it."""
    parts = [at for at, name in enumerate(header) if _spell(name).replace("-", "_") in PARTS]
    if _spell(header[place]) == WHOLE_ID or not parts:
        return None
    return (
        f"the columns {header[place]!r} and {header[parts[0]]!r} may be one id in two parts; put "
        f"the whole id into a column {WHOLE_ID!r}, or leave {header[parts[0]]!r} out"
    )
