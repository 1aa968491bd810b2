"""Mutations of JSON values; objects are lists of pairs, so that keys can be repeated."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from fuzz.mutations.pieces import KEYS, NUMBERS, TEXTS, WORDS


class Pair(list[Any]):
    """A key and its value."""


class Pairs(list[Pair]):
    """An object of JSON."""


class Raw(str):
    """Text that is written as it is."""

    __slots__ = ()


def parse(data: bytes) -> Any:
    """Return the value of a text.

    Raises:
        ValueError, RecursionError: The text is no JSON.
    """
    hook = lambda pairs: Pairs(map(Pair, pairs))  # noqa: E731  (short)
    return json.loads(data.decode("utf-8-sig"), object_pairs_hook=hook)


def write(value: Any, *, ascii_only: bool) -> str:
    """Return the text of a value."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, Pairs):
        parts = (f"{json.dumps(key)}: {write(part, ascii_only=ascii_only)}" for key, part in value)
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, list):
        return f"[{', '.join(write(part, ascii_only=ascii_only) for part in value)}]"
    return json.dumps(value, ensure_ascii=ascii_only)


def mutate_tree(draw: Random, value: Any, other: Any) -> Any:
    """Change some parts of a value in place; return it."""
    root = [value]
    for _ in range(draw.choice((1, 1, 1, 2, 2, 4, 10))):
        holder, place = draw.choice(list(_places(root)))
        draw.choice(CHANGES)(draw, holder, place, other)
        root = root or [None]
    return root[0]


def _places(value: Any) -> Iterator[tuple[list[Any], int]]:
    """Yield where each part is: in a list, or in the pair of a key."""
    stack = [value]
    while stack:
        holder = stack.pop()
        if isinstance(holder, Pairs):
            stack += holder
            continue
        for place in range(isinstance(holder, Pair), len(holder)):
            yield holder, place
            if isinstance(holder[place], list):
                stack.append(holder[place])


def odd_value(draw: Random, other: Any = None) -> Any:
    """Return any value."""
    kind = draw.randrange(9)
    if kind < 3:
        return _odd_number(draw)
    if kind < 5:
        return draw.choice(TEXTS)
    if kind == 5:
        return draw.choice(WORDS)
    if kind == 6:
        return draw.choice((None, [], Pairs(), [[]], [[[]]], [None], [""], [Pairs()], [["a"], []]))
    if kind == 7:
        pairs = (Pair((draw.choice(KEYS), draw.choice((*NUMBERS, *TEXTS)))) for _ in range(3))
        return Pairs(pairs)
    return _copy(other)


def _odd_number(draw: Random) -> Any:
    number = draw.choice(NUMBERS)
    texts = ("1E+400", "-0", "1.0", "0.1e1", "9" * 5000, "0." + "1" * 400, "1e-400", "01", "+1")
    return Raw(draw.choice(texts)) if draw.random() < 0.15 else number


def _copy(value: Any) -> Any:
    if isinstance(value, Pairs):
        return Pairs(Pair((key, _copy(part))) for key, part in value)
    return [_copy(part) for part in value] if isinstance(value, list) else value


def _replace(draw: Random, holder: list[Any], place: int, other: Any) -> None:
    holder[place] = odd_value(draw, other)


def _wrap(draw: Random, holder: list[Any], place: int, _other: Any) -> None:
    part = holder[place]
    for _ in range(draw.choice((1, 1, 2, 3, 70))):
        part = [part] if draw.random() < 0.6 else Pairs([Pair((draw.choice(KEYS), part))])
    holder[place] = part


def _unwrap(draw: Random, holder: list[Any], place: int, _other: Any) -> None:
    part = holder[place]
    if isinstance(part, list) and part:
        chosen = draw.choice(part)
        holder[place] = chosen[1] if isinstance(part, Pairs) else chosen


def _double(draw: Random, holder: list[Any], place: int, _other: Any) -> None:
    """Repeat a member, or for the value of a key, members within it."""
    part = holder[place]
    if not isinstance(holder, Pair):
        holder[place:place] = [_copy(part) for _ in range(draw.choice((1, 1, 2, 40)))]
    elif isinstance(part, list) and part:
        part.insert(draw.randrange(len(part) + 1), _copy(draw.choice(part)))


def _delete(_draw: Random, holder: list[Any], place: int, _other: Any) -> None:
    if not isinstance(holder, Pair):
        del holder[place]
    elif isinstance(holder[1], list) and holder[1]:
        holder[1].pop()


def _rename(draw: Random, holder: list[Any], place: int, _other: Any) -> None:
    if isinstance(holder, Pair):
        holder[0] = draw.choice(KEYS)


def _add_key(draw: Random, holder: list[Any], place: int, other: Any) -> None:
    part = holder[place]
    if isinstance(part, Pairs):
        part.insert(draw.randint(0, len(part)), Pair((draw.choice(KEYS), odd_value(draw, other))))


def _repeat_key(draw: Random, holder: list[Any], place: int, other: Any) -> None:
    part = holder[place]
    if isinstance(part, Pairs) and part:
        key, value = draw.choice(part)
        again = _copy(value) if draw.random() < 0.5 else odd_value(draw, other)
        part.append(Pair((key, again)))


def _shuffle(draw: Random, holder: list[Any], place: int, _other: Any) -> None:
    if isinstance(holder[place], list):
        draw.shuffle(holder[place])


def _edit_text(draw: Random, holder: list[Any], place: int, _other: Any) -> None:
    part = holder[place]
    if isinstance(part, str) and not isinstance(part, Raw):
        cut = draw.randint(0, len(part))
        holder[place] = part[:cut] + draw.choice(TEXTS) + part[cut + draw.randrange(2) :]


CHANGES = (
    _replace, _replace, _replace, _wrap, _unwrap, _double, _delete, _rename, _add_key, _add_key,
    _repeat_key, _shuffle, _edit_text, _edit_text,
)  # fmt: skip
