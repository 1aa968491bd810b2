"""Calls of the compiled walk with sound, odd and hostile arguments; meant for its sanitised build.

A call may return anything or raise one of a few errors. What must not happen, reading memory that
is not its own or undefined arithmetic, the sanitisers see.
"""

import argparse
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import numpy as np

from groupwise.evaluator.native.loader import COMPILED, walk

REFUSALS = (BufferError, OverflowError, TypeError, ValueError)
"""A UnicodeDecodeError is a ValueError."""
EDGES = (
    *(0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 255, 256, 2**31 - 1, 2**31, 2**32, 2**62, 2**62 + 1),
    *(2**63 - 2, 2**63 - 1, -1, -2, -8, -(2**31), -(2**62), 1 - 2**63, -(2**63)),
)
TEXTS = (
    *("", " ", "\t", "a", "b", "c", "A", "doc-1", "doc-2", "é", "文献", "\U0001f600", "\ud800"),
    *("01234567", "0123456701234567", "0123456x01234567", "\0", "a\0", "x" * 300),
)
SIZES = (1, 2, 2, 4, 4, 4, 8, 8, 8, 8, 8, 70)
ODD: tuple[Any, ...] = (
    None,
    0,
    1.5,
    True,
    b"a",
    ("a",),
    {},
    {"a": [1]},
    [],
    [[]],
    "a",
    float("nan"),
    2**70,
)
SIGNS = (b'"', b":", b" ", b"\n", b"\t", b"\\", b"{", b"}", b"a", b"\xff", b"\0", b"")
PIECES = (*SIGNS, b'"results":[', b'"results"', b"[", b"]", b",", b'"a"', b'"abcdefghijklmnopq"')
PACKED = (b"a", b"b" * 15, b"c" * 16, b"d" * 17, b"e" * 40, b" ", b"", b"\\n", b"\xc3\xa9", b"f g")
CELLS = (b"q", b"Q0", b"d1", b"1", b"0.5", b"-1e9", b"nan", b"1e999", b"\xff", b"9" * 50, b"\0")
SPACES = (b" ", b"\t", b"  ", b"\r\n", b"\n", b"\v", b"\f", b"")


