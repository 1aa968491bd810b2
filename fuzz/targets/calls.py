"""The functions of the compiled walk; the bytes are the seed of the arguments."""

from collections.abc import Iterator
from zlib import crc32

from fuzz.targets.target import Target
from fuzz.walk import REFUSALS, Calls
from groupwise.evaluator.native import COMPILED


def list_targets() -> Iterator[Target]:
    """Yield the walk, if it is compiled."""
    if COMPILED:
        calls = Calls("walk")

        def call(data: bytes) -> None:
            if data:
                calls.draw.seed(crc32(data))
            calls.make()

        yield Target("walk", call, lambda: [b""], lambda *_: b"", REFUSALS)
