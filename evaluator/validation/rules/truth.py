"""GT: rules of the ground truth.

Groups that share ids break several rules at once; only the most specific one is reported.
Identical groups are not reported as supersets, nor an id in all groups as one in several.
"""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial, reduce
from itertools import chain, pairwise
from operator import and_, or_
from typing import TYPE_CHECKING, Any, NamedTuple

from groupwise.evaluator.text import UNSEEN, quote, quote_id
from groupwise.evaluator.validation.facts.draft import Draft
from groupwise.evaluator.validation.facts.normalisation import (
    clean_id,
    has_odd_characters,
    name_odd_characters,
    normalise,
)
from groupwise.evaluator.validation.rules.covering import may_cover
from groupwise.evaluator.validation.rules.edits import (
    encode_value,
    follow,
    is_of_type,
    remove_listed,
)
from groupwise.evaluator.validation.rules.rule import Fix, Locator, Rule

if TYPE_CHECKING:
    from groupwise.evaluator.reading.editing import Changes
    from groupwise.evaluator.reading.scan import Pointer
    from groupwise.evaluator.validation.facts.case import Case, CaseGroup, IdList
    from groupwise.evaluator.validation.facts.draft import Place, SchemaError
    from groupwise.evaluator.validation.facts.request import Request
    from groupwise.evaluator.validation.facts.session import Session, SourceFacts
    from groupwise.schemas import Id

MANY_ALTERNATIVES = 20
"""More alternatives than this in one group are suspicious."""

SHARE_OF_CORPUS = 0.05
"""A larger share of the corpus is suspicious, too, if it has enough documents."""

SMALLEST_CORPUS = 100
SPLIT_IDS = 5
"""This many ids of one character each, and nothing else, are an id that was split."""

MOST_COMPARED = 500
"""Among more groups than this, only identical ones are reported: others are compared in pairs."""


# GT001 duplicate-query-id


def suspect_repeated_queries(source: "SourceFacts", _session: "Session") -> Locator | None:
    """Return a locator if hashes of query ids are equal."""
    repeated = set(source.tally.query_ids.repeated.tolist())
    return partial(locate_repeated_queries, repeated, {}) if repeated else None


def locate_repeated_queries(
    suspected: set[int], first: dict[str, int | None], case: "Case", place: "Place"
) -> Iterator[Draft]:
    """Report a query id that was there before, with the line of the first record."""
    query = case.query
    if query is None or hash(query) not in suspected:
        return
    if query in first:
        where = f" (first at line {first[query]})" if first[query] else ""
        message = f"the query id is repeated{where}"
        yield Draft("GT001", message, case.pointer_to("id"), value=query)
    else:
        first[query] = place.line_and_column()[0]


# GT002 blank-id


def is_blank_id(error: "SchemaError") -> bool:
    """Whether an id is blank or missing."""
    if error.type == "query_id":
        return isinstance(error.value, str)
    return error.type == "id_blank" or (error.type == "missing" and error.field == "id")


def find_blank_among_others(value: Any, pointer: "Pointer") -> "Pointer | None":
    """Return the pointer to a blank alternative or result, if others are listed beside it."""
    blank = follow(value, pointer)
    pointer = pointer[:-1] if pointer[-1:] in (["id"], ("id",)) else pointer
    home = follow(value, pointer[:-1]) if pointer else None
    has_others = isinstance(home, list | tuple) and len(home) > 1
    return pointer if has_others and isinstance(blank, str) and not blank.strip() else None


def is_blank_among_others(error: "SchemaError") -> bool:
    """Whether the blank id can be removed."""
    is_blank = error.type == "id_blank"
    return is_blank and find_blank_among_others(error.record, error.pointer) is not None


def remove_blank(changes: "Changes", draft: Draft, record: Any, request: "Request") -> bool:
    """Remove a blank id, unless it is the only one."""
    pointer = find_blank_among_others(record, draft.pointer)
    if pointer is None:
        return False
    return remove_listed(changes, draft._replace(pointer=pointer), record, request)


