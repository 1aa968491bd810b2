"""chunking_evaluation: questions with the excerpts that answer them, as spans of a corpus."""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Cursor
from groupwise.evaluator.formats.mapping.published import (
    Converted,
    has_text,
    list_objects,
    published_format,
)
from groupwise.evaluator.formats.mapping.span_alternatives import build_alternative
from groupwise.evaluator.reading.options import Options

BOUNDS = ("start_index", "end_index")


def _convert(record: Cursor, _options: Options) -> Converted:
    question = record.field("question").text()
    corpus = record.field("corpus_id").id()
    excerpts = record.field("references").some_items()
    groups = [[_convert_excerpt(excerpt, str(corpus))] for excerpt in excerpts]
    fields = {"query": question, "ground_truth": groups, "metadata": {"corpus_id": corpus}}
    return Converted(fields, question)


def _convert_excerpt(excerpt: Cursor, corpus: str) -> dict[str, Any]:
    start, end = (excerpt.field(name) for name in BOUNDS)
    return build_alternative(corpus, start, end, excerpt.field("content"))


def _recognises(record: Mapping[str, Any]) -> bool:
    excerpts = list_objects(record, "references")
    is_question = has_text(record, "question") and "corpus_id" in record
    return is_question and all(name in excerpt for excerpt in excerpts for name in BOUNDS)


FORMATS = (
    published_format(
        "chunking-evaluation", "chunking_evaluation", _recognises, convert=_convert,
        fields="`question, references, corpus_id`; references in JSON: "
        "`[].{content, start_index, end_index}`",
        groups="one per reference, with its span and its text; the question is the query's id",
        ids="the corpus and the span: `finance:120-387`; matched by `--match span` or `text`",
        carries=("text", "spans", "metadata"), lists=("references",),
    ),
)  # fmt: skip
