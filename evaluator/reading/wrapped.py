"""The records of a JSON document that are under a key, as in ``{"test_cases": […]}``, streamed."""

from collections.abc import Iterator, Sequence

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.json import (
    LIST,
    MAP,
    PEEKED_BYTES,
    Window,
    pass_closing,
    read_head_key,
    read_head_value,
    read_pieces,
)
from groupwise.evaluator.reading.options import AS_IT_IS, Options
from groupwise.evaluator.reading.records import Batch, FileRecords, Reading
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.text import cut, json_pointer

SHOWN_KEYS = 80


class WrappedDocument(FileRecords):
    """The elements of a list, or the values of an object, that keys lead to."""

    def __init__(self, source: Source, steps: Sequence[str], options: Options = AS_IT_IS) -> None:
        super().__init__(source, options)
        self._steps = tuple(steps)

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield the records; whatever else the document holds is passed over."""
        with self.source.open() as stream:
            window = Window(stream, self.name, reading)
            window.fill(PEEKED_BYTES)
            window.skip_space()
            yield from _enter(window, self._steps, ())
            window.expect_end()


def _enter(window: Window, steps: tuple[str, ...], way: tuple[str, ...]) -> Iterator[Batch]:
    """Yield the records that the steps lead to, and advance past the value that begins here."""
    brackets = {b"[": LIST, b"{": MAP}.get(window.next_byte())
    if brackets is None or (steps and brackets is LIST):
        expected = "an object" if steps else "a list of records"
        raise _refuse(window, f"expected {expected} here", way, (window.line, window.column))
    if steps:
        yield from _pass_members(window, steps, way)
    else:
        window.way = way
        yield from read_pieces(window, brackets)


def _pass_members(window: Window, steps: tuple[str, ...], way: tuple[str, ...]) -> Iterator[Batch]:
    """Yield the records under the member that is sought; a key may have all steps in it."""
    place = window.line, window.column
    window.advance(window.place + 1)
    keys: dict[str, tuple[int, int]] = {}
    found: list[str] = []
    closed = window.next_byte() == MAP.closing and pass_closing(window, MAP)
    while not closed:
        key = read_head_key(window, keys)
        rest = () if key == ".".join(steps) else steps[1:]
        if key in (".".join(steps), steps[0]):
            found.append(key)
            _refuse_second(window, found, way, keys[key])
            yield from _enter(window, rest, (*way, key))
        else:
            read_head_value(window)
        closed = window.next_byte() != b"," and pass_closing(window, MAP)
        if not closed:
            window.advance(window.place + 1)
    if not found:
        shown = cut(", ".join(keys), SHOWN_KEYS)
        there = f"there are {shown}" if keys else "the object is empty"
        raise _refuse(window, f"no {steps[0]!r} here; {there}", way, place)


def _refuse_second(
    window: Window, found: list[str], way: tuple[str, ...], place: tuple[int, int]
) -> None:
    if len(found) > 1:
        both = " and ".join(map(repr, found))
        message = f"both {both} may lead to the records; rename one of them"
        raise _refuse(window, message, way, place)


def _refuse(
    window: Window, message: str, way: tuple[str, ...], place: tuple[int, int]
) -> InputError:
    problem = Problem(message, window.name, *place, None, json_pointer(way), "IO008")
    return InputError([*window.reading.problems, problem])