# GT003 no-groups


def check_no_groups(case: "Case", _request: "Request") -> Iterator[Draft]:
    """Report a ground truth that is there and empty."""
    if isinstance(case.truth, list) and not case.truth and case.record.get("answerable", True):
        message = 'no groups; if nothing answers the query, say "answerable": false'
        yield Draft("GT003", message, case.truth_pointer, value=[], fixable=bool(case.record))


def mark_unanswerable(changes: "Changes", _draft: Draft, record: Any, _request: "Request") -> bool:
    """Write that nothing answers the query."""
    if not isinstance(record, dict):
        return False
    if "answerable" in record:
        changes.replaced["answerable",] = "false"
    else:
        changes.added["answerable"] = False
    return True


# GT004 empty-group


def remove_group(changes: "Changes", draft: Draft, _record: Any, _request: "Request") -> bool:
    """Remove a whole group, also where the finding is about its alternatives."""
    number = next(n for n, step in enumerate(draft.pointer) if isinstance(step, int))
    changes.removed.add(tuple(draft.pointer[: number + 1]))
    return True


# GT005 flat-list


def is_meaning_given(error: "SchemaError") -> bool:
    """Whether the caller said what a flat list means."""
    return error.request.flat is not None


def report_flat_lists(request: "Request") -> "Request":
    """Return the request under which a flat list is a finding although its meaning is known."""
    from dataclasses import replace  # noqa: PLC0415  (listing the rules needs no dataclasses)

    return replace(request, flat_is_finding=True)


def write_groups(changes: "Changes", draft: Draft, record: Any, request: "Request") -> bool:
    """Write a flat list, or a map of grades by id, as groups."""
    pointer = tuple(draft.pointer)
    truth = follow(record, pointer)
    if isinstance(truth, dict):
        if min(truth.values()) < 0:
            return False
        single = [{name: grade} for name, grade in truth.items()]
        groups = single if request.flat == "all" else [truth]
        changes.replaced[pointer] = encode_value(groups)
    elif request.flat == "all":
        first = {id_: number for number, id_ in reversed([*enumerate(truth)])}
        for number, id_ in enumerate(truth):
            if first[id_] == number:
                changes.wrapped[*pointer, number] = ("[", "]")
            else:
                changes.removed.add((*pointer, number))
    else:
        changes.wrapped[pointer] = ("[", "]")
    return True


# GT006 string-as-group


def is_string_as_group(error: "SchemaError") -> bool:
    """Whether a group or the whole ground truth is a string."""
    is_truth = error.type == "shape" and error.field == "ground_truth"
    return error.type == "group_string" or (is_truth and isinstance(error.value, str))


def is_where_list_belongs(error: "SchemaError") -> bool:
    """Whether the string is a group or the ground truth itself."""
    return error.type == "group_string" or error.location[-1:] == ("ground_truth",)


def wrap_string(changes: "Changes", draft: Draft, _record: Any, _request: "Request") -> bool:
    """Put the string into a list."""
    is_group = bool(draft.pointer) and isinstance(draft.pointer[-1], int)
    changes.wrapped[tuple(draft.pointer)] = ("[", "]") if is_group else ("[[", "]]")
    return True


# GT007 repeated-alternative


def check_repeats(case: "Case", _request: "Request") -> Iterator[Draft]:
    """Report ids that a group lists twice."""
    for group in get_whole_groups(case):
        for pointer in group.repeats:
            document = group.ids[0]
            message = f"the id {quote(document)} is listed twice, and is one group"
            yield Draft("GT007", message, pointer, group.number, document, document)
        if len({*group.ids}) != len(group.ids):
            yield from _find_repeats(group)


