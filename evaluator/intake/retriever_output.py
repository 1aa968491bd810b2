"""What retrievers return, as results: ids, pairs, mappings, and documents of other libraries.

Document types are detected by their attributes, not by their class. LangChain has ``id``,
``metadata`` and ``page_content``; LlamaIndex has a ``score`` and a ``node`` with ``node_id``,
``metadata`` and ``text``; Haystack has ``id``, ``meta``, ``score`` and ``content``.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from pydantic import ValidationError

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.intake.problems import message_of
from groupwise.evaluator.text import quote
from groupwise.schemas import FIELD_NAMES, RunQuery
from groupwise.schemas.ids import as_plain
from groupwise.schemas.values import describe

TEXTS = ("page_content", "text", "content")
ACCEPTED = "ids, pairs of id and score, mappings with an id, or documents, best first"


class NoResults(ValueError):  # noqa: N818  (of a retriever, not a failure of ours)
    """A retriever returned something other than a list of results; the message says what."""


def queries_of_documents(documents: Any, key: str | None) -> tuple[RunQuery, ...]:
    """Return the results of each query, from what a retriever returned for it.

    Raises:
        InputError: Something is not a result; each problem names its query.
    """
    if not isinstance(documents, Mapping):
        message = f"expected documents by query id, got {describe(documents)}"
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
    """Return the results of a query as a model.

    Raises:
        NoResults: The answer is not a list of results.
    """
    found = found.model_dump() if isinstance(found, RunQuery) else found
    if isinstance(found, Mapping) and found.keys() & {"results", "retrieved_ids"}:
        record = {"id": query_id, **_without_id(found, query_id)}
    else:
        record = {"id": query_id, "results": [result_of(result, key) for result in _to_list(found)]}
    try:
        return RunQuery.model_validate(record, context={"ids": ids})
    except ValidationError as error:
        raise NoResults(_first_message(error)) from None


def _without_id(found: Mapping[str, Any], query_id: Any) -> dict[str, Any]:
    """Return the fields of an answer; refuse one that is for another query.

    Raises:
        NoResults: It has another query id.
    """
    for name in FIELD_NAMES["id"]:
        if name in found and str(as_plain(found[name])) != str(as_plain(query_id)):
            expected = f"expected the results of the query {quote(query_id)}"
            raise NoResults(f"{expected}, got those of {describe(found[name])}")
    return {name: value for name, value in found.items() if name not in FIELD_NAMES["id"]}


def _first_message(error: ValidationError) -> str:
    detail = error.errors(include_url=False, include_input=False)[0]
    numbers = [str(step + 1) for step in detail["loc"] if isinstance(step, int)]
    place = f"result {numbers[0]}: " if numbers else ""
    return f"{place}{message_of(detail)}"


def _to_list(found: Any) -> list[Any]:
    if isinstance(found, Mapping) and set(found) == {"documents"}:
        found = found["documents"]
    if isinstance(found, AbstractSet):
        raise NoResults("expected a list of results, best first; got a set, which has no order")
    if isinstance(found, str | bytes | Mapping) or not isinstance(found, Iterable):
        raise NoResults(f"expected a list of results ({ACCEPTED}); got {describe(found)}")
    return list(found)


def result_of(value: Any, key: str | None = None) -> Any:
    """Return an id as it is, and anything else as the fields of a result.

    Raises:
        NoResults: It has no id.
    """
    if isinstance(value, tuple) and len(value) == 2:
        inner = result_of(value[0], key)
        fields = inner if isinstance(inner, dict) else {"id": inner}
        return {**fields, "score": _to_number(value[1])}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, list):
        return value  # a pair of id and score, or a problem that the schema describes
    if isinstance(value, str | int) or type(value).__module__ == "numpy":
        return value
    return _fields_of(value, key)


def _fields_of(document: Any, key: str | None) -> dict[str, Any]:
    node = getattr(document, "node", document)
    score = getattr(document, "score", None)
    text = next((t for name in TEXTS if isinstance(t := getattr(node, name, None), str)), None)
    fields = {"id": _find_id(node, key), "score": None if score is None else _to_number(score)}
    return {**fields, "text": text} if text is not None else fields


def _find_id(document: Any, key: str | None) -> Any:
    metadata = _metadata_of(document)
    if key is not None:
        if key not in metadata:
            raise NoResults(
                f"no {key!r} in the metadata of {_type_name(document)}{_list_keys(metadata)}"
            )
        return metadata[key]
    names = ("node_id", "id", "id_")
    found = next((i for n in names if (i := getattr(document, n, None)) is not None), None)
    if found is None and metadata:
        raise NoResults(
            f"{_type_name(document)} has no id; name a key of its metadata{_list_keys(metadata)}"
        )
    if found is None:
        raise NoResults(f"{_type_name(document)} has no id; expected {ACCEPTED}")
    return found


def _metadata_of(document: Any) -> Mapping[str, Any]:
    found = getattr(document, "metadata", None)
    found = getattr(document, "meta", None) if found is None else found
    return found if isinstance(found, Mapping) else {}


def _type_name(document: Any) -> str:
    return f"a {type(document).__name__}"


def _list_keys(metadata: Mapping[str, Any]) -> str:
    shown = ", ".join(quote(key) for key in list(metadata)[:8])
    return f", with key='…': {shown}" if metadata else ": there is none"


def _to_number(score: Any) -> Any:
    """Return a score of NumPy or torch as a Python number; the schema rejects anything else."""
    return score.item() if hasattr(score, "item") else score
