"""IO: rules of the text and of its shape. A record that breaks one of them cannot be read."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.validation.facts.draft import Draft
from groupwise.evaluator.validation.rules.edits import encode_value, follow, is_of_type
from groupwise.evaluator.validation.rules.rule import Fix, Rule

if TYPE_CHECKING:
    from groupwise.evaluator.reading.editing import Changes
    from groupwise.evaluator.reading.scan import Pointer
    from groupwise.evaluator.validation.facts.draft import SchemaError
    from groupwise.evaluator.validation.facts.request import Request
    from groupwise.evaluator.validation.facts.session import SourceFacts

SCORES = ("score", "scores")
KINDS: dict[type, str] = {str: "strings", int: "whole numbers"}

UNEXPECTED_SHAPE = "IO008"
"""The code of errors of the models that no rule claims."""


def check_byte_order_mark(source: "SourceFacts") -> Iterator[Draft]:
    """Report a byte order mark."""
    if source.has_byte_order_mark:
        yield Draft("IO003", "the file begins with a byte order mark", value="mark")


def is_number_out_of_range(error: "SchemaError") -> bool:
    """Whether a number is not finite; scores have a rule of their own."""
    return error.type == "finite_number" and error.field not in SCORES


def is_wrong_kind(error: "SchemaError") -> bool:
    """Whether an id is neither a string nor a whole number, or both kinds are mixed."""
    if error.type == "query_id":
        return not isinstance(error.value, str)
    return error.type in ("id_kind", "id_range", "mixed_kinds", "pair")


def draft_other_kind(kind: type, first: type, home: str, source: str) -> Draft:
    """Return the finding about a record whose ids are not of the kind that came first."""
    before = "before" if home == source else f"in {home}"
    message = (
        f"ids are {KINDS[kind]} here and {KINDS[first]} {before}; 1 and '1' are different ids: "
        "use one kind, or ids='text' to compare all as strings"
    )
    return Draft("IO006", message, value=KINDS[kind], fixable=kind is int and home == source)


def quote_numbers(changes: "Changes", _draft: Draft, record: Any, request: "Request") -> bool:
    """Write the whole numbers of a record as strings."""
    from groupwise.evaluator.validation.facts.case import CaseReader  # noqa: PLC0415

    reader = CaseReader(request.flat, request.ids)
    case = reader.read(record, None if isinstance(record, dict) else "")
    numbers = [listed for listed in (*case.listed, *case.results) if type(listed.id) is int]
    for listed in numbers:
        changes.replaced[tuple(listed.pointer)] = encode_value(str(listed.id))
    return bool(numbers)


def find_meant_field(message: str, pointer: "Pointer", home: Any) -> str | None:
    """Return the known field that an unknown one was meant to be, if it is not there already."""
    from groupwise.schemas.values import CANONICAL  # noqa: PLC0415

    start = f"unknown field {str(pointer[-1])[:60]!r} (did you mean '"
    if not message.startswith(start):
        return None
    meant = message.removeprefix(start).partition("'")[0]
    known = {CANONICAL.get(name, name) for name in home}
    return None if CANONICAL.get(meant, meant) in known else meant


def is_misspelt_field(error: "SchemaError") -> bool:
    """Whether an unknown field resembles a known one that is not there."""
    if error.type != "unknown_field":
        return False
    home = follow(error.record, error.pointer[:-1])
    return find_meant_field(error.message, error.pointer, home) is not None


def rename_field(changes: "Changes", draft: Draft, record: Any, _request: "Request") -> bool:
    """Rename an unknown field to the known one that it resembles."""
    meant = find_meant_field(draft.message, draft.pointer, follow(record, draft.pointer[:-1]))
    return meant is not None and changes.rename(draft.pointer, meant)


def check_no_records(source: "SourceFacts") -> Iterator[Draft]:
    """Report a source without records; one that could not be read has been reported."""
    if source.is_sound and not source.has_records:
        yield Draft("IO009", "no records", value="no records", fixable=False)


RULES = (
    Rule(
        "IO001", "invalid-json", "error",
        what="The text is not valid JSON.",
        why="A parser that guesses reads something other than what you wrote. The message names "
            "the cause: a trailing comma, a comment, single quotes, a second document.",
        example='{"id": "q1", "ground_truth": [["a"],]}',
        instead='{"id": "q1", "ground_truth": [["a"]]}',
    ),
    Rule(
        "IO002", "not-utf-8", "error",
        what="The bytes are not UTF-8. The message gives the offset of the first invalid byte, and "
             "names UTF-16 and UTF-32.",
        why="Ids decoded with the wrong encoding match nothing, for no visible reason.",
        example="a file saved as UTF-16",
        instead="the same file saved as UTF-8",
    ),
    Rule(
        "IO003", "byte-order-mark", "warning",
        what="The file begins with a byte order mark.",
        why="groupwise ignores it; most JSON parsers reject the file.",
        example="EF BB BF before the first record",
        instead="the same file without the three bytes",
        check_source=check_byte_order_mark,
        fix=Fix("Removes the mark.", "safe", rewrite=lambda text: text.removeprefix("\ufeff")),
    ),
    Rule(
        "IO004", "duplicate-key", "error",
        what="An object has the same key twice; the message gives both places.",
        why="Parsers silently keep the last one: the first ground truth is lost.",
        example='{"id": "q1", "ground_truth": [["a"]], "ground_truth": [["b"]]}',
        instead='{"id": "q1", "ground_truth": [["a"], ["b"]]}',
    ),
    Rule(
        "IO005", "number-out-of-range", "error",
        what="NaN, Infinity, or a number that does not fit into a double.",
        why="JSON has finite numbers only; a NaN makes every mean NaN.",
        example='{"id": "q1", "results": ["a"], "scores": [NaN]}',
        instead='{"id": "q1", "results": ["a"], "scores": [0.0]}',
        schema=is_number_out_of_range,
    ),
    Rule(
        "IO006", "id-kind", "error",
        what="An id is neither a string nor a whole number below 2^63, or both kinds are mixed.",
        why='1 and "1" are two ids: a document that is written both ways never matches.',
        example='{"id": "q1", "ground_truth": [["7"], [8]]}',
        instead='{"id": "q1", "ground_truth": [["7"], ["8"]]}',
        schema=is_wrong_kind,
        fix=Fix(
            "Writes the whole numbers of the record as strings, where strings came first.",
            "unsafe", quote_numbers, fits=is_of_type("mixed_kinds"),
        ),
    ),
    Rule(
        "IO007", "too-deep", "error",
        what="Values are nested deeper than 64 levels.",
        why="Real data is never that deep, and other programs crash on it.",
        example='{"id": "q1", "metadata": {"a": {"a": {"a": …}}}}',
        instead='{"id": "q1", "metadata": {"a": 1}}',
        schema=is_of_type("depth"),
    ),
    Rule(
        UNEXPECTED_SHAPE, "unexpected-shape", "error",
        what="A field is unknown (the message suggests the nearest known name), missing, given "
             "twice, or of the wrong type.",
        why="A misspelt field is not read, and its content is lost.",
        example='{"id": "q1", "ground_thruth": [["a"]]}',
        instead='{"id": "q1", "ground_truth": [["a"]]}',
        fix=Fix(
            "Renames an unknown field to the known one that it resembles.",
            "unsafe", rename_field, fits=is_misspelt_field,
        ),
    ),
    Rule(
        "IO009", "no-records", "error",
        what="The file holds no records.",
        why="Many tools evaluate an empty file without an error, and the result is meaningless.",
        example="[]",
        instead='[{"id": "q1", "ground_truth": [["a"]]}]',
        check_source=check_no_records,
    ),
    Rule(
        "IO010", "limit-exceeded", "error",
        what="A line, a record or the decompressed data exceeds its limit, or the compressed data "
             "is damaged.",
        why="A gigabyte fits into a megabyte of gzip; reading stops before memory runs out.",
        example="a line of more than 256 MiB",
        instead="one record per line",
    ),
)  # fmt: skip