def _find_repeats(group: "CaseGroup") -> Iterator[Draft]:
    first: dict[Id, int] = {}
    for place, document in enumerate(group.ids):
        before = first.setdefault(document, place)
        if before != place:
            pointer = group.point(place)
            # A safe fix does not remove an alternative that may have a grade of its own.
            is_bare = "id" not in (pointer[-1], group.point(before)[-1])
            message = f"the id {quote(document)} is listed twice in group {group.number}"
            yield Draft("GT007", message, pointer, group.number, document, document, is_bare)


# GT008 identical-groups, GT009 superset-group, GT010 shared-alternative,
# GT016 one-document-covers-all, GT017 or-of-ands


def check_overlaps(case: "Case", _request: "Request") -> Iterator[Draft]:
    """Report groups that share ids, under the most specific of five rules."""
    groups = get_whole_groups(case)
    sets = [frozenset(group.ids) for group in groups]
    if sum(map(len, sets)) == len(frozenset().union(*sets)):
        return
    numbers = [group.number for group in groups]
    first = {ids: number for number, ids in zip(reversed(numbers), reversed(sets), strict=True)}
    subsets = _find_subsets(first) if len(first) <= MOST_COMPARED else {}
    kept = []
    for group, ids in zip(groups, sets, strict=True):
        if (same := first[ids]) != group.number:
            message = f"group {group.number} has the same alternatives as group {same}"
            yield _draft_group("GT008", message, group)
        elif (smaller := subsets.get(group.number)) is not None:
            message = f"group {group.number} holds all alternatives of group {smaller}"
            yield _draft_group("GT009", f"{message}: it is met whenever that one is", group)
        else:
            kept.append(group)
    if len(kept) <= MOST_COMPARED:
        yield from _find_shared(kept)


def _find_subsets(numbers: "dict[frozenset[Id], int]") -> dict[int, int]:
    """Return the number of a group for that of each one that holds all its alternatives."""
    sets = list(numbers)
    homes = _mask_homes(sets)
    without = (1 << len(sets)) - 1
    found: dict[int, int] = {}
    for place, ids in enumerate(sets):
        holding = reduce(and_, map(homes.__getitem__, ids)) & ~(1 << place) & without
        without &= ~holding
        found |= {numbers[sets[larger]]: numbers[ids] for larger in _list_bits(holding)}
    return found


def _mask_homes(sets: "Sequence[frozenset[Id]]") -> "dict[Id, int]":
    """Return for each id the sets that hold it, as the bits of a number."""
    homes: dict[Id, int] = {}
    for place, ids in enumerate(sets):
        for document in ids:
            homes[document] = homes.get(document, 0) | 1 << place
    return homes


def _list_bits(mask: int) -> list[int]:
    return [place for place, bit in enumerate(reversed(f"{mask:b}")) if bit == "1"]


def _count_overlapping(sets: "Sequence[frozenset[Id]]") -> int:
    """Return how many pairs of sets share an id."""
    homes = _mask_homes(sets)
    met = [reduce(or_, map(homes.__getitem__, ids)).bit_count() - 1 for ids in sets]
    return sum(met) // 2


def _draft_group(code: str, message: str, group: "CaseGroup") -> Draft:
    return Draft(code, message, group.pointer, group.number, value=sorted(map(str, group.ids)))


def _find_shared(groups: "Sequence[CaseGroup]") -> Iterator[Draft]:
    """Report groups that overlap, none of which holds another."""
    sets = [frozenset(group.ids) for group in groups]
    if len(sets) < 2:
        return
    everywhere = frozenset.intersection(*sets)
    pairs, overlapping = math.comb(len(sets), 2), _count_overlapping(sets)
    pointer = groups[0].pointer[:-1]
    if everywhere:
        document = min(everywhere, key=str)
        message = f"the document {quote(document)} meets all {len(sets)} groups by itself"
        yield Draft("GT016", message, pointer, id=document, value=document)
    elif len(sets) > 2 and 2 * overlapping >= pairs:
        message = (
            f"{overlapping} of {pairs} pairs of groups overlap: if each group is a set of "
            "evidence that suffices, this is an OR of ANDs, and means the opposite here"
        )
        yield Draft("GT017", message, pointer, value=overlapping)
    else:
        yield from _find_in_several(groups)


