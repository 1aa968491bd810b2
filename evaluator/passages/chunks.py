"""The chunks of a corpus: what each says, and where in which document it is."""

from collections.abc import Iterator
from typing import Any

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.intake.documents import open_corpus
from groupwise.evaluator.reading.file import name_path
from groupwise.evaluator.reading.meter import METER, Meter
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.text import quote_id
from groupwise.schemas import Id
from groupwise.schemas.reference import Reference

WITH_PLACES = Options(role="corpus", texts=True)


def read_chunks(
    corpus: Any, name: str = "corpus", options: Options = WITH_PLACES, ids: str | None = None
) -> list[Reference]:
    """Return the chunks of a corpus, in its order; ``ids="text"`` makes all ids strings.

    A record that is repeated is one chunk.

    Raises:
        InputError: It cannot be read, has no chunks, or several with one id.
    """
    chunks = [*dict.fromkeys(scan_chunks(corpus, name, options, ids))]
    _refuse_repeated(chunks, name_corpus(corpus, name))
    return chunks


def scan_chunks(
    corpus: Any, name: str = "corpus", options: Options = WITH_PLACES, ids: str | None = None
) -> Iterator[Reference]:
    """Yield the chunks of a corpus as they are read.

    Raises:
        InputError: It cannot be read, or has no chunks.
    """
    problems, count = Problems(), 0
    documents = open_corpus(corpus, name, options)
    for batch in documents.batches(problems, ids, spans=True):
        count += len(batch.references)
        (METER.get() or Meter()).listener()
        yield from batch.references
    problems.raise_if_any()
    if not count:
        raise InputError([Problem("no chunks", documents.name)])


def name_corpus(corpus: Any, name: str = "corpus") -> str:
    """Return the path of a corpus, or the name of one that is no file."""
    return name_path(corpus) or name


def _refuse_repeated(chunks: list[Reference], name: str) -> None:
    """Raise an error that names the first ids which several chunks have."""
    if len({chunk.id for chunk in chunks}) == len(chunks):
        return
    seen: set[Id] = set()
    problems = Problems()
    for chunk in chunks:
        if chunk.id in seen:
            problems.add(describe_repeated(chunk.id, name))
        seen.add(chunk.id)
    problems.raise_if_any()


def describe_repeated(chunk: Id, name: str) -> Problem:
    """Return the problem that several chunks of a corpus have an id."""
    message = f"the id {quote_id(chunk)} is that of several chunks; expected one each"
    return Problem(message, name, alike="repeated id")
