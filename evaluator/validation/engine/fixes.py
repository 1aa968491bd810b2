"""Fixes: from findings to changes of the text, record by record."""

import json
import re
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.formats.groupwise_json import READERS
from groupwise.evaluator.formats.opening import records_in
from groupwise.evaluator.reading.duplicate_keys import find_repeated_keys
from groupwise.evaluator.reading.editing import Changes, edited, without_overlaps
from groupwise.evaluator.reading.scan import Pointer, end_of_value
from groupwise.evaluator.reading.source import Held
from groupwise.evaluator.reading.text_file import read_text
from groupwise.evaluator.validation.engine.case import Draft
from groupwise.evaluator.validation.engine.findings import Place, Sink
from groupwise.evaluator.validation.engine.kinds import KindOfIds
from groupwise.evaluator.validation.engine.normalisation import cleaned
from groupwise.evaluator.validation.engine.reading import Pass
from groupwise.evaluator.validation.engine.request import Asked
from groupwise.evaluator.validation.rules.schema_checks import blank_listed, meant_field
from groupwise.schemas.shape import FIELD_NAMES

ROUNDS = 100
"""One fix may make another one possible; after so many rounds it is enough."""

MARK = "\ufeff"
Wants = Callable[[str, str | None], bool]
Fixing = Callable[[Changes, Draft, Any, Asked], bool]
"""Adds what a finding asks for to the changes of its record; False if it cannot be fixed."""


@dataclass
class FixSink(Sink):
    """Collects the findings that can be fixed, by the place of their record."""

    unsafe: bool = False
    flat: str | None = None
    marked: bool = False
    records: dict[tuple[int, int], tuple[Place, list[Draft]]] = field(default_factory=dict)

    def add(self, draft: Draft, place: Place) -> None:
        """Keep a finding whose fix is wanted."""
        answered = draft.code == "GT005" and self.flat is not None
        fixable = self.rules[draft.code].fixable if draft.fixable or answered else None
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
    except (InputError, UnicodeDecodeError, OSError, EOFError, zlib.error):
        return Fixed("", "", Counter())
    text, by_code = old, Counter[str]()
    if records.editable is None:
        return Fixed(old, text, by_code)
    reader = READERS[records.editable]
    # A flat list that was answered for is no finding, but its groups are to be written.
    asking = replace(asked, flat=None) if unsafe and wants("GT005", path) else asked
    for _ in range(ROUNDS):
        sink = FixSink(wants=wants, unsafe=unsafe, flat=asked.flat)
        Pass(reader(Held(path, text.encode())), asking, sink, None, KindOfIds(asked.ids)).go()
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
        start = starts[line - 1] + column - 1
        if _is_editable(body, start):
            edits += _changes(place, drafts, asked, by_code).edits(body, start)
    return mark + edited(body, without_overlaps(edits))


def _is_editable(text: str, start: int) -> bool:
    """Whether each pointer leads to one place: a record with a key twice is left alone."""
    try:
        end = end_of_value(text, start)
    except ValueError:
        return False
    return not any(True for _ in find_repeated_keys(text[start:end].encode()))


def _changes(place: Place, drafts: list[Draft], asked: Asked, by_code: "Counter[str]") -> Changes:
    assert place.batch is not None  # noqa: S101
    record = place.batch.values[place.number]
    changes = Changes()
    for draft in sorted(drafts, key=lambda one: (len(one.pointer), one.code)):
        if draft.code not in FIXES or changes.concern(draft.pointer):
            continue
        if FIXES[draft.code](changes, draft, record, asked):
            by_code[draft.code] += 1
    return changes


def _at(record: Any, pointer: Pointer) -> Any:
    for step in pointer:
        record = record[step]
    return record


def _quote_numbers(changes: Changes, _draft: Draft, record: Any, asked: Asked) -> bool:
    case = asked.understanding.case(record, None if isinstance(record, dict) else "")
    numbers = [one for one in (*case.listed, *case.results) if type(one.id) is int]
    for one in numbers:
        changes.replaced[tuple(one.pointer)] = json.dumps(str(one.id))
    return bool(numbers)