def _find_in_several(groups: "Sequence[CaseGroup]") -> Iterator[Draft]:
    """Report the ids in several groups, at the place that each has in its second group."""
    homes: dict[Id, list[tuple[CaseGroup, int]]] = {}
    for group in groups:
        first: dict[Id, int] = {}
        for place, document in enumerate(group.ids):
            if first.setdefault(document, place) == place:
                homes.setdefault(document, []).append((group, place))
    for document, found in homes.items():
        if len(found) > 1:
            numbers = " and ".join(str(group.number) for group, _ in found)
            message = f"the id {quote(document)} is in groups {numbers}"
            second, place = found[1]
            yield Draft("GT010", message, second.point(place), second.number, document, document)


# GT011 odd-characters


def check_characters(case: "Case", _request: "Request") -> Iterator[Draft]:
    """Report odd characters in the ids of documents and of the query."""
    for group in case.groups:
        yield from _find_odd(group, group.number)
    yield from _find_odd(case.results)
    if case.query and case.query.strip() and has_odd_characters(case.query):
        yield _draft_odd(case.query, case.pointer_to("id"))


def _find_odd(ids: "IdList", group: int | None = None) -> Iterator[Draft]:
    """Report the odd ids of a list; most lists are clean as a whole."""
    if not _are_clean([document for document in ids.ids if isinstance(document, str)]):
        for document, pointer in ids:
            if has_odd_characters(document):
                yield _draft_odd(document, pointer, group)


def _draft_odd(document: "Id", pointer: "Pointer", group: int | None = None) -> Draft:
    message = f"the id {quote(document)} has {name_odd_characters(str(document))}"
    fixable = bool(pointer and clean_id(str(document)))
    return Draft("GT011", message, pointer, group, document, document, fixable)


def _are_clean(ids: "list[Any]") -> bool:
    joined = "".join(ids)
    if not joined.isprintable() or ids != list(map(str.strip, ids)):
        return False
    return joined.isascii() or not UNSEEN.search(joined)


def clean_characters(changes: "Changes", draft: Draft, record: Any, _request: "Request") -> bool:
    """Write the id without odd characters."""
    new, pointer = clean_id(str(draft.id)), tuple(draft.pointer)
    home = follow(record, pointer[:-1])
    if isinstance(home, dict) and follow(record, pointer) != draft.id:
        return _clean_key(changes, new, pointer, home)
    changes.replaced[pointer] = encode_value(new)
    return True


def _clean_key(changes: "Changes", new: str, pointer: tuple[str | int, ...], home: Any) -> bool:
    """Rename an id that is the key of its grade, unless there is such a key."""
    return new not in home and changes.rename(pointer, new)


# GT012 nearly-equal-ids


def suspect_nearly_equal_ids(source: "SourceFacts", _session: "Session") -> Locator | None:
    """Return a locator if hashes of the normal forms of different ids are equal."""
    clashes = source.tally.spellings.find_clashes(source.tally.ids)
    return partial(locate_nearly_equal_ids, clashes, {}) if clashes else None


def locate_nearly_equal_ids(
    suspected: set[int], spellings: "dict[str, list[Id]]", case: "Case", _place: "Place"
) -> Iterator[Draft]:
    """Report each spelling of an id but the first, once."""
    for document, pointer in case.listed:
        form = normalise(document) if isinstance(document, str) else ""
        if not form or hash(form) not in suspected:
            continue
        known = spellings.setdefault(form, [document])
        if document not in known:
            known.append(document)
            message = (
                f"the ids {quote(document)} and {quote(known[0])} differ only in spelling; "
                "they never match"
            )
            yield Draft("GT012", message, pointer, None, document, document)


# GT013 repeated-query-text


def suspect_repeated_texts(source: "SourceFacts", _session: "Session") -> Locator | None:
    """Return a locator if hashes of normalised query texts are equal."""
    repeated = set(source.tally.texts.repeated.tolist())
    return partial(locate_repeated_texts, repeated, {}) if repeated else None


