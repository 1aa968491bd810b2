"""Fixes: from findings to changes of the text, record by record."""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.formats import JsonDocument, JsonLines, records_in
from groupwise.evaluator.formats.editing import Changes, edited, without_overlaps
from groupwise.evaluator.formats.scan import Pointer
from groupwise.evaluator.formats.source import Held
from groupwise.evaluator.formats.text_files import read_text
from groupwise.evaluator.validation.asked import Asked
from groupwise.evaluator.validation.case import Draft, case_of
from groupwise.evaluator.validation.engine import Pass
from groupwise.evaluator.validation.kinds import KindOfIds
from groupwise.evaluator.validation.normal import cleaned
from groupwise.evaluator.validation.sink import Place, Sink
from groupwise.schemas import FixtureQuery, Result
from groupwise.schemas.ground_truth import Alternative, Group
from groupwise.schemas.shape import FIELD_NAMES

ROUNDS = 10
"""One fix may make another one possible; after so many rounds it is enough."""

MARK = "\ufeff"
Wants = Callable[[str, str | None], bool]
Fixing = Callable[[Changes, Draft, Any, Asked], bool]
"""Adds what a finding asks for to the changes of its record; False if it cannot be fixed."""


@dataclass
class FixSink(Sink):
    """Collects the findings that can be fixed, by the place of their record."""

    unsafe: bool = False
    marked: bool = False
    records: dict[tuple[int, int], tuple[Place, list[Draft]]] = field(default_factory=dict)

    def add(self, draft: Draft, place: Place) -> None:
        """Keep a finding whose fix is wanted."""
        fixable = self.rules[draft.code].fixable if draft.fixable else None
        allowed = fixable == "safe" or (self.unsafe and fixable == "unsafe")
        if not allowed or not self.wants(draft.code, place.file):
            return
        if draft.code == "IO003":
            self.marked = True
        elif place.batch is not None:
            where = place.batch.place(place.number, ())
            self.records.setdefault(where, (place, []))[1].append(draft)


class Fixed(NamedTuple):
    """The text before and after, and how many findings of each code were fixed."""

    old: str
    new: str
    by_code: Counter[str]


def fixed(path: str, asked: Asked, wants: Wants, *, unsafe: bool) -> Fixed:
    """The text of a file with all fixes that are wanted; nothing is written.

    A text that cannot be read stays as it is.
    """
    try:
        records = records_in(path)
        old = read_text(path)
    except (InputError, UnicodeDecodeError, OSError, EOFError):
        return Fixed("", "", Counter())
    text, by_code = old, Counter[str]()
    if not isinstance(records, JsonLines | JsonDocument):
        return Fixed(old, text, by_code)
    reader = type(records)
    for _ in range(ROUNDS):
        sink = FixSink(wants=wants, unsafe=unsafe)
        Pass(reader(Held(path, text.encode())), asked, sink, None, KindOfIds(asked.ids)).go()
        new = _changed(text, sink, asked, by_code)
        if new == text:
            break
        text = new
    return Fixed(old, text, by_code)


def _changed(text: str, sink: FixSink, asked: Asked, by_code: "Counter[str]") -> str:
    if sink.marked:
        text = text.removeprefix(MARK)
        by_code["IO003"] += 1
    mark = MARK if text.startswith(MARK) else ""
    body = text.removeprefix(MARK)
    starts = [0, *(match.end() for match in re.finditer("\n", body))]
    edits = []
    for (line, column), (place, drafts) in sink.records.items():
        changes = _changes(place, drafts, asked, by_code)
        edits += changes.edits(body, starts[line - 1] + column - 1)
    return mark + edited(body, without_overlaps(edits))


def _changes(place: Place, drafts: list[Draft], asked: Asked, by_code: "Counter[str]") -> Changes:
    assert place.batch is not None  # noqa: S101
    record = place.batch.values[place.number]
    changes = Changes()
    for draft in drafts:
        if draft.code in FIXES and FIXES[draft.code](changes, draft, record, asked):
            by_code[draft.code] += 1
    return changes


def _at(record: Any, pointer: Pointer) -> Any:
    for step in pointer:
        record = record[step]
    return record


