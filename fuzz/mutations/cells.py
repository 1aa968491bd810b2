"""Mutations of lines, and of cells within them: CSV, TSV, TREC."""

import re
from random import Random

from fuzz.mutations.pieces import KEYS, NUMBERS, TEXTS

CELL = re.compile(r"[,;\t ]")


def mutate_lines(draw: Random, data: bytes) -> bytes:
    """Change some lines or cells of a text."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    for _ in range(draw.choice((1, 1, 2, 3, 6))):
        place = draw.randrange(len(lines)) if lines else 0
        draw.choice(CHANGES)(draw, lines, place)
        lines = lines or [""]
    ending = draw.choice(("\n", "\n", "\n", "\n", "\r\n", "\r"))
    return ending.join(lines).encode("utf-8", "surrogatepass" if draw.random() < 0.5 else "replace")


def _odd_cell(draw: Random) -> str:
    kind = draw.randrange(3)
    if kind == 0:
        number = draw.choice(NUMBERS)
        return str(number) if not isinstance(number, int) or abs(number) < 2**80 else "9" * 400
    text = draw.choice(TEXTS if kind == 1 else KEYS)
    quoted = text.replace('"', '""')
    return text if draw.random() < 0.5 else f'"{quoted}"'


def _change_cell(draw: Random, lines: list[str], place: int) -> None:
    found = [match.start() for match in CELL.finditer(lines[place])]
    ends = [-1, *found, len(lines[place])]
    start = draw.randrange(len(ends) - 1)
    before, after = lines[place][: ends[start] + 1], lines[place][ends[start + 1] :]
    lines[place] = before + _odd_cell(draw) + after


def _drop_cell(draw: Random, lines: list[str], place: int) -> None:
    cells = CELL.split(lines[place])
    del cells[draw.randrange(len(cells))]
    lines[place] = draw.choice((",", "\t", " ")).join(cells)


def _double_line(draw: Random, lines: list[str], place: int) -> None:
    lines[place:place] = [lines[place]] * draw.choice((1, 1, 2, 30))


def _delete_line(_draw: Random, lines: list[str], place: int) -> None:
    del lines[place]


def _swap_lines(draw: Random, lines: list[str], place: int) -> None:
    other = draw.randrange(len(lines))
    lines[place], lines[other] = lines[other], lines[place]


def _blank_line(draw: Random, lines: list[str], place: int) -> None:
    lines.insert(place, draw.choice(("", " ", "\t", '"', "#", ",,,,", "\ufeff", "\0")))


def _separate(draw: Random, lines: list[str], _place: int) -> None:
    old, new = draw.sample([",", "\t", " ", ";", "  "], 2)
    lines[:] = [line.replace(old, new) for line in lines]


CHANGES = (
    _change_cell, _change_cell, _change_cell, _change_cell, _drop_cell, _double_line, _delete_line,
    _swap_lines, _blank_line, _separate,
)  # fmt: skip
