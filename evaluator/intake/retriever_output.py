"""What retrievers return, as results: ids, pairs, mappings, and documents of other libraries.

Documents are told by what they have, not by their class. LangChain's have ``id``, ``metadata`` and
``page_content``; LlamaIndex has a ``node`` beside its ``score``, with ``node_id``, ``metadata`` and
``text``; Haystack's have ``id``, ``meta``, ``score`` and ``content``.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from pydantic import ValidationError

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.intake.problems import message_of
from groupwise.schemas import RunQuery
from groupwise.schemas.shape import describe, shortened

TEXTS = ("page_content", "text", "content")
ACCEPTED = "ids, pairs of id and score, mappings with an id, or documents, best first"


class NoResults(ValueError):  # noqa: N818  (of a retriever, not a failure of ours)
    """What a retriever returned is no list of results; the message says why."""


def queries_of_documents(documents: Any, key: str | None) -> tuple[RunQuery, ...]:
    """The results of each query, from what a retriever returned for it.

    Raises:
        InputError: Something in there is no result; each problem names its query.
    """
    if not isinstance(documents, Mapping):
        message = f"{describe(documents)} where documents by query id belong"
        raise InputError([Problem(message)])
    problems, queries = Problems(), []
    for query_id, found in documents.items():
        try:
            queries.append(run_query(query_id, found, key))
        except NoResults as error:
            problems.add(Problem(str(error), query=str(query_id)))
    problems.raise_if_any()
    return tuple(queries)


def run_query(
    query_id: Any, found: Any, key: str | None = None, ids: str | None = None
) -> RunQuery:
    """The results of a query as a model.

    Raises:
        NoResults: They are none.
    """
    if isinstance(found, Mapping) and found.keys() & {"results", "retrieved_ids"}:
        record = {"id": query_id, **found}
    else:
        record = {"id": query_id, "results": [result_of(one, key) for one in _listed(found)]}
    try:
        return RunQuery.model_validate(record, context={"ids": ids})
    except ValidationError as error:
        raise NoResults(_first_message(error)) from None


def _first_message(error: ValidationError) -> str:
    detail = error.errors(include_url=False, include_input=False)[0]
    numbers = [str(step + 1) for step in detail["loc"] if isinstance(step, int)]
    place = f"result {numbers[0]}: " if numbers else ""
    return f"{place}{message_of(detail)}"


def _listed(found: Any) -> list[Any]:
    if isinstance(found, Mapping) and set(found) == {"documents"}:
        found = found["documents"]
    if isinstance(found, AbstractSet):
        raise NoResults("a set has no order; results are a list, best first")
    if isinstance(found, str | bytes | Mapping) or not isinstance(found, Iterable):
        raise NoResults(f"{describe(found)} where a list of results belongs: {ACCEPTED}")
    return list(found)


def result_of(one: Any, key: str | None = None) -> Any:
    """An id as it is; all else as a result in full.

    Raises:
        NoResults: It has no id.
    """
    if isinstance(one, tuple) and len(one) == 2:
        inner = result_of(one[0], key)
        fields = inner if isinstance(inner, dict) else {"id": inner}
        return {**fields, "score": _number(one[1])}
    if isinstance(one, Mapping):
        return dict(one)
    if isinstance(one, str | int) or type(one).__module__ == "numpy":
        return one
    return _document(one, key)


def _document(one: Any, key: str | None) -> dict[str, Any]:
    node = getattr(one, "node", one)
    score = getattr(one, "score", None)
    text = next((t for name in TEXTS if isinstance(t := getattr(node, name, None), str)), None)
    fields = {"id": _id(node, key), "score": None if score is None else _number(score)}
    return {**fields, "text": text} if text is not None else fields


def _id(document: Any, key: str | None) -> Any:
    metadata = _metadata(document)
    if key is not None:
        if key not in metadata:
            raise NoResults(f"no {key!r} in the metadata of {_shown(document)}{_keys(metadata)}")
        return metadata[key]
    names = ("node_id", "id", "id_")
    found = next((i for n in names if (i := getattr(document, n, None)) is not None), None)
    if found is None and metadata:
        raise NoResults(
            f"{_shown(document)} has no id; name a key of its metadata{_keys(metadata)}"
        )
    if found is None:
        raise NoResults(f"{_shown(document)} has no id; what is accepted: {ACCEPTED}")
    return found


def _metadata(document: Any) -> Mapping[str, Any]:
    found = getattr(document, "metadata", None)
    found = getattr(document, "meta", None) if found is None else found
    return found if isinstance(found, Mapping) else {}


def _shown(document: Any) -> str:
    return f"a {type(document).__name__}"


def _keys(metadata: Mapping[str, Any]) -> str:
    shown = ", ".join(shortened(repr(key)) for key in list(metadata)[:8])
    return f", with key='…': {shown}" if metadata else ": there is none"


def _number(score: Any) -> Any:
    """A score as Python has it, also from NumPy or torch; what is none is refused later."""
    return score.item() if hasattr(score, "item") else score
