"""LlamaIndex: data sets for fine-tuning embeddings, labelled RAG data sets, and predictions."""

from collections.abc import Iterator, Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Part
from groupwise.evaluator.formats.mapping.published import Made, declared, each, is_text, objects_in
from groupwise.evaluator.formats.mapping.records import Unfit
from groupwise.evaluator.reading.content import text_id
from groupwise.evaluator.reading.options import Options


def _embedding_queries(document: Part, options: Options) -> Iterator[Made | Unfit]:
    queries = document.field("queries").entries()
    relevant = document.field("relevant_docs").entries()

    def made(part: Part, _options: Options) -> Made:
        name = str(part.way[-1])
        if name not in relevant:
            raise Unfit("no relevant_docs for this query", part.way)
        ids = [one.id() for one in relevant[name].some()]
        truth: list[Any] = ids if len(ids) > 1 else [ids]
        return Made({"id": name, "query": part.text(), "ground_truth": truth}, way=part.way)

    yield from each(queries.values(), made, options)
    for name, part in relevant.items():
        if name not in queries:
            yield Unfit("relevant documents of a query that is not in queries", part.way)


def _examples(document: Part, options: Options) -> Iterator[Made | Unfit]:
    if options.role == "run" or (options.role is None and document.holds("predictions")):
        return each(document.field("predictions").items(), _prediction, options)
    return each(document.field("examples").items(), _example, options)


def _example(part: Part, _options: Options) -> Made:
    contexts = part.field("reference_contexts").some()
    groups = [[_passage(context)] for context in contexts]
    record = {"id": _number(part), "query": part.field("query").text(), "ground_truth": groups}
    return Made(record, way=part.way)


def _prediction(part: Part, _options: Options) -> Made:
    results = [_passage(context) for context in part.field("contexts").items()]
    return Made({"id": _number(part), "results": results}, way=part.way)


def _number(part: Part) -> str:
    """Examples and predictions have no ids: they belong together by their place in the list."""
    return str(part.way[-1])


def _passage(context: Part) -> dict[str, str]:
    text = context.text()
    return {"id": text_id(text), "text": text}


def _is_embedding(record: Mapping[str, Any]) -> bool:
    parts = [record.get(name) for name in ("queries", "corpus", "relevant_docs")]
    there = [part for part in parts if part is not None]
    by_text = isinstance(queries := record.get("queries"), dict) and _is_text_by_id(queries)
    return bool(by_text) and all(isinstance(part, dict) for part in there)


def _is_text_by_id(queries: Mapping[str, Any]) -> bool:
    return bool(queries) and all(isinstance(text, str) for text in queries.values())


def _is_labelled(record: Mapping[str, Any]) -> bool:
    examples = objects_in(record, "examples")[:1]
    predictions = objects_in(record, "predictions")[:1]
    return any("reference_contexts" in one and is_text(one, "query") for one in examples) or any(
        "contexts" in one and "response" in one for one in predictions
    )


FORMATS = (
    declared(
        "llama-index-embedding", "LlamaIndex EmbeddingQAFinetuneDataset",
        _embedding_queries, _is_embedding,
        fields="`queries {id: text}, corpus {id: text}, relevant_docs {id: [ids]}, mode`",
        groups="a single relevant id is a group; several ids ask: all of them, or any?",
        whole=True,
    ),
    declared(
        "llama-index-rag", "LlamaIndex LabelledRagDataset and its predictions",
        _examples, _is_labelled,
        fields="`examples[].{query, reference_contexts}`; results in `predictions[].contexts`",
        groups="one per reference context, by text; the query's id is its place in the list",
        carries=("text",), holds=("ground_truth", "run"), whole=True,
    ),
)  # fmt: skip
