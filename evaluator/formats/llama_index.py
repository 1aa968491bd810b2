"""LlamaIndex: data sets for fine-tuning embeddings, labelled RAG data sets, and predictions."""

from collections.abc import Iterator, Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Cursor
from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.evaluator.formats.mapping.published import (
    Converted,
    convert_each,
    has_text,
    list_objects,
    published_format,
)
from groupwise.evaluator.reading.content import text_id
from groupwise.evaluator.reading.options import Options


def _convert_embedding(document: Cursor, options: Options) -> Iterator[Converted | Unfit]:
    queries = document.field("queries").entries()
    relevant = document.field("relevant_docs").entries()

    def convert(query: Cursor, _options: Options) -> Converted:
        name = str(query.pointer[-1])
        if name not in relevant:
            raise Unfit("no relevant_docs for this query", query.pointer)
        ids = [document.id() for document in relevant[name].some_items()]
        truth: list[Any] = ids if len(ids) > 1 else [ids]
        fields = {"id": name, "query": query.text(), "ground_truth": truth}
        return Converted(fields, pointer=query.pointer)

    yield from convert_each(queries.values(), convert, options)
    for name, documents in relevant.items():
        if name not in queries:
            yield Unfit("relevant documents of a query that is not in queries", documents.pointer)


def _convert_labelled(document: Cursor, options: Options) -> Iterator[Converted | Unfit]:
    if options.role == "run" or (options.role is None and document.has("predictions")):
        return convert_each(document.field("predictions").items(), _convert_prediction, options)
    return convert_each(document.field("examples").items(), _convert_example, options)


def _convert_example(example: Cursor, _options: Options) -> Converted:
    contexts = example.field("reference_contexts").some_items()
    fields = {
        "id": _position(example),
        "query": example.field("query").text(),
        "ground_truth": [[_passage(context)] for context in contexts],
    }
    return Converted(fields, pointer=example.pointer)


def _convert_prediction(prediction: Cursor, _options: Options) -> Converted:
    results = [_passage(context) for context in prediction.field("contexts").items()]
    return Converted({"id": _position(prediction), "results": results}, pointer=prediction.pointer)


def _position(item: Cursor) -> str:
    """Return the position in the list: examples and predictions have no ids, and match by it."""
    return str(item.pointer[-1])


def _passage(context: Cursor) -> dict[str, str]:
    text = context.text()
    return {"id": text_id(text), "text": text}


def _is_embedding(record: Mapping[str, Any]) -> bool:
    parts = [record.get(name) for name in ("queries", "corpus", "relevant_docs")]
    queries = record.get("queries")
    has_queries = isinstance(queries, dict) and _has_texts_only(queries)
    return has_queries and all(isinstance(part, dict) for part in parts if part is not None)


def _has_texts_only(queries: Mapping[str, Any]) -> bool:
    return bool(queries) and all(isinstance(text, str) for text in queries.values())


def _is_labelled(record: Mapping[str, Any]) -> bool:
    examples = list_objects(record, "examples")[:1]
    predictions = list_objects(record, "predictions")[:1]
    return any(
        "reference_contexts" in part and has_text(part, "query") for part in examples
    ) or any("contexts" in part and "response" in part for part in predictions)


FORMATS = (
    published_format(
        "llama-index-embedding", "LlamaIndex EmbeddingQAFinetuneDataset", _is_embedding,
        convert=_convert_embedding, whole=True,
        fields="`queries {id: text}, corpus {id: text}, relevant_docs {id: [ids]}, mode`",
        groups="a single relevant id is a group; several require `--flat`",
        ids="the id of the node",
    ),
    published_format(
        "llama-index-rag", "LlamaIndex LabelledRagDataset and its predictions", _is_labelled,
        convert=_convert_labelled, whole=True,
        fields="`examples[].{query, reference_contexts}`; results in `predictions[].contexts`",
        groups="one per reference context, by text; the query's id is its position in the list",
        ids="the text of the context",
        carries=("text",), holds=("ground_truth", "run"),
    ),
)  # fmt: skip