def _rename(changes: Changes, draft: Draft, record: Any, _asked: Asked) -> bool:
    meant = meant_field(draft.message, draft.pointer, _at(record, draft.pointer[:-1]))
    if meant is None:
        return False
    changes.renamed[tuple(draft.pointer)] = meant
    return True


def _remove_blank(changes: Changes, draft: Draft, record: Any, asked: Asked) -> bool:
    """Take a blank id out, unless nothing else is there."""
    way = blank_listed(record, draft.pointer)
    return way is not None and _remove_listed(changes, draft._replace(pointer=way), record, asked)


def _remove_group(changes: Changes, draft: Draft, _record: Any, _asked: Asked) -> bool:
    """Take a whole group out, also where the finding is about its alternatives."""
    number = next(n for n, step in enumerate(draft.pointer) if isinstance(step, int))
    changes.removed.add(tuple(draft.pointer[: number + 1]))
    return True


def _remove_listed(changes: Changes, draft: Draft, record: Any, _asked: Asked) -> bool:
    """Take an id or a group out of its list; the score of a result goes with it."""
    way = tuple(draft.pointer)
    if way[-1:] == ("id",):
        way = way[:-1]
    changes.removed.add(way)
    if isinstance(record, dict) and way[0] in FIELD_NAMES["results"]:
        given = [name for name in FIELD_NAMES["scores"] if isinstance(record.get(name), list)]
        changes.removed |= {
            (name, way[-1]) for name in given if len(record[name]) == len(record[way[0]])
        }
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
    truth = _at(record, way)
    if isinstance(truth, dict):
        if min(truth.values()) < 0:
            return False
        parts = [{one: grade} for one, grade in truth.items()] if asked.flat == "all" else [truth]
        changes.replaced[way] = json.dumps(parts, ensure_ascii=False)
    elif asked.flat == "all":
        for number in range(len(_at(record, way))):
            changes.wrapped[*way, number] = ("[", "]")
    else:
        changes.wrapped[way] = ("[", "]")
    return True


def _wrap_string(changes: Changes, draft: Draft, _record: Any, _asked: Asked) -> bool:
    is_group = bool(draft.pointer) and isinstance(draft.pointer[-1], int)
    changes.wrapped[tuple(draft.pointer)] = ("[", "]") if is_group else ("[[", "]]")
    return True


def _clean(changes: Changes, draft: Draft, record: Any, _asked: Asked) -> bool:
    new, way = cleaned(str(draft.id)), tuple(draft.pointer)
    home = _at(record, way[:-1])
    if isinstance(home, dict) and _at(record, way) != draft.id:
        return _clean_key(changes, new, way, home)
    changes.replaced[way] = json.dumps(new, ensure_ascii=False)
    return True


def _clean_key(changes: Changes, new: str, way: tuple[str | int, ...], home: Any) -> bool:
    """The same for an id that is the key of its grade, unless there is such a key."""
    taken = {way[:-1] for way, name in changes.renamed.items() if name == new}
    if new in home or way[:-1] in taken:
        return False
    changes.renamed[way] = new
    return True


def _join(changes: Changes, draft: Draft, record: Any, _asked: Asked) -> bool:
    """Make one id of its characters; weight and label of their group stay."""
    way = tuple(draft.pointer)
    group = _at(record, way)
    whole = json.dumps("".join(draft.value), ensure_ascii=False)
    if isinstance(group, dict):
        if not isinstance(group.get("alternatives"), list):
            return False
        way = (*way, "alternatives")
    changes.replaced[way] = f"[{whole}]" if draft.group is not None else f"[[{whole}]]"
    return True


FIXES: dict[str, Fixing] = {
    "IO006": _quote_numbers,
    "IO008": _rename,
    "GT002": _remove_blank,
    "GT003": _mark_unanswerable,
    "GT004": _remove_group,
    "GT005": _write_groups,
    "GT006": _wrap_string,
    "GT007": _remove_listed,
    "GT008": _remove_listed,
    "GT009": _remove_listed,
    "GT011": _clean,
    "GT018": _join,
    "RN001": _remove_listed,
}
