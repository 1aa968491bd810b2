"""The paths that ground truth, results, ids and queries could be read from."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from groupwise.evaluator.formats.mapping.fields import parse_map
from groupwise.evaluator.inspection import vocabulary as words
from groupwise.evaluator.inspection.meanings import Meaning, find_meanings, find_separator
from groupwise.evaluator.inspection.shapes import BY_ID, EVERY, FieldFacts, is_pair
from groupwise.evaluator.text import cut, printable

FLAT = {"list of text", "list of whole numbers", "list of text or whole number", BY_ID}


class Known(NamedTuple):
    """A field and what it could be."""

    facts: FieldFacts
    meanings: tuple[Meaning, ...]

    def strength(self, name: str) -> int:
        """Return how strongly the field says that it is this; 0 if it does not."""
        return next((found.strength for found in self.meanings if found.name == name), 0)


class Candidate(NamedTuple):
    """A path that ids could be read from.

    ``is_flat``: The ids are a list without groups. ``most``: The most ids that a record has.
    """

    path: str
    is_flat: bool
    why: str = ""
    most: int = 1
    scores: str | None = None


def know_fields(fields: Sequence[FieldFacts]) -> list[Known]:
    """Return the fields with what each could be."""
    return [Known(facts, tuple(find_meanings(facts))) for facts in fields]


def can_be_named(path: str) -> bool:
    """Whether a path can be typed as a part of ``--map``, and printed as it is."""
    if len(path) > words.LONGEST_NAME or printable(path) != path:
        return False
    try:
        return parse_map(f"{words.GROUND_TRUTH}={path}") == {words.GROUND_TRUTH: path}
    except ValueError:
        return False


def choose_best(known: Sequence[Known], name: str) -> str | None:
    """Return the path of the field that is most likely this; None if there is none."""
    fitting = [(field.strength(name), field) for field in known if can_be_named(field.facts.path)]
    best = max((strength for strength, _ in fitting), default=0)
    found = [field.facts.path for strength, field in fitting if strength == best]
    return found[0] if best else None


def list_candidates(known: Sequence[Known], name: str) -> list[Candidate]:
    """Return the paths that ids could be read from, only those that are named most clearly."""
    nameable = [field for field in known if can_be_named(field.facts.path)]
    best = max((field.strength(name) for field in nameable), default=0)
    chosen = [field for field in nameable if best and field.strength(name) == best]
    found: dict[str, Candidate] = {}
    for field in chosen:
        for candidate in _candidates_of(field, chosen, nameable):
            found.setdefault(candidate.path, candidate)
    return list(found.values())


def _candidates_of(
    field: Known, chosen: Sequence[Known], known: Sequence[Known]
) -> Iterator[Candidate]:
    facts = field.facts
    if facts.type in ("pair", "list of pairs"):
        yield from _pair_candidates(facts)
    elif facts.is_in_objects:
        siblings = [other.facts for other in known if other.facts.parent == facts.parent]
        yield from _object_candidates(facts, siblings, [other.facts for other in chosen])
    elif facts.type == "text" and (sign := find_separator(facts)):
        yield from _text_candidates(facts, sign)
    else:
        yield Candidate(facts.path, facts.type in FLAT, most=_count_most(facts))
        yield from _numbered_candidates(facts, known)


def _text_candidates(facts: FieldFacts, sign: str) -> Iterator[Candidate]:
    """Yield the ids that a text has between signs, and the text as one id."""
    most = max(len(value.split(sign)) for value in facts.values if value)
    why = f"a text has several ids, separated by {sign!r}"
    yield Candidate(f"{facts.path}[{sign}]", is_flat=True, why=why, most=most)
    yield Candidate(facts.path, is_flat=False, why="each text is one id")


def _pair_candidates(facts: FieldFacts) -> Iterator[Candidate]:
    """Yield the pair as one id in two parts, and its first part alone."""
    is_list = facts.type == "list of pairs"
    pairs = [pair for value in facts.values if value for pair in (value if is_list else [value])]
    if any(isinstance(pair[1], float) for pair in pairs):
        yield Candidate(facts.path, is_flat=True, why="pairs of an id and its score")
        return
    step = f".{EVERY}" if is_list else ""
    most = _count_most(facts) if is_list else 1
    shown = f"{pairs[0][0]}#{pairs[0][1]}"
    why = f"text and number are one id in two parts, such as {_show(shown)}"
    yield Candidate(f"{facts.path}{step}.0+1", is_list, why, most)
    why = f"only the first part is the id, such as {_show(pairs[0][0])}"
    yield Candidate(f"{facts.path}{step}.0", is_list, why, most)


def _object_candidates(
    facts: FieldFacts, siblings: Sequence[FieldFacts], chosen: Sequence[FieldFacts]
) -> Iterator[Candidate]:
    """Yield what identifies the objects of a list: a field, or a document and a part of it."""
    main = next((other for other in siblings if other in chosen and _is_whole(other)), None)
    if main not in (None, facts):
        return
    scores = next((other.path for other in siblings if _is_score(other)), None)
    most = _count_most(facts)
    if main is facts:
        yield Candidate(facts.path, facts.type in FLAT, most=most, scores=scores)
    elif _is_source(facts):
        for part in siblings:
            if _is_part(part) and len(part.values) == len(facts.values):
                yield _join(facts, part, part.steps[-1], most, scores)
        why = "the document alone is the id"
        alone = not any(map(_is_part, siblings))
        yield Candidate(facts.path, facts.type in FLAT, "" if alone else why, most, scores)
    elif not any(_is_source(other) for other in siblings if other in chosen):
        yield Candidate(facts.path, facts.type in FLAT, most=most, scores=scores)


def _numbered_candidates(facts: FieldFacts, known: Sequence[Known]) -> Iterator[Candidate]:
    """Yield a document and the numbers of its parts as one id, if the numbers alone are none."""
    if "whole number" not in facts.type or not {*facts.words} & words.PARTS:
        return
    for other in known:
        source = other.facts
        is_beside = source.parent == facts.parent and source.type == "text"
        if is_beside and _is_source(source) and other.strength(words.GROUND_TRUTH):
            is_list = facts.type.startswith("list")
            tail = facts.steps[-1] + (f".{EVERY}" if is_list else "")
            yield _join(source, facts, tail, _count_most(facts))


def _join(
    source: FieldFacts, part: FieldFacts, tail: str, most: int, scores: str | None = None
) -> Candidate:
    shown = f"{_first(source.values[0])}#{_first(part.values[0])}"
    why = f"the document and its part are one id, such as {_show(shown)}"
    is_flat = part.type in FLAT or source.type in FLAT
    return Candidate(f"{source.path}+{tail}", is_flat, why, most, scores)


def _first(value: Any) -> Any:
    return _first(value[0]) if isinstance(value, list) and value else value


def _is_whole(facts: FieldFacts) -> bool:
    """Whether a field of an object is its whole id: texts that name a part, or ``id`` itself."""
    own = words.split_name(facts.steps[-1])
    if own in (("id",), ("uuid",)):
        return True
    return "text" in facts.type and bool({*own} & words.PARTS) and "id" in own


def _is_source(facts: FieldFacts) -> bool:
    own = frozenset(words.split_name(facts.steps[-1]))
    return bool(own & words.SOURCES) and not own & words.FRAGMENTS and "text" in facts.type


def _is_part(facts: FieldFacts) -> bool:
    own = frozenset(words.split_name(facts.steps[-1]))
    is_short = "whole number" in facts.type or "id" in own
    return bool(own & words.PARTS) and is_short and not own & (words.FRAGMENTS | {"text"})


def _is_score(facts: FieldFacts) -> bool:
    return words.split_name(facts.steps[-1])[-1:] in (("score",), ("similarity",))


def _count_most(facts: FieldFacts) -> int:
    """Return the most ids that the field has in a record."""
    counted = [value for value in facts.values if isinstance(value, list | dict)]
    return max((len(value) for value in counted if not is_pair(value)), default=1)


def _show(text: str) -> str:
    return repr(cut(printable(text), 40))
