"""Mutations of bytes."""

from random import Random

from fuzz.mutations.pieces import BYTES

LONGEST = 200_000


def mutate_bytes(draw: Random, data: bytes, other: bytes) -> bytes:
    """Change some bytes, or splice the data with another file's."""
    for _ in range(draw.choice((1, 1, 1, 2, 3, 8))):
        data = draw.choice(CHANGES)(draw, data, other)[:LONGEST]
    return data


def _span(draw: Random, data: bytes) -> tuple[int, int]:
    start = draw.randint(0, len(data))
    return start, min(len(data), start + draw.choice((0, 1, 1, 2, 4, 16, 64, 1000)))


def _flip(draw: Random, data: bytes, _other: bytes) -> bytes:
    if not data:
        return data
    place = draw.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << draw.randrange(8))]) + data[place + 1 :]


def _replace(draw: Random, data: bytes, _other: bytes) -> bytes:
    start, end = _span(draw, data)
    return data[:start] + draw.choice(BYTES) + data[end:]


def _randomise(draw: Random, data: bytes, _other: bytes) -> bytes:
    start, end = _span(draw, data)
    return data[:start] + draw.randbytes(end - start) + data[end:]


def _delete(draw: Random, data: bytes, _other: bytes) -> bytes:
    start, end = _span(draw, data)
    return data[:start] + data[end:]


def _double(draw: Random, data: bytes, _other: bytes) -> bytes:
    start, end = _span(draw, data)
    return data[:start] + data[start:end] * draw.choice((2, 2, 3, 50)) + data[end:]


def _move(draw: Random, data: bytes, _other: bytes) -> bytes:
    start, end = _span(draw, data)
    rest, place = data[:start] + data[end:], draw.randint(0, len(data))
    return rest[:place] + data[start:end] + rest[place:]


def _truncate(draw: Random, data: bytes, _other: bytes) -> bytes:
    return data[: draw.randint(0, len(data))]


def _splice(draw: Random, data: bytes, other: bytes) -> bytes:
    return data[: draw.randint(0, len(data))] + other[draw.randint(0, len(other)) :]


def _append(draw: Random, data: bytes, other: bytes) -> bytes:
    return data + draw.choice((b"", b"\n")) + draw.choice((data, other))


CHANGES = (
    _flip, _flip, _replace, _replace, _replace, _randomise, _delete, _double, _move, _truncate,
    _splice, _append,
)  # fmt: skip
