"""LegalBench-RAG: questions about contracts, with the snippets that answer them as spans."""

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
from groupwise.evaluator.formats.mapping.span_alternatives import build_alternative
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.text import plural


def _convert(document: Cursor, options: Options) -> Iterator[Converted | Unfit]:
    return convert_each(document.field("tests").items(), _convert_test, options)


def _convert_test(test: Cursor, _options: Options) -> Converted:
    question = test.field("query").text()
    groups = [[_convert_snippet(snippet)] for snippet in test.field("snippets").some_items()]
    fields: dict[str, Any] = {"query": question, "ground_truth": groups}
    if test.has("query_id"):
        fields["id"] = test.field("query_id").id()
    if test.has("tags"):
        fields["metadata"] = {"tags": test.field("tags").value}
    return Converted(fields, question, test.pointer)


def _convert_snippet(snippet: Cursor) -> dict[str, Any]:
    bounds = snippet.field("span").items()
    if len(bounds) != 2:
        found = plural(len(bounds), "number")
        raise Unfit(f"expected a start and an end, got {found}", snippet.pointer)
    path, (start, end) = snippet.field("file_path").text(), bounds
    answer = snippet.field("answer") if snippet.has("answer") else None
    return build_alternative(path, start, end, answer)


def _recognises(record: Mapping[str, Any]) -> bool:
    tests = [test for test in list_objects(record, "tests")[:1] if has_text(test, "query")]
    return any("file_path" in part for test in tests for part in list_objects(test, "snippets"))


FORMATS = (
    published_format(
        "legalbench-rag", "LegalBench-RAG", _recognises, convert=_convert, whole=True,
        fields="`tests[].{query, snippets[].{file_path, span, answer}}`; `answer` may be missing; "
        "`tags` as metadata",
        groups="one per snippet, with its span and its text; `query_id`, or else the question, is "
        "the query's id",
        ids="the file and the span: `cuad/a.txt:120-387`; matched by `--match span` or `text`",
        carries=("text", "spans", "metadata"),
    ),
)  # fmt: skip
