"""What a map says: where the records of a document are, and where each field of them is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.evaluator.formats.mapping.paths import (
    EVERY,
    WRAPPER,
    FieldPath,
    follow_steps,
    parse_path,
)
from groupwise.schemas.values import describe

QUESTIONS = frozenset({
    "question", "questions", "query", "user_input", "input", "prompt", "question_text",
    "query_text", "user_query", "user_question",
})  # fmt: skip
"""Fields that hold a question: as an id it is numbered where it comes again."""
JOINED = frozenset({"id", "ground_truth", "results", "not_relevant", "document"})
"""The fields whose ids may have several parts."""
LISTED = frozenset({"ground_truth", "results", "not_relevant"})
"""The fields that hold ids."""


class Place(NamedTuple):
    """A record, or what encloses it: the pointer to it, its key in an object, and its value."""

    pointer: tuple[str | int, ...]
    key: str | None
    value: Any


Chain: TypeAlias = tuple[Place, ...]
"""A record, after what encloses it from the outside in."""


@dataclass(frozen=True)
class Plan:
    """The paths of a map, with what they have in common.

    Attributes:
        paths: The path of each field.
        wrappers: The paths from the document to its records, one for each list on the way.
        is_each: Whether the map begins at the elements of the document, with ``[]``.
        query: The path of the query, which a file of results may have as its id.
    """

    paths: Mapping[str, FieldPath]
    wrappers: tuple[str, ...] = ()
    is_each: bool = False
    query: str | None = None

    @property
    def names_questions(self) -> bool:
        """Whether the id is the question, which may be asked twice."""
        path = self.paths.get("id")
        if path is None or path.is_number or path.parts:
            return False
        return path.last_key in QUESTIONS or path.text == self.query

    @property
    def streamed(self) -> tuple[str, ...]:
        """The keys from the document to the first list; empty if it cannot be streamed.

        Fields of the document itself may follow its records, so that it must be read whole.
        """
        levels = [path.level for path in self.paths.values() if not path.is_number]
        if self.is_each or not self.wrappers or not self.wrappers[0] or 0 in levels:
            return ()
        steps = tuple(self.wrappers[0].split("."))
        return () if any(step == EVERY or step.isdigit() for step in steps) else steps

    def from_elements(self) -> "Plan":
        """Return the plan for the elements of the first list, when these are read one by one."""
        paths = {
            field: path if path.is_number else replace(path, wrappers=path.wrappers[1:])
            for field, path in self.paths.items()
        }
        return Plan(paths, self.wrappers[1:], is_each=True, query=self.query)

    def spell(self, name: str) -> str:
        """Return the path of a field of the record, as one writes it."""
        longest = max(self.paths.values(), key=lambda path: path.text.count(WRAPPER))
        before, sign, _ = longest.text.rpartition(WRAPPER)
        return f"{before}{sign}.{name}" if sign else name

    def expand(self, document: Any, key: str | None = None) -> Iterator["Chain | Unfit"]:
        """Yield each record, after what encloses it from the outside in."""
        place = Place((), key, document)
        return _expand((place,), self.wrappers) if self.wrappers else iter([(place,)])


def build_plan(paths: Mapping[str, str], query: str | None = None) -> Plan:
    """Return the plan of a map, in which the path of the query may be known besides.

    Raises:
        ValueError: A path is malformed, or the paths lead to records in different places.
    """
    parsed = {field: _parse_field(field, path) for field, path in paths.items()}
    is_each = any(path.wrappers[:1] == ("",) for path in parsed.values())
    if is_each:
        parsed = {field: _from_element(path) for field, path in parsed.items()}
    wrappers: tuple[str, ...] = max((p.wrappers for p in parsed.values()), key=len, default=())
    _refuse_two_places(parsed, wrappers)
    return Plan(parsed, wrappers, is_each, query)


def _parse_field(field: str, text: str) -> FieldPath:
    path = parse_path(text)
    if path.is_number and field != "id":
        raise ValueError(f"{field}=#: only the id can be the number of the record")
    if path.parts and field not in JOINED:
        raise ValueError(f"{field}={text}: + joins the parts of an id, and {field} is not one")
    if path.separator and field not in LISTED:
        raise ValueError(
            f"{field}={text}: only ids are separated, and {field} is not a list of them"
        )
    return path


def _from_element(path: FieldPath) -> FieldPath:
    return replace(
        path, wrappers=path.wrappers[1:] if path.wrappers[:1] == ("",) else path.wrappers
    )


def _refuse_two_places(paths: Mapping[str, FieldPath], wrappers: tuple[str, ...]) -> None:
    """Raise a ValueError unless each path leads to the records, or to what encloses them."""
    deepest = next((name for name, path in paths.items() if path.wrappers == wrappers), "")
    for field, path in paths.items():
        if path.wrappers != wrappers[: path.level]:
            first = f"{deepest}={paths[deepest].text}"
            raise ValueError(
                f"expected records in one place, got {first} and {field}={path.text}; "
                "map one of them, and convert the file in two steps"
            )


def _expand(places: Chain, wrappers: tuple[str, ...]) -> Iterator[Chain | Unfit]:
    if not wrappers:
        yield places
        return
    try:
        elements = list(_list_elements(places[-1], wrappers[0]))
    except Unfit as error:
        yield error
        return
    for element in elements:
        yield from _expand((*places, element), wrappers[1:])


def _list_elements(place: Place, wrapper: str) -> Iterator[Place]:
    """Yield the elements of a list, or the values of an object, with their keys."""
    try:
        way, value = follow_steps(place.value, wrapper)
    except Unfit as error:
        pointer = (*place.pointer, *error.pointer)
        raise Unfit(f"{wrapper}{WRAPPER}: {error}", pointer) from None
    pointer = (*place.pointer, *way)
    if isinstance(value, list):
        yield from (Place((*pointer, at), None, part) for at, part in enumerate(value))
    elif isinstance(value, Mapping):
        yield from (Place((*pointer, key), key, part) for key, part in value.items())
    else:
        expected = f"expected a list of records at {wrapper}{WRAPPER}"
        raise Unfit(f"{expected}, got {describe(value)}", pointer)
