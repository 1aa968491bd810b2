"""Calls of a live retriever that are made once: answers are kept in a journal.

An answer belongs to a query id and a text; whichever metrics are computed from it does not matter.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from hashlib import sha256
from typing import Any, TypeAlias

from pydantic import ValidationError

from groupwise.evaluator.evaluation.journal.file import DAMAGED, JournalFile
from groupwise.evaluator.evaluation.journal.header import agree_on_header
from groupwise.evaluator.evaluation.retriever import CallOptions, Outcome, Progress, retrieve
from groupwise.schemas import Query, RunQuery

KIND = "calls of a retriever"
CallKey: TypeAlias = tuple[str, str]
"""The id of a query, and the digest of its text."""


def retrieve_rest(
    path: str | os.PathLike[str],
    queries: Sequence[Query],
    retriever: Any,
    options: CallOptions,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Call the retriever for each query that the journal has no answer to; keep the answers.

    A call that failed is made again.

    Returns:
        The outcomes in the order of the queries.

    Raises:
        InputError: The journal belongs to another retriever, or is damaged; or as ``retrieve``.
        OutputError: The journal cannot be written.
    """
    with closing(JournalFile(path)) as file:
        settings = {"retriever": name_retriever(retriever), "ids": options.ids}
        lines = file.read()
        agree_on_header(file, next(lines, None), KIND, settings)
        known = _read_answers(file, lines, {*map(_key_of, queries)}, options)
        rest = [query for query in queries if _key_of(query) not in known]
        tell = progress and _count_from(len(queries) - len(rest), progress)
        found = iter(retrieve(rest, retriever, options, tell, Keeper(file).keep))
    return [known[key] if (key := _key_of(query)) in known else next(found) for query in queries]


class Keeper:
    """Adds outcomes to a journal as they come, flushed to disk as often as that is cheap."""

    def __init__(self, file: JournalFile) -> None:
        self._file = file

    def keep(self, query: Query, outcome: Outcome) -> None:
        """Add the outcome of a call."""
        id_, text = _key_of(query)
        entry: dict[str, Any] = {"query": id_, "text": text}
        if isinstance(outcome, str):
            entry["failure"] = outcome
        else:
            entry["results"] = outcome.model_dump(mode="json", exclude={"id"})
        if self._file.pace.is_due():
            with self._file.pace.measure():
                self._file.append(entry)
        else:
            self._file.append(entry, sync=False)


def _read_answers(
    file: JournalFile, lines: Iterable[Any], wanted: set[CallKey], options: CallOptions
) -> dict[CallKey, RunQuery]:
    """Return the answers to these queries."""
    answers: dict[CallKey, RunQuery] = {}
    for entry in lines:
        try:
            key = str(entry["query"]), str(entry["text"])
            if key in wanted and "results" in entry:
                record = {**entry["results"], "id": entry["query"]}
                answers[key] = RunQuery.model_validate(record, context={"ids": options.ids})
        except (KeyError, TypeError, ValidationError):
            raise file.refuse(DAMAGED.format(line=file.lines)) from None
    return answers


def _key_of(query: Query) -> CallKey:
    return query.id, sha256((query.query or "").encode("utf-8", "surrogatepass")).hexdigest()


def _count_from(first: int, progress: Progress) -> Callable[[int], None]:
    return lambda done: progress(first + done)


def name_retriever(retriever: Any) -> str:
    """Return the name of a function or of a class, which tells retrievers apart.

    >>> name_retriever(len), name_retriever(object())
    ('len', 'object')
    """
    named = retriever if hasattr(retriever, "__qualname__") else type(retriever)
    return str(named.__qualname__)