def _quote_numbers(changes: Changes, _draft: Draft, record: Any, _asked: Asked) -> bool:
    case = case_of(record, None if isinstance(record, dict) else "")
    numbers = [one for one in (*case.listed, *case.results) if type(one.id) is int]
    for one in numbers:
        changes.replaced[tuple(one.pointer)] = json.dumps(str(one.id))
    return bool(numbers)


def _rename(changes: Changes, draft: Draft, record: Any, _asked: Asked) -> bool:
    home = _at(record, draft.pointer[:-1])
    known = KNOWN_FIELDS[len(draft.pointer) > 1]
    near = get_close_matches(str(draft.pointer[-1]).lower(), known, n=1)
    taken = near and any(name in home for name in FIELD_NAMES.get(near[0], (near[0],)))
    if not near or taken:
        return False
    changes.renamed[tuple(draft.pointer)] = near[0]
    return True


def _remove_blank(changes: Changes, draft: Draft, record: Any, asked: Asked) -> bool:
    """Take a blank id out, unless nothing else is there."""
    way = tuple(draft.pointer[:-1] if draft.pointer[-1:] == ("id",) else draft.pointer)
    home = _at(record, way[:-1]) if way else None
    if not isinstance(home, list) or len(home) < 2:
        return False
    return _remove_listed(changes, draft._replace(pointer=way), record, asked)


def _remove_listed(changes: Changes, draft: Draft, record: Any, _asked: Asked) -> bool:
    """Take an id or a group out of its list; the score of a result goes with it."""
    way = tuple(draft.pointer)
    if way[-1:] == ("id",):
        way = way[:-1]
    changes.removed.add(way)
    scores = next((name for name in FIELD_NAMES["scores"] if name in record), None)
    if scores is not None and way[0] in FIELD_NAMES["results"]:
        changes.removed.add((scores, way[-1]))
    return True


def _mark_unanswerable(changes: Changes, _draft: Draft, record: Any, _asked: Asked) -> bool:
    if not isinstance(record, dict):
        return False
    if "answerable" in record:
        changes.replaced["answerable",] = "false"
    else:
        changes.added["answerable"] = False
    return True


def _write_groups(changes: Changes, draft: Draft, record: Any, asked: Asked) -> bool:
    way = tuple(draft.pointer)
    if asked.flat == "all":
        for number in range(len(_at(record, way))):
            changes.wrapped[*way, number] = ("[", "]")
    else:
        changes.wrapped[way] = ("[", "]")
    return True


def _wrap_string(changes: Changes, draft: Draft, _record: Any, _asked: Asked) -> bool:
    is_group = isinstance(draft.pointer[-1], int)
    changes.wrapped[tuple(draft.pointer)] = ("[", "]") if is_group else ("[[", "]]")
    return True


def _clean(changes: Changes, draft: Draft, _record: Any, _asked: Asked) -> bool:
    new = cleaned(str(draft.id))
    if not new or not draft.pointer:
        return False
    changes.replaced[tuple(draft.pointer)] = json.dumps(new, ensure_ascii=False)
    return True


def _join(changes: Changes, draft: Draft, _record: Any, _asked: Asked) -> bool:
    """Make one id of its characters; in a field that nobody knows they stay."""
    way = tuple(draft.pointer)
    if way[0] not in FIELD_NAMES["ground_truth"]:
        return False
    whole = json.dumps("".join(draft.value), ensure_ascii=False)
    changes.replaced[way] = f"[{whole}]" if draft.group is not None else f"[[{whole}]]"
    return True


KNOWN_FIELDS = {
    False: sorted({*FixtureQuery.model_fields}),
    True: sorted({*Group.model_fields, *Alternative.model_fields, *Result.model_fields}),
}
"""The fields of a record, and those of what is within it."""

FIXES: dict[str, Fixing] = {
    "IO006": _quote_numbers,
    "IO008": _rename,
    "GT002": _remove_blank,
    "GT003": _mark_unanswerable,
    "GT004": _remove_listed,
    "GT005": _write_groups,
    "GT006": _wrap_string,
    "GT007": _remove_listed,
    "GT008": _remove_listed,
    "GT009": _remove_listed,
    "GT011": _clean,
    "GT018": _join,
    "RN001": _remove_listed,
}