def locate_repeated_texts(
    suspected: set[int], first: dict[str, tuple[str | None, Any]], case: "Case", _place: "Place"
) -> Iterator[Draft]:
    """Report a query whose text was there before, and whether its ground truth is the same."""
    form = normalise(case.text) if case.text else ""
    if not form or hash(form) not in suspected:
        return
    truth = sorted(sorted(map(str, group.ids)) for group in case.groups)
    if form in first:
        query, other = first[form]
        how = "the same" if truth == other else "a different"
        message = f"the same text as query {quote(query)}, with {how} ground truth"
        yield Draft("GT013", message, ("query",), value=case.text)
    first.setdefault(form, (case.query, truth))


# GT014 many-alternatives


def check_alternatives(case: "Case", _request: "Request") -> Iterator[Draft]:
    """Report groups with very many alternatives."""
    for group in get_whole_groups(case):
        if (size := len({*group.ids})) > MANY_ALTERNATIVES:
            message = f"group {group.number} has {size} alternatives; almost any result meets it"
            yield Draft("GT014", message, group.pointer, group.number, value=size)


def suspect_large_groups(source: "SourceFacts", session: "Session") -> Locator | None:
    """Return a locator if any group lists a large share of the corpus."""
    if session.survey is None or source.is_run or session.survey.documents < SMALLEST_CORPUS:
        return None
    documents = session.survey.documents
    _, sizes = source.tally.shapes.histograms()
    is_suspicious = max(sizes, default=0) > SHARE_OF_CORPUS * documents
    return partial(locate_large_groups, documents) if is_suspicious else None


def locate_large_groups(documents: int, case: "Case", _place: "Place") -> Iterator[Draft]:
    """Report groups that list a large share of the corpus, but not those large by themselves."""
    for group in case.groups:
        size = len(set(group.ids))
        if size / documents > SHARE_OF_CORPUS and size <= MANY_ALTERNATIVES:
            message = f"group {group.number} lists {size / documents:.0%} of the corpus"
            yield Draft("GT014", message, group.pointer, group.number, value=len(group.ids))


# GT015 more-groups-than-k


def check_cutoff(case: "Case", request: "Request") -> Iterator[Draft]:
    """Report a query whose groups need more results than the cutoff allows."""
    groups, k = get_whole_groups(case), request.cutoff
    if len(groups) > k and not may_cover((group.ids for group in groups), k):
        results = "no result meets" if k == 1 else f"no {k:,} results meet"
        message = f"{results} all {len(groups)} groups: recall@{k} cannot reach 1"
        yield Draft("GT015", message, groups[0].pointer[:-1], value=len(groups))


# GT018 split-id


class Split(NamedTuple):
    """The characters of an id that was split.

    ``is_known`` is False in a field that is unknown, and ``group`` None outside of groups.
    """

    characters: "Sequence[Any]"
    pointer: "Pointer"
    group: int | None = None
    is_known: bool = True


def check_split_ids(case: "Case", _request: "Request") -> Iterator[Draft]:
    """Report ids that were split."""
    for ids, pointer, group, is_known in find_split_ids(case):
        whole = "".join(ids)
        message = f"the id {quote_id(whole)} was split into {len(ids)} characters"
        yield Draft("GT018", message, pointer, group, whole[:200], list(ids), is_known)


@lru_cache(maxsize=1)
def find_split_ids(case: "Case") -> list[Split]:
    """Return the ids in the ground truth and in unknown fields, one for each pointer."""
    found: dict[tuple[str | int, ...], Split] = {}
    for split in _find_split(case):
        found.setdefault(tuple(split.pointer), split)
    return list(found.values())


