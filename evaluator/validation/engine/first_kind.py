"""Records in the order of the file, as far as it matters which of them has the first id."""

from collections import deque
from collections.abc import Iterator

from groupwise.evaluator.intake.bulk import PlainBatch
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.partition import Partition, PlainPart


def split_at_first_kind(parts: Partition, kinds: Kinds) -> Iterator[Partition]:
    """Yield records in their order until the kind of the first id is known; then all others.

    Until then, plain records are yielded one by one, others as many as follow each other.
    """
    if kinds.first:
        yield parts
        return
    begin, odd = 0, deque(parts.odd)
    for number, plain, row in _list_plain(parts):
        if kinds.first:
            break
        if before := _take_before(odd, number):
            yield Partition([], before)
        if not kinds.first:
            yield Partition([PlainPart([number], _select_record(plain, row))], [])
            begin = number + 1
    rest = (_drop_before(part, begin) for part in parts.plain)
    yield Partition([part for part in rest if part.numbers], list(odd))


def _list_plain(parts: Partition) -> list[tuple[int, PlainBatch, int]]:
    """Return all plain records in order: their numbers, and where they are."""
    found = (
        (number, part.records, row) for part in parts.plain for row, number in enumerate(part[0])
    )
    return sorted(found, key=lambda record: record[0])


def _take_before(odd: deque[int], number: int) -> list[int]:
    """Remove and return the numbers below this one."""
    taken = []
    while odd and odd[0] < number:
        taken.append(odd.popleft())
    return taken


def _drop_before(part: PlainPart, begin: int) -> PlainPart:
    """Return the records of a part from a number on."""
    rows = [row for row, number in enumerate(part.numbers) if number >= begin]
    return part if len(rows) == len(part.numbers) else select_rows(part, rows)


def select_rows(part: PlainPart, rows: list[int]) -> PlainPart:
    """Return some of plain records."""
    numbers, plain = part
    columns = {name: [content[row] for row in rows] for name, content in plain.columns.items()}
    ids = [plain.ids[row] for row in rows]
    return PlainPart([numbers[row] for row in rows], PlainBatch(ids, columns, *plain.kinds))


def _select_record(plain: PlainBatch, row: int) -> PlainBatch:
    """Return one of plain records; a list without ids has no kind, whatever the others have."""
    columns = {name: content[row : row + 1] for name, content in plain.columns.items()}
    fields = ("ground_truth", "results", "not_relevant")
    truth, results, unwanted = (
        kind if any(columns.get(field, ())) else type(None)
        for field, kind in zip(fields, plain.kinds, strict=True)
    )
    return PlainBatch(plain.ids[row : row + 1], columns, truth, results, unwanted)
