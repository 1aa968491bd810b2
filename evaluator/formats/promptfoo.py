"""promptfoo: the contexts of its context assertions are the results of a run, by text.

The value of ``context-recall`` is an answer that a model looks for in the context, not a document.
So results of promptfoo have no ground truth of their own: relevant documents are in a variable or
in the metadata of a test, under any name, and ``--map`` says which.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from groupwise.evaluator.formats.mapping.cursor import Cursor, are_columns
from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.evaluator.formats.mapping.published import (
    Converted,
    convert_each,
    list_objects,
    published_format,
)
from groupwise.evaluator.formats.promptfoo_paths import suggest_map
from groupwise.evaluator.reading.content import text_id
from groupwise.evaluator.reading.options import Options

ASSERTIONS = ("context-recall", "context-relevance", "context-faithfulness")
QUESTIONS = ("query", "question")
COMPONENTS = "componentResults"
SEVERAL = (
    "tests have outputs of several prompts or providers, and a run has one: evaluate them one at a "
    "time, with promptfoo eval --filter-providers or --filter-prompts"
)
NO_TRUTH = "promptfoo's results do not say which documents are relevant; name the path to them: "
NO_CONTEXT = (
    f"no context, which one of the assertions {', '.join(ASSERTIONS)} would have; name the path to "
    "what was retrieved: "
)
NO_QUESTION = "no variable query or question to take the id of the query from; name a path: "


def _convert(found: Cursor, options: Options) -> Iterator[Converted | Unfit]:
    """Yield the queries of a file, or the one of a row: in JSON Lines each row is a line."""
    if found.has("results"):
        yield from _convert_file(found.field("results"), options)
    elif _number_column(found) not in (None, 0):
        yield Unfit(SEVERAL, found.pointer)
    else:
        yield from _convert_rows([found], "", options)


def _convert_file(results: Cursor, options: Options) -> Iterator[Converted | Unfit]:
    is_summary = isinstance(results.value, dict)
    rows = (results.field("results") if is_summary else results).some_items()
    if len({_number_column(row) for row in rows}) > 1:
        yield Unfit(SEVERAL, rows[0].pointer)
    else:
        wrapper = "results.results[]." if is_summary else "results[]."
        yield from _convert_rows(rows, wrapper, options)


def _number_column(row: Cursor) -> int | None:
    """Return the number of the prompt and provider that a row is of."""
    column = row.value.get("promptIdx") if isinstance(row.value, dict) else None
    return column if isinstance(column, int) else None


def _convert_rows(
    rows: list[Cursor], wrapper: str, options: Options
) -> Iterator[Converted | Unfit]:
    """Yield the query of each row; one error for all if they are not the ground truth or a run."""
    first, contexts = rows[0], [_find_contexts(row) for row in rows]
    if options.role == "ground_truth" or (options.role is None and not any(contexts)):
        yield Unfit(NO_TRUTH + suggest_map(first.value, wrapper, "ground_truth"), first.pointer)
    elif not any(contexts):
        yield Unfit(NO_CONTEXT + suggest_map(first.value, wrapper, "results"), first.pointer)
    elif not any(map(_find_question, rows)):
        yield Unfit(NO_QUESTION + suggest_map(first.value, wrapper, "results"), first.pointer)
    else:
        yield from convert_each(rows, _convert_row, options)


def _convert_row(row: Cursor, _options: Options) -> Converted:
    question, contexts = _find_question(row), _find_contexts(row)
    if question is None:
        raise Unfit("no variable query or question, which other tests have", row.pointer)
    if not contexts:
        failed = " (the test ended with an error)" if row.has("error") else ""
        raise Unfit(f"no context, which other tests have{failed}", row.pointer)
    if any(other.value != contexts[0].value for other in contexts):
        raise Unfit("the assertions of this test have different contexts", contexts[0].pointer)
    texts = contexts[0].items() if isinstance(contexts[0].value, list) else contexts[:1]
    results = [_convert_text(text) for text in texts]
    return Converted({"results": results}, question.text(), row.pointer)


def _find_question(row: Cursor) -> Cursor | None:
    found = (_step_into(row, *way, name) for way in VARIABLES for name in QUESTIONS)
    return next(filter(None, found), None)


VARIABLES = (("vars",), ("testCase", "vars"))
"""Where the variables of a test are: with the row, or in its test case."""


def _find_contexts(row: Cursor) -> list[Cursor]:
    """Return the context of each context assertion, else the variable that they take it from."""
    checked = [part for part in _list_components(row) if _is_about_context(part)]
    resolved = [_step_into(part, "metadata", "context") for part in checked]
    if contexts := [context for context in resolved if context]:
        return contexts
    asserted = [Cursor(part) for part in list_objects(_object_at(row, "testCase"), "assert")]
    if not checked and not any(map(_is_about_context, asserted)):
        return []
    given = [_step_into(row, *way, "context") for way in VARIABLES]
    return [context for context in given if context][:1]


def _list_components(row: Cursor) -> Iterator[Cursor]:
    """Yield what each assertion found, those in sets of assertions too."""
    pending = [_step_into(row, "gradingResult", COMPONENTS)]
    while pending:
        parts = pending.pop()
        if parts and (isinstance(parts.value, list) or are_columns(parts.value)):
            yield from (found := parts.items())
            pending += [_step_into(part, COMPONENTS) for part in found]


def _is_about_context(part: Cursor) -> bool:
    assertion = _object_at(part, "assertion") or _object_at(part)
    kind = assertion.get("type")
    return isinstance(kind, str) and kind.removeprefix("not-") in ASSERTIONS


def _object_at(value: Cursor, *names: str) -> Mapping[str, Any]:
    found = _step_into(value, *names)
    return found.value if found and isinstance(found.value, dict) else {}


def _step_into(value: Cursor, *names: str) -> Cursor | None:
    """Return the field that these names lead to; None if there is none, or it is null."""
    for name in names:
        if not value.has(name):
            return None
        value = value.field(name)
    return value


def _convert_text(context: Cursor) -> dict[str, str]:
    text = context.text()
    return {"id": text_id(text), "text": text}


def _recognises(record: Mapping[str, Any]) -> bool:
    results = record.get("results")
    if isinstance(results, dict):
        return "version" in results and ("evalId" in record or "results" in results)
    rows = list_objects(record, "results")[:1] or [record]
    has_test = "vars" in rows[0] or "testCase" in rows[0]
    has_output = bool({"response", "providerResponse", "gradingResult"} & rows[0].keys())
    return has_test and has_output and "prompt" in rows[0]


FORMATS = (
    published_format(
        "promptfoo", "promptfoo results", _recognises, convert=_convert,
        fields="`results.results[]` of `promptfoo eval -o results.json`, or a row per line: "
        "`vars.query` or `vars.question`, and the context of `gradingResult.componentResults[]` "
        "or `vars.context`",
        groups="a run only: each text of the context of its context assertions is a result; "
        "ground truth requires `--map`",
        ids="the text of the context",
        carries=("text",), holds=("ground_truth", "run"),
    ),
)  # fmt: skip