def _find_split(case: "Case") -> Iterator[Split]:
    groups = case.groups
    ids = [group.ids for group in groups]
    if max(map(len, ids), default=0) >= SPLIT_IDS:
        for group, characters in zip(groups, ids, strict=True):
            if _is_split(characters):
                yield Split(characters, group.pointer, group.number)
    if [*map(len, ids)].count(1) == len(ids) and _is_split([*chain.from_iterable(ids)]):
        yield Split([*chain.from_iterable(ids)], groups[0].pointer[:-1])
    if isinstance(case.truth, list) and _is_split(case.truth):
        yield Split(case.truth, case.truth_pointer)
    for name in case.unknown_fields():
        value = case.record[name]
        if isinstance(value, list) and _is_split(value):
            yield Split(value, (name,), is_known=False)


def _is_split(ids: "Sequence[Any]") -> bool:
    """Whether ids are many single characters; letters in alphabetical order are an example."""
    if not _are_characters(ids):
        return False
    return any(later <= earlier for earlier, later in pairwise(ids))


@lru_cache(maxsize=1)
def get_whole_groups(case: "Case") -> "list[CaseGroup]":
    """Return the groups that hold ids, none of which was split."""
    split = {split.pointer for split in find_split_ids(case)}
    groups = [group for group in case.groups if group.ids]
    if not split:
        return groups
    return [
        group for group in groups if group.pointer not in split and group.pointer[:-1] not in split
    ]


def _are_characters(ids: "Sequence[Any]") -> bool:
    return len(ids) >= SPLIT_IDS and all(type(sign) is str and len(sign) == 1 for sign in ids)


def join_characters(changes: "Changes", draft: Draft, record: Any, _request: "Request") -> bool:
    """Write the characters as one id; weight and label of their group stay."""
    pointer = tuple(draft.pointer)
    group = follow(record, pointer)
    whole = encode_value("".join(draft.value))
    if isinstance(group, dict):
        if not isinstance(group.get("alternatives"), list):
            return False
        pointer = (*pointer, "alternatives")
    changes.replaced[pointer] = f"[{whole}]" if draft.group is not None else f"[[{whole}]]"
    return True


