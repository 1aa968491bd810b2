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

from groupwise.evaluator.native import COMPILED, match

REFUSALS = (OverflowError, TypeError, ValueError)
NUMBERS = (0, 1, 7, 63, 2**31, 2**32, 2**62, 2**63 - 1, 2**63, 2**70, -1, 1 - 2**63, -(2**63))
TEXTS = (
    *("", " ", "\t", "a", "b", "c", "A", "doc-1", "doc-2", "é", "文献", "\U0001f600", "\ud800"),
    *("01234567", "0123456701234567", "0123456x01234567", "\0", "a\0", "x" * 300, "ab", "\u6261"),
)
SIZES = (1, 2, 2, 4, 4, 4, 8, 8, 8, 8, 8, 70)
ODD: tuple[Any, ...] = (None, 0, 1.5, True, b"a", ("a",), {}, {"a": [1]}, [], [[]], "a", 2**70)


class Calls:
    """Draws arguments and makes calls."""

    def __init__(self, seed: str) -> None:
        self.draw = Random(seed)

    def make(self) -> None:
        """Make one call: mostly with ids of one kind, and as many rankings as ground truths."""
        draw = self.draw
        make = draw.choice([self.number, self.plain_text, self.collision, self.any_id])
        queries = draw.randrange(1, 5)
        truths = [self.seldom_odd(lambda: self.groups(make)) for _ in range(queries)]
        queries += draw.random() < 0.02
        rankings = [self.seldom_odd(lambda: self.ids(make)) for _ in range(queries)]
        depth = draw.choice(NUMBERS) if draw.random() < 0.1 else draw.randrange(20)
        with suppress(*REFUSALS):
            match(truths, rankings, depth)

    def seldom_odd(self, make: Callable[[], Any]) -> Any:
        """What is made, seldom something that is no list of ids."""
        return self.draw.choice(ODD) if self.draw.random() < 0.01 else make()

    def groups(self, make: Callable[[], Any]) -> list[Any]:
        """A ground truth."""
        return [self.seldom_odd(lambda: self.ids(make)) for _ in range(self.size())]

    def ids(self, make: Callable[[], Any]) -> list[Any]:
        """A list of ids."""
        return [make() for _ in range(self.size() + (self.draw.random() < 0.9))]

    def size(self) -> int:
        """A number of items, mostly small."""
        return self.draw.randrange(self.draw.choice(SIZES))

    def number(self) -> int:
        """A number that often occurs again, seldom an edge."""
        return self.draw.choice(NUMBERS) if self.draw.random() < 0.02 else self.draw.randrange(30)

    def plain_text(self) -> str:
        """A text that often occurs again."""
        return f"document-{self.draw.randrange(30)}"

    def collision(self) -> str:
        """A text whose sketch is that of many others."""
        return f"{'a' * 10}{self.draw.randrange(200):06}{'a' * 40}"

    def any_id(self) -> Any:
        """Any text, seldom something else."""
        return self.draw.choice(ODD if self.draw.random() < 0.02 else TEXTS)


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
    print(f"{made:,} calls in {time.monotonic() - started:.0f} s (seed {options.seed!r})")
    return 0
