"""Paths to fields, such as ``data[].evidence.*.doc_name+page``.

Steps are separated by dots: a key, a number in a list, or ``*`` for every element of a list. The
part up to ``[]`` leads to the records. ``+`` joins the parts of an id, with ``#`` between them. A
sign in brackets at the end, as in ``gold[;]``, separates the ids of a text.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.text import cut
from groupwise.schemas.values import describe

EVERY = "*"
NUMBER = "#"
WRAPPER = "[]"
PLUS = "+"
BETWEEN_PARTS = "#"
SEPARATORS = {";": ";", "|": "|", "\n": "\\n", "\t": "\\t", ",": ",", "/": "/", " ": " "}
"""The signs that may separate ids in a text, each with its spelling in a path."""
SHOWN_KEYS = 80

Steps: TypeAlias = tuple[str, ...]
Found: TypeAlias = tuple[Pointer, Any]


@dataclass(frozen=True)
class FieldPath:
    """The path to a field.

    Attributes:
        text: The path as it is written.
        wrappers: The paths from the document to its records, one for each ``[]``.
        steps: The steps from the record, or from what encloses it, to the field.
        parts: The paths of the parts to join, from where the steps lead; empty if it is one value.
        separator: The sign between the ids of a text; empty if a text is one id.
    """

    text: str
    wrappers: tuple[str, ...] = ()
    steps: Steps = ()
    parts: tuple[Steps, ...] = ()
    separator: str = ""

    @property
    def whole_text(self) -> str:
        """The path as it is written, without a separator."""
        return self.text.removesuffix(_spell_separator(self.separator))

    @property
    def is_number(self) -> bool:
        """Whether the field is the number of the record."""
        return self.text == NUMBER

    @property
    def level(self) -> int:
        """How many lists the field is in."""
        return len(self.wrappers)

    @property
    def prefix(self) -> str:
        """The part that leads to the record, as it is written."""
        return "".join(
            f"{'.' if number and wrapper else ''}{wrapper}{WRAPPER}"
            for number, wrapper in enumerate(self.wrappers)
        )

    @cached_property
    def last_key(self) -> str:
        """The name of the field in the file."""
        return self.steps[-1] if self.steps else ""

    @cached_property
    def last_step(self) -> str:
        """The parts as they are written."""
        return PLUS.join(".".join(part) for part in self.parts)

    def take(self, value: Any, field: str, start: Pointer = ()) -> Any:
        """Return what the path leads to, from a record or what encloses it.

        Raises:
            Unfit: It leads nowhere; the error names the last place that exists.
        """
        try:
            return _follow(self, value, self.steps, tuple(start))
        except Unfit as error:
            raise Unfit(f"{field}={self.text}: {error}", error.pointer) from None

    def trace(self, value: Any, rest: Pointer) -> Pointer:
        """Return the pointer to a part of the field, given the pointer within the field."""
        return _trace(self, value, self.steps, list(rest))


def parse_path(text: str) -> FieldPath:
    """Return the path to a field.

    Raises:
        ValueError: The text is malformed.
    """
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"expected a path, such as inputs.question, got {text!r}")
    separator = _find_separator(text)
    *wrappers, rest = text.removesuffix(_spell_separator(separator)).split(WRAPPER)
    for number, piece in enumerate([*wrappers[1:], rest] if wrappers else []):
        if piece and not piece.startswith("."):
            raise ValueError(f"expected '.' or the end behind '[]', got {piece!r} in {text!r}")
        if piece == "." or (number < len(wrappers) - 1 and piece.endswith(".")):
            raise ValueError(f"expected a name behind '.', got {text!r}")
    inner = rest.removeprefix(".") if wrappers else rest
    steps, parts = _split_parts(inner)
    ways = tuple(piece.removeprefix(".") for piece in wrappers)
    return FieldPath(text, ways, steps, parts, separator)


def _find_separator(text: str) -> str:
    signs = (sign for sign in SEPARATORS if text.endswith(_spell_separator(sign)))
    return next(signs, "")


def _spell_separator(sign: str) -> str:
    return f"[{SEPARATORS[sign]}]" if sign else ""


def _split_parts(text: str) -> tuple[Steps, tuple[Steps, ...]]:
    """Return the steps to the parent of all parts, and the path of each part from there."""
    first, *others = text.split(PLUS)
    if not others or not all((first, *others)):
        return tuple(text.split(".")) if text else (), ()
    *parent, name = first.split(".")
    return tuple(parent), ((name,), *(tuple(other.split(".")) for other in others))


def follow_steps(value: Any, path: str) -> Found:
    """Return the pointer and the value that a path of plain steps leads to.

    Raises:
        Unfit: It leads nowhere.
    """
    done: tuple[str | int, ...] = ()
    steps = tuple(path.split(".")) if path else ()
    for at, step in enumerate(steps):
        if isinstance(value, Mapping) and (rest := ".".join(steps[at:])) in value:
            return (*done, rest), value[rest]
        value, key = _take_step(value, step, done)
        done = (*done, key)
    return done, value


def _follow(path: FieldPath, value: Any, steps: Steps, done: tuple[str | int, ...]) -> Any:
    """Return what steps lead to; a key that contains dots takes precedence over steps."""
    for at, step in enumerate(steps):
        if isinstance(value, Mapping) and (rest := _spell_rest(path, steps[at:])) in value:
            return value[rest]
        if step == EVERY and isinstance(value, list):
            rest_of = steps[at + 1 :]
            return [_follow(path, v, rest_of, (*done, n)) for n, v in enumerate(value)]
        value, key = _take_step(value, step, done)
        done = (*done, key)
    if path.parts and not (isinstance(value, Mapping) and path.last_step in value):
        return _join(value, path.parts, done)
    return value[path.last_step] if path.parts else value


def _spell_rest(path: FieldPath, steps: Steps) -> str:
    return ".".join([*steps, path.last_step] if path.parts else steps)


def _take_step(value: Any, step: str, done: Pointer) -> tuple[Any, str | int]:
    if isinstance(value, Mapping) and step in value:
        return value[step], step
    if isinstance(value, list) and _is_index(step) and int(step) < len(value):
        return value[int(step)], int(step)
    raise Unfit(f"no {step!r} here; {_describe_content(value)}{_hint_at(value, step)}", done)


def _hint_at(value: Any, step: str) -> str:
    if step.endswith("]"):
        return "; an element of a list is a step, as in gold.0"
    if isinstance(value, list) and any(isinstance(part, Mapping) for part in value):
        return f"; *.{step} takes all of its elements, and [].{step} makes each a record"
    return ""


def _is_index(step: str) -> bool:
    return step.isascii() and step.isdigit() and len(step) < 10


def _describe_content(value: Any) -> str:
    keys = ", ".join(map(str, value)) if isinstance(value, Mapping) else ""
    return f"there are {cut(keys, SHOWN_KEYS)}" if keys else f"there is {describe(value)}"


def _join(value: Any, parts: tuple[Steps, ...], done: tuple[str | int, ...]) -> str | list[str]:
    """Return the id that consists of these parts; several if a part is every element of a list."""
    joined: list[str] = [""]
    is_list = False
    for number, steps in enumerate(parts):
        found = _follow(FieldPath(""), value, steps, done)
        place = (*done, *_point_at(value, steps))
        texts = [_spell_part(part, number, place) for part in _as_parts(found, steps)]
        if EVERY in steps and is_list:
            raise Unfit("expected one part of the id with *, got two", done)
        is_list = is_list or EVERY in steps
        between = BETWEEN_PARTS if number else ""
        joined = [f"{before}{between}{text}" for before in joined for text in texts]
    return joined if is_list else joined[0]


def _point_at(value: Any, steps: Steps) -> Pointer:
    return [int(step) if isinstance(value, list) and _is_index(step) else step for step in steps]


def _as_parts(found: Any, steps: Steps) -> Sequence[Any]:
    return found if EVERY in steps and isinstance(found, list) else [found]


def _spell_part(part: Any, number: int, pointer: Pointer) -> str:
    """Return a part of an id as text; only the first may contain the sign between parts."""
    if type(part) is int:
        return str(part)
    if not isinstance(part, str) or not part.strip():
        expected = "expected a part of an id, a non-blank string or a whole number"
        raise Unfit(f"{expected}, got {describe(part)}", pointer)
    if number and BETWEEN_PARTS in part:
        message = f"only the first part of an id may contain {BETWEEN_PARTS!r}, got"
        raise Unfit(f"{message} {describe(part)}, so that different ids stay different", pointer)
    return part


def _trace(path: FieldPath, value: Any, steps: Steps, rest: list[str | int]) -> Pointer:
    done: list[str | int] = []
    for at, step in enumerate(steps):
        if isinstance(value, Mapping) and (key := _spell_rest(path, steps[at:])) in value:
            return [*done, key, *_walk(value[key], rest)]
        key_or_index = rest.pop(0) if step == EVERY and isinstance(value, list) and rest else step
        try:
            value, found = _take_step(value, str(key_or_index), done)
        except Unfit:
            return done
        done.append(found)
    return done if path.parts else [*done, *_walk(value, rest)]


def _walk(value: Any, pointer: Sequence[str | int]) -> Iterator[str | int]:
    """Yield the steps of a pointer, as far as they exist in a value."""
    for step in pointer:
        parts: Any = dict(enumerate(value)) if isinstance(value, list) else value
        if not isinstance(parts, Mapping) or step not in parts:
            return
        value = parts[step]
        yield step