RULES = (
    Rule(
        "GT001", "duplicate-query-id", "error",
        what="Two records have the same query id; the message gives the place of the first.",
        why="Only one of them can be scored, and nothing says which.",
        example='{"id": "q1", "ground_truth": [["a"]]}\n{"id": "q1", "ground_truth": [["b"]]}',
        instead='{"id": "q1", "ground_truth": [["a"]]}\n{"id": "q2", "ground_truth": [["b"]]}',
        suspect=suspect_repeated_queries,
    ),
    Rule(
        "GT002", "blank-id", "error",
        what="An id is blank, or a record has no id.",
        why="A blank id comes from a failed export, and matches every other failed export.",
        example='{"id": "q1", "ground_truth": [["a", ""]]}',
        instead='{"id": "q1", "ground_truth": [["a"]]}',
        schema=is_blank_id,
        fix=Fix(
            "Removes the blank alternative, unless it is the only one of its group.",
            "unsafe", remove_blank, fits=is_blank_among_others,
        ),
    ),
    Rule(
        "GT003", "no-groups", "error",
        what="A query has no groups and is not marked as unanswerable.",
        why="It is not scored. If nothing answers it, say so; if its ground truth was lost, the "
            "mean covers fewer queries than you think.",
        example='{"id": "q1", "ground_truth": []}',
        instead='{"id": "q1", "ground_truth": [], "answerable": false}',
        check=check_no_groups,
        schema=is_of_type("no_ground_truth"),
        fix=Fix('Adds "answerable": false.', "unsafe", mark_unanswerable),
    ),
    Rule(
        "GT004", "empty-group", "error",
        what="A group has no alternatives, or none with a grade above 0.",
        why="No result can meet it, so the query can never be fully answered. AutoRAG silently "
            "drops the whole query from the mean.",
        example='{"id": "q1", "ground_truth": [["a"], []]}',
        instead='{"id": "q1", "ground_truth": [["a"]]}',
        schema=is_of_type("empty_group", "unmeetable_group"),
        fix=Fix("Removes the group.", "unsafe", remove_group),
    ),
    Rule(
        "GT005", "flat-list", "error",
        what="The ground truth is a flat list of ids: must all of them be found, or any of them?",
        why="AutoRAG's documentation says all, its code does any. The two readings score "
            "differently, so groupwise asks.",
        example='{"id": "q1", "ground_truth": ["a", "b"]}',
        instead='{"id": "q1", "ground_truth": [["a"], ["b"]]}   (all)\n'
                '{"id": "q1", "ground_truth": [["a", "b"]]}     (any)',
        schema=is_of_type("flat"),
        fix=Fix(
            "With --flat all or --flat any, writes the groups.",
            "unsafe", write_groups, fits=is_meaning_given, prepare=report_flat_lists,
        ),
    ),
    Rule(
        "GT006", "string-as-group", "error",
        what="A group, or the whole ground truth, is a string.",
        why="Code that loops over it splits it into characters.",
        example='{"id": "q1", "ground_truth": [["a"], "b"]}',
        instead='{"id": "q1", "ground_truth": [["a"], ["b"]]}',
        schema=is_string_as_group,
        fix=Fix("Puts the string into a list.", "unsafe", wrap_string, fits=is_where_list_belongs),
    ),
    Rule(
        "GT007", "repeated-alternative", "warning",
        what="An id is listed twice in one group.",
        why="It can meet the group only once. AutoRAG's nDCG counts both listings, so that a "
            "perfect ranking scores below 1.",
        example='{"id": "q1", "ground_truth": [["a", "b", "a"]]}',
        instead='{"id": "q1", "ground_truth": [["a", "b"]]}',
        check=check_repeats,
        fix=Fix(
            "Removes the repeats that are bare ids. What answers the query stays the same; only "
            "AutoRAG's nDCG, which counts listings, may rise.",
            "safe", remove_listed,
        ),
    ),
    Rule(
        "GT008", "identical-groups", "warning",
        what="Two groups have the same alternatives.",
        why="They are always met together, so this fact counts twice.",
        example='{"id": "q1", "ground_truth": [["a", "b"], ["b", "a"], ["c"]]}',
        instead='{"id": "q1", "ground_truth": [["a", "b"], ["c"]]}',
        check=check_overlaps,
        fix=Fix("Removes the later group.", "unsafe", remove_listed),
    ),
    Rule(
        "GT009", "superset-group", "warning",
        what="A group holds all alternatives of another: it is met whenever that one is.",
        why="It requires nothing more, yet counts as a group of its own.",
        example='{"id": "q1", "ground_truth": [["a"], ["a", "b"]]}',
        instead='{"id": "q1", "ground_truth": [["a"], ["b"]]}',
        check=check_overlaps,
        fix=Fix("Removes the larger group.", "unsafe", remove_listed),
    ),
    Rule(
        "GT010", "shared-alternative", "info",
        what="An id is in several groups of a query, but not in all of them.",
        why="One document then meets several groups. That is right for overlapping chunks, and a "
            "mistake elsewhere.",
        example='{"id": "q1", "ground_truth": [["a", "b"], ["b", "c"], ["d"], ["e"]]}',
        instead='{"id": "q1", "ground_truth": [["a", "b"], ["c"], ["d"], ["e"]]}',
        check=check_overlaps,
    ),
    Rule(
        "GT011", "odd-characters", "error",
        what="An id has white space at its ends, white space other than a plain space, or "
             "control, bidi or zero-width characters.",
        why="The id looks like another one but differs from it: nothing that people type matches.",
        example='{"id": "q1", "ground_truth": [["doc-1\\u200b"], [" doc-2"]]}',
        instead='{"id": "q1", "ground_truth": [["doc-1"], ["doc-2"]]}',
        check=check_characters,
        fix=Fix("Removes these characters.", "unsafe", clean_characters),
    ),
    Rule(
        "GT012", "nearly-equal-ids", "warning",
        what="Ids differ only in case, white space at their ends, or Unicode composition (NFC).",
        why="Ids are compared exactly; one of the spellings is probably in no index.",
        example='{"id": "q1", "ground_truth": [["Doc-1"]]}\n'
                '{"id": "q2", "ground_truth": [["doc-1"]]}',
        instead='{"id": "q1", "ground_truth": [["doc-1"]]}\n'
                '{"id": "q2", "ground_truth": [["doc-1"]]}',
        suspect=suspect_nearly_equal_ids,
    ),
    Rule(
        "GT013", "repeated-query-text", "warning",
        what="Two queries have the same text; the message says whether their ground truth differs.",
        why="With the same ground truth the query counts twice; with a different one, one of them "
            "is wrong: the retriever gets the same question and cannot satisfy both.",
        example='{"id": "q1", "query": "Who?", "ground_truth": [["a"]]}\n'
                '{"id": "q2", "query": "who?", "ground_truth": [["b"]]}',
        instead='{"id": "q1", "query": "Who?", "ground_truth": [["a"], ["b"]]}',
        suspect=suspect_repeated_texts,
    ),
    Rule(
        "GT014", "many-alternatives", "warning",
        what=f"A group has more than {MANY_ALTERNATIVES} alternatives, or more than "
             f"{SHARE_OF_CORPUS:.0%} of a corpus of at least {SMALLEST_CORPUS} documents.",
        why="Almost any result meets it; often an AND was written as an OR.",
        example='{"id": "q1", "ground_truth": [["a1", "a2", …, "a21"]]}',
        instead='{"id": "q1", "ground_truth": [["a1", "a2"], ["a3"]]}',
        check=check_alternatives,
        suspect=suspect_large_groups,
    ),
    Rule(
        "GT015", "more-groups-than-k", "warning",
        what="All groups together need more than k results, so that recall@k cannot reach 1.",
        why="Even a perfect retriever scores below 1 on this query; set gates accordingly. k comes "
            "from -k, else it is the deepest cutoff of a fixture if all its metrics have one, else "
            "10.",
        example='-k 2 and {"id": "q1", "ground_truth": [["a"], ["b"], ["c"]]}',
        instead='-k 3 and {"id": "q1", "ground_truth": [["a"], ["b"], ["c"]]}',
        check=check_cutoff,
    ),
    Rule(
        "GT016", "one-document-covers-all", "warning",
        what="A document is in all groups of a query and answers it alone.",
        why="The query looks like a multi-hop question, but recall is 1 after this one hit. An OR "
            "of ANDs looks like this, too.",
        example='{"id": "q1", "ground_truth": [["a", "b"], ["a", "c"]]}',
        instead='{"id": "q1", "ground_truth": [["b"], ["c"]]}',
        check=check_overlaps,
    ),
    Rule(
        "GT017", "or-of-ands", "warning",
        what="There are three or more groups, and at least half of all pairs overlap, like sets of "
             "evidence of which any one suffices (an OR of ANDs).",
        why="KILT and FEVER list sets of documents, any one of which is sufficient. Written as "
            "groups, they mean the opposite: one document from every set.",
        example='{"id": "q1", "ground_truth": [["a", "b"], ["b", "c"], ["a", "c"]]}',
        instead="groupwise convert --cnf, which keeps what answers the query",
        check=check_overlaps,
    ),
    Rule(
        "GT018", "split-id", "error",
        what=f"The ids of a group, or of all groups, are single characters, {SPLIT_IDS} or more "
             "and not in alphabetical order: an id was split.",
        why="Code looped over a string where it expected a list. Nothing will ever match.",
        example='{"id": "q1", "ground_truth": [["d", "o", "c", "-", "1"]]}',
        instead='{"id": "q1", "ground_truth": [["doc-1"]]}',
        check=check_split_ids,
        fix=Fix("Joins the characters of the group into one id.", "unsafe", join_characters),
        overrides=("GT005",),
    ),
)  # fmt: skip