class Calls:
    """Draws arguments; one method per function of the walk."""

    def __init__(self, seed: str) -> None:
        self.draw = Random(seed)

    def make(self) -> None:
        """Make one call."""
        name = self.draw.choice(FUNCTIONS)
        arguments = getattr(self, name, self.lists_for)()
        if self.draw.random() < 0.01:
            arguments = self._spoil(arguments)
        with suppress(*REFUSALS):
            getattr(walk, name)(*arguments)

    def _spoil(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Replace, drop or add an argument."""
        place = self.draw.randrange(len(arguments) + 1)
        middle = self.draw.choice([(), (self.draw.choice(ODD),), (self.number(),)])
        return (*arguments[:place], *middle, *arguments[place + self.draw.randrange(2) :])

    # ---- numbers, texts, lists ----

    def size(self) -> int:
        """A small number, seldom a larger one."""
        return self.draw.randrange(self.draw.choice(SIZES))

    def number(self) -> int:
        """Any number of 64 bits, often an edge."""
        draw = self.draw
        return draw.choice(EDGES) if draw.random() < 0.8 else draw.getrandbits(64) - 2**63

    def text(self) -> Any:
        """Any text, seldom something else."""
        draw = self.draw
        if draw.random() < 0.02:
            return draw.choice(ODD)
        return draw.choice(TEXTS) if draw.random() < 0.6 else f"d{draw.randrange(99)}"

    def texts(self) -> Any:
        """A list of texts."""
        if self.draw.random() < 0.01:
            return self.draw.choice(ODD)
        make = self.number if self.draw.random() < 0.1 else self.text
        return [make() for _ in range(self.size())]

    def groups(self) -> Any:
        """A ground truth."""
        if self.draw.random() < 0.01:
            return self.draw.choice(ODD)
        return [self.texts() for _ in range(min(self.size(), self.size()))]

    def some(self, make: Callable[[], Any]) -> list[Any]:
        """A short list."""
        return [make() for _ in range(self.draw.randrange(5))]

    # ---- buffers ----

    def buffer(self, numbers: list[int]) -> Any:
        """The numbers in a buffer of exactly their size, seldom a crooked one."""
        found = np.array([(one + 2**63) % 2**64 - 2**63 for one in numbers], np.int64)
        if self.draw.random() < 0.02:
            return found.astype(np.int32)
        return self._unaligned(found) if self.draw.random() < 0.1 else found

    def _unaligned(self, numbers: Any) -> Any:
        room: Any = np.zeros(numbers.nbytes + 1, np.uint8)
        room[1:] = np.frombuffer(numbers.tobytes(), np.uint8)
        return memoryview(room)[1:]

    def sorted_numbers(self, count: int, most: int) -> list[int]:
        """Ascending numbers, some of them spoilt."""
        draw = self.draw
        numbers = sorted(draw.randint(0, most) for _ in range(count))
        for place in range(count):
            if draw.random() < 0.03:
                numbers[place] = self.number()
        return numbers

    def packed(self) -> tuple[Any, Any, int]:
        """Offsets and data of texts, and about how many there are."""
        text = "".join(self.draw.choice(TEXTS) for _ in range(self.size()))
        data = np.frombuffer(text.encode("utf-8", "replace"), np.uint8).copy()
        count = self.size()
        return self.buffer(self.sorted_numbers(count, len(data))), data, count

    def ranges(self, count: int) -> tuple[Any, Any, int]:
        """Starts and ends of rows."""
        rows = self.draw.randrange(6)
        ends = self.sorted_numbers(rows + 1, max(0, count - 1))
        more = self.draw.random() < 0.01
        return self.buffer(ends[:-1]), self.buffer(ends[1:] + [1] * more), rows

    # ---- arguments ----

    def are_plain_texts(self) -> tuple[Any, ...]:
        """Offsets and data."""
        return self.packed()[:2]

    def decode_texts(self) -> tuple[Any, ...]:
        """Offsets, data, start and end."""
        offsets, data, count = self.packed()
        return offsets, data, *self.sorted_numbers(2, max(0, count - 1))

    def decode_lists(self) -> tuple[Any, ...]:
        """Starts, ends, offsets and data."""
        offsets, data, count = self.packed()
        return *self.ranges(count)[:2], offsets, data

    find_unclear_texts = decode_lists

    def pack_rankings(self) -> tuple[Any, ...]:
        """Text like JSON, a quoted name, and whether lists may contain line breaks."""
        text = b"".join(self.draw.choices(PIECES, k=self.size()))
        if self.draw.random() < 0.5:
            ids = (b'"%s"' % self.draw.choice(PACKED) for _ in range(self.size()))
            text = self.draw.choice((b"", b"{")) + b'"results":[' + b",".join(ids) + b"]" + text
        name = self.draw.choice((b'"results"', b'"', b"", b'"a"'))
        exact = np.frombuffer(text, np.uint8).copy() if self.draw.random() < 0.5 else text
        return exact, name if self.draw.random() < 0.2 else b'"results"', self.draw.random() < 0.5

    def pack_plain_rankings(self) -> tuple[Any, ...]:
        """Text like JSON, often in lines, and a quoted name."""
        pieces = (bytes(self.pack_rankings()[0]) for _ in range(self.draw.randrange(4)))
        return b"\n".join(pieces), self.pack_rankings()[1]

    def drop_lists(self) -> tuple[Any, ...]:
        """Text like JSON, and a quoted name."""
        text, name, _ = self.pack_rankings()
        pieces = self.draw.choices((b"[", b"]", b",", b'"a"', b" ", b'"results":['), k=self.size())
        return bytes(text) + b'"results":[' + b"".join(pieces), name

    def match_texts(self) -> tuple[Any, ...]:
        """Ground truths, starts, ends, offsets, data and the first number."""
        offsets, data, count = self.packed()
        starts, ends, rows = self.ranges(count)
        return [self.groups() for _ in range(rows)], starts, ends, offsets, data, self.first()

    def match_rankings(self) -> tuple[Any, ...]:
        """Ground truths, rankings and the first number."""
        return self.some(self.groups), self.some(self.texts), self.first()

    def match_plain(self) -> tuple[Any, ...]:
        """Ground truths, rankings and a depth; mostly of one kind and as many of both."""
        make = self.draw.choice([self.small_number, self.plain_text, self.text])
        queries, more = self.draw.randrange(1, 5), self.draw.random() < 0.02
        truths = [[self.filled(make) for _ in range(1 + self.size())] for _ in range(queries)]
        rankings = [self.filled(make) for _ in range(queries + more)]
        return truths, rankings, self.depth()

    def small_number(self) -> int:
        """A whole number that often occurs again, seldom any other."""
        return self.number() if self.draw.random() < 0.02 else self.draw.randrange(30)

    def plain_text(self) -> str:
        """A text that often occurs again."""
        return f"document-{self.draw.randrange(30)}"

    def filled(self, make: Callable[[], Any]) -> list[Any]:
        """A list that is seldom empty."""
        return [make() for _ in range(self.size() + (self.draw.random() < 0.99))]

    def depth(self) -> int:
        """How deep rankings are looked at."""
        return self.number() if self.draw.random() < 0.1 else self.draw.randrange(1, 20)

    def first(self) -> int:
        """The number of the first alternative."""
        return self.number() if self.draw.random() < 0.1 else self.draw.randrange(1000)

    def hash_clean_truths(self) -> tuple[Any, ...]:
        """Ground truths and their limits."""
        limits = [self.number() if self.draw.random() < 0.1 else self.size() for _ in range(3)]
        return self.some(self.groups), *limits

    sort_out_truths = hash_clean_truths

    def parse_run_lines(self) -> tuple[Any, ...]:
        """A block of lines, and the number of the first one."""
        draw, pieces = self.draw, []
        for _ in range(draw.randrange(6)):
            line = [b"q", b"Q0", b"d", b"1", b"%d" % draw.randrange(9), b"t\n"]
            for _ in range(draw.randrange(3)):
                line[draw.randrange(6)] = draw.choice(CELLS)
            pieces.append((draw.choice(SPACES) or b" ").join(line))
        block = draw.choice(SPACES).join(pieces)
        return block[
            : draw.randrange(len(block) + 1)
        ] if draw.random() < 0.3 else block, self.first()

    def count_key_ends(self) -> tuple[Any, ...]:
        """Text like JSON, or several."""
        if self.draw.random() < 0.3:
            odd = [None, "text", bytearray(b'":')] if self.draw.random() < 0.1 else []
            return ([*(self.count_key_ends()[0] for _ in range(self.draw.randrange(4))), *odd],)
        text = b"".join(self.draw.choices(SIGNS, k=self.size()))
        return (np.frombuffer(text, np.uint8).copy() if self.draw.random() < 0.5 else text,)

    def count_repeated_keys(self) -> tuple[Any, ...]:
        """Text like JSON, often with objects that have keys."""
        signs = (*SIGNS, b'"a":', b'"b" :', b'{"a":1', b"[", b"]", b",", b'"')
        text = b"".join(self.draw.choices(signs, k=self.draw.choice((3, 9, 80, 700))))
        return (np.frombuffer(text, np.uint8).copy() if self.draw.random() < 0.5 else text,)

    def find_lost_keys(self) -> tuple[Any, ...]:
        """Texts like JSON, and values."""
        texts = self.some(lambda: b"".join(self.draw.choices(SIGNS, k=self.size())))
        return texts, self.some(lambda: self.value(self.draw.randrange(4)))

    def count_keys(self) -> tuple[Any, ...]:
        """A value like parsed JSON."""
        return (self.value(self.draw.randrange(6)),)

    def are_flat(self) -> tuple[Any, ...]:
        """Values like parsed JSON."""
        return (self.some(lambda: self.value(self.draw.randrange(4))),)

    def value(self, levels: int) -> Any:
        """A value of some levels, seldom very deep."""
        draw = self.draw
        if draw.random() < 0.001:
            deep: Any = {}
            for _ in range(draw.choice([500, 1022, 1023, 1024, 1025, 3000])):
                deep = [deep]
            return deep
        if not levels or draw.random() < 0.1:
            return draw.choice(ODD)
        parts = self.some(lambda: self.value(levels - 1))
        return parts if draw.random() < 0.5 else dict(zip(TEXTS, parts, strict=False))

    def lists_for(self) -> tuple[Any, ...]:
        """The one argument of the other functions: lists of some depth."""
        makers: list[Callable[[], Any]] = [self.texts, self.groups, lambda: self.some(self.groups)]
        return (self.draw.choice(makers)(),)


FUNCTIONS = sorted(name for name in dir(walk) if not name.startswith("_"))


def main(arguments: list[str]) -> int:
    """Make the calls, until there were enough or the time is over."""
    parser = argparse.ArgumentParser(prog="python -m fuzz walk", description=__doc__)
    parser.add_argument("--calls", type=int, default=2_000_000, metavar="N")
    parser.add_argument("--seconds", type=float, default=float("inf"), metavar="S")
    parser.add_argument("--seed", default="walk")
    options = parser.parse_args(arguments)
    assert COMPILED, "the compiled walk is not built"
    calls, started, made = Calls(options.seed), time.monotonic(), 0
    while made < options.calls and time.monotonic() < started + options.seconds:
        calls.make()
        made += 1
    seconds = time.monotonic() - started
    print(
        f"{made:,} calls of {len(FUNCTIONS)} functions in {seconds:.0f} s (seed {options.seed!r})"
    )
    return 0
