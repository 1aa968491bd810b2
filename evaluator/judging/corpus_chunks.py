"""The chunks of a corpus, under ids of the kind that a ground truth has."""

import re
from collections.abc import Sequence
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.passages.chunks import name_corpus, read_chunks
from groupwise.evaluator.text import quote_id
from groupwise.schemas import Query, Reference

WHOLE = re.compile(r"-?[0-9]{1,18}")
NO_TEXTS = "the corpus has no texts (text, contents, content, page_content) to look for"
OTHER_KIND = "{corpus} is an id of the corpus, {truth} one of the ground truth: strings and whole "
ADVICE = "numbers never match; say ids='text' to compare all as strings"


def read_corpus(corpus: Any, queries: Sequence[Query], ids: str | None) -> list[Reference]:
    """Return the chunks of a corpus; ids from a table are numbers if those of the queries are.

    Raises:
        InputError: It cannot be read, has no texts, or ids of another kind.
    """
    chunks, name = read_chunks(corpus, ids=ids), name_corpus(corpus)
    if not any(chunk.text for chunk in chunks):
        raise InputError([Problem(NO_TEXTS, name)])
    example = next((listed for query in queries for listed in query.judged_ids()), None)
    if example is None or type(example) is type(chunks[0].id):
        return chunks
    if isinstance(example, int) and all(_is_whole(chunk.id) for chunk in chunks):
        return [chunk._replace(id=int(chunk.id)) for chunk in chunks]
    message = OTHER_KIND.format(corpus=quote_id(chunks[0].id), truth=quote_id(example)) + ADVICE
    raise InputError([Problem(message, name)])


def _is_whole(given: str | int) -> bool:
    return isinstance(given, int) or bool(WHOLE.fullmatch(given))
