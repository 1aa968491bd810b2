"""Common defects of records, found without the models: their types and fields, but no messages.

The models describe the first thousand problems of a file. Of those beyond, only the number and the
type are of interest, and the models take longer than all the rest of the reading. What is not
certain is left to them.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from groupwise.evaluator.intake.bulk import PLAIN, known_names
from groupwise.evaluator.intake.defect import (
    JSON,
    NO_NUMBERS,
    SCALARS,
    Defect,
    Found,
    classify_id,
)
from groupwise.evaluator.intake.extra_defects import (
    check_answerable,
    check_extra,
    check_not_relevant,
    check_scores,
)
from groupwise.evaluator.intake.graded import are_grades
from groupwise.evaluator.intake.object_defects import (
    ALTERNATIVE,
    RESULT,
    Kind,
    check_alike,
    check_group,
    check_object,
)
from groupwise.evaluator.native.loader import walk
from groupwise.schemas.ids import plain_kind
from groupwise.schemas.parts import Model, part_of
from groupwise.schemas.values import FIELD_NAMES

MOST_PLANS = 256
"""For how many combinations of names it is remembered how they are checked."""
NO_RECORDS = SCALARS | {list}
CAN_BE_FLAT = frozenset({str, int})
MAY_BE_FLAT = CAN_BE_FLAT | {bool}
"""False is taken for the number 0, and makes a flat list; True does not."""
SCORED = frozenset({"id", "query", "ground_truth", "results", "scores", "metadata"})
"""Beside other fields, something else may be wrong with a record before its scores are counted."""
RICH: dict[str, set[type]] = {"ground_truth": {dict}, "results": {dict, list}}
"""What fields may hold besides ids, under some names and beside some others only."""


class _Plan(NamedTuple):
    """How records with certain names are checked.

    Attributes:
        fields: The fields that have these names, in their order.
        checks: What finds the defects of each that is known.
        missing: The defects of all such records.
        is_repeated: Whether a field has two names.
        scored: The name of the results, if there are scores as well.
    """

    fields: tuple[str | None, ...]
    checks: "tuple[Callable[[Any], Found], ...]"
    missing: tuple[Defect, ...]
    is_repeated: bool
    scored: str | None


class DefectFinder:
    """Finds what a model refuses in records that JSON can hold.

    Args:
        model: The model of the records.
        flat: The policy for flat lists of ids.
        ids: The policy for the kind of ids.
    """

    def __init__(self, model: Model, flat: str | None, ids: str | None) -> None:
        part = part_of(model)
        self._names = known_names(model)
        self._policies = (flat, ids)
        self._has_policy = self._policies != (None, None)
        self._has_truth = part.has_truth
        self._required = part.required
        self._plans: dict[tuple[str, ...], _Plan] = {}

    def name_field(self, name: str) -> str:
        """Return the field that a name stands for; blank if it stands for none."""
        return self._names.get(name, "")

    def count_without_fields(self, record: Any) -> int:
        """Return how many defects a value has if it has no fields; 0 if it may have any."""
        kind = type(record)
        if kind is dict:
            return 0 if record else len(self._required)
        return 1 if kind in NO_RECORDS else 0

    def count_in_each(self, records: list[Any]) -> int:
        """Return how many defects each has if none has fields and all have as many; else 0."""
        kinds = {*map(type, records)}
        if kinds == {dict}:
            return 0 if any(records) else len(self._required)
        return 1 if kinds and kinds <= NO_RECORDS else 0

    def find(self, record: Any) -> Found:
        """Return the defects of a record; None if it has none, or needs a closer look."""
        found = self._find(record)
        return self._heed_policies(found) if self._has_policy else found

    def _heed_policies(self, found: Found) -> Found:
        """Return the defects that policies do not prevent; None if that is not certain."""
        if not found:
            return found
        left = [defect for defect in found if not self._is_prevented(defect)]
        return None if any(map(self._may_be_prevented, left)) else left or None

    def _is_prevented(self, defect: Defect) -> bool:
        """Whether a policy accepts a flat list of ids, or grades by id, as they are."""
        flat, _ = self._policies
        return defect.type == "flat" and flat is not None and _can_be_grouped(defect.value, flat)

    def find_all(self, columns: Mapping[str, list[Any]]) -> list[Found] | None:
        """Return the same for each of several records with the same fields, which are in columns.

        None if each must be looked at: fields that are sound in all records are checked together.
        """
        plan = self._plans.get(names := tuple(columns)) or self._add_plan(names)
        is_whole = plan.missing or not self._has_truth or "ground_truth" in columns
        if not USUAL.issuperset(names) or None in plan.fields or not is_whole:
            return None
        left = [name for name in names if not are_sound(name, columns[name])]
        count = len(columns[names[0]])
        rows = zip(*(columns[name] for name in left), strict=True) if left else [()] * count
        checks = [CHECKS[name] for name in left]
        found = [_check_all(plan.missing, checks, row) for row in rows]
        return [*map(self._heed_policies, found)] if self._has_policy else found

    def _may_be_prevented(self, defect: Defect) -> bool:
        """Whether a policy for flat lists, or for the kind of ids, may prevent a defect."""
        flat, ids = self._policies
        if defect.type == "flat" and flat is None:
            return ids is not None and len({*map(type, defect.value)}) > 1
        return defect.type == "flat" or (defect.type == "mixed_kinds" and ids is not None)

    def _find(self, record: Any) -> Found:
        if type(record) is not dict:
            return [Defect("shape", "", (), record)] if type(record) in NO_RECORDS else None
        if "retrieval_gt" in record and _has_objects(record["retrieval_gt"]):
            return None
        plan = self._plans.get(names := tuple(record)) or self._add_plan(names)
        if None in plan.fields:
            return self._find_unknown(record)
        return None if plan.is_repeated else self._check_fields(plan, record)

    def _add_plan(self, names: tuple[str, ...]) -> _Plan:
        """Return how records with these names are checked; most of a file have the same ones."""
        fields = tuple(map(self._names.get, names))
        checks = tuple(CHECKS[field] for field in fields if field is not None)
        missing = (Defect("missing", name, ()) for name in self._required.difference(fields))
        by_field = dict(zip(fields, names, strict=True))
        scored = by_field.get("results") if "scores" in by_field else None
        plan = _Plan(fields, checks, tuple(missing), len(by_field) < len(fields), scored)
        if len(self._plans) < MOST_PLANS:
            self._plans[names] = plan
        return plan

    def _find_unknown(self, record: dict[str, Any]) -> Found:
        """Return the first unknown field; None if a richer one may be refused before it."""
        if any(_is_rich(self._names.get(name), value) for name, value in record.items()):
            return None
        name = next(name for name in record if name not in self._names)
        return [Defect("unknown_field", "", (name,), record[name])]

    def _check_fields(self, plan: _Plan, record: dict[str, Any]) -> Found:
        if plan.scored and type(record[plan.scored]) is dict:
            return None
        found = [*plan.missing]
        for check, value in zip(plan.checks, record.values(), strict=True):
            defects = check(value)
            if defects is None:
                return None
            if defects:
                found += defects
        return found or self._check_whole(plan, record)

    def _check_whole(self, plan: _Plan, record: dict[str, Any]) -> Found:
        """Return the defect of a record whose fields have none; None if there is none, either."""
        if self._has_truth and "ground_truth" not in plan.fields:
            return _miss_truth(plan.fields)
        return _miss_scores(plan, record) if plan.scored else None


def are_sound(field: str, contents: list[Any]) -> bool:
    """Whether contents of a field are plain texts for certain, told at C speed."""
    return SOUND[field](contents)


def _check_all(
    missing: Sequence[Defect], checks: "list[Callable[[Any], Found]]", values: tuple[Any, ...]
) -> Found:
    """Return the defects of some fields of a record; None if there are none, or one is unsure."""
    found = [*missing]
    for check, value in zip(checks, values, strict=True):
        defects = check(value)
        if defects is None:
            return None
        found += defects
    return found or None


def _is_rich(field: str | None, value: Any) -> bool:
    """Whether groups or results are more than lists of ids: objects, or pairs with scores."""
    if field not in RICH:
        return False
    kinds = {*map(type, value)} if type(value) is list else {type(value)}
    return not kinds.isdisjoint(RICH[field])


def _miss_truth(fields: Collection[str | None]) -> Found:
    """Return the defect of a record without ground truth; it needs one, unless it says why not."""
    is_simple = {*fields} <= {"id", "query", "results", "metadata"}
    return [Defect("no_ground_truth", "", ())] if is_simple else None


def _miss_scores(plan: _Plan, record: dict[str, Any]) -> Found:
    """Return the defect of a record that has not one score for each result."""
    scores = record[next(name for name in FIELD_NAMES["scores"] if name in record)]
    if not SCORED.issuperset(plan.fields) or scores is None:
        return None
    is_whole = len(scores) == len(record[str(plan.scored)])
    return None if is_whole else [Defect("scores_length", "", ())]


def _has_objects(groups: Any) -> bool:
    """Whether groups are an object, or one of them is."""
    return type(groups) is dict or (type(groups) is list and dict in {*map(type, groups)})


def _check_query_id(value: Any) -> Found:
    kind = type(value)
    if (kind is str and value.strip()) or kind is int:
        return []
    return [Defect("query_id", "id", ("id",), value)] if kind in JSON else None


def _check_truth(value: Any) -> Found:
    if type(value) in SCALARS:
        return [Defect("shape", "ground_truth", ("ground_truth",), value)]
    if type(value) is not list:
        return _check_grades(value) if type(value) is dict else None
    if walk.kind_of_truths([value]) is str:
        return []
    kinds = {*map(type, value)}
    if kinds and kinds <= CAN_BE_FLAT:
        return [Defect("flat", "ground_truth", ("ground_truth",), value)]
    if not kinds <= JSON or (bool in kinds and kinds <= MAY_BE_FLAT):
        return None
    return _check_groups(value)


def _check_grades(grades: dict[Any, Any]) -> Found:
    """Return the defect of an object: grades without groups, one of them above 0, or no grades."""
    kinds = {*map(type, grades.values())}
    if not kinds.isdisjoint(NO_NUMBERS) and grades.keys() != {"groups"}:
        return [Defect("ground_truth", "ground_truth", ("ground_truth",), grades)]
    is_flat = kinds <= {int, float} and any(0 < grade < math.inf for grade in grades.values())
    if not is_flat or (0 in grades.values() and _has_odd_zeros(grades)):
        return None
    return [Defect("flat", "ground_truth", ("ground_truth",), grades)]


def _has_odd_zeros(grades: dict[Any, Any]) -> bool:
    """Whether what is judged not relevant may be no id, which the models report as well."""
    return any(classify_id(name) for name, grade in grades.items() if grade == 0)


def _can_be_grouped(value: Any, flat: str) -> bool:
    """Whether a list of ids, or grades by id, becomes groups; a repeated id is noted elsewhere."""
    if type(value) is dict:
        return are_grades(value) and plain_kind([*value]) is str
    is_noted = flat == "all" and len({*value}) < len(value)
    return plain_kind(value) is str and not is_noted


def _check_groups(groups: list[Any]) -> Found:
    found: list[Defect] = []
    for number in walk.find_odd_rankings(groups) or ():
        defects = _check_group(groups[number], ("ground_truth", number))
        if defects is None:
            return None
        found += defects
    return found or _check_kinds("ground_truth", list(chain.from_iterable(groups)))


def _check_group(group: Any, pointer: tuple[str | int, ...]) -> Found:
    if type(group) is list:
        return _check_ids(group, pointer) if group else [Defect("empty_group", "", pointer, group)]
    if type(group) is dict:
        return check_group(group, pointer)
    return [Defect("group_string" if type(group) is str else "shape", "groups", pointer, group)]


def _check_ids(ids: list[Any], pointer: tuple[str | int, ...], kind: Kind = ALTERNATIVE) -> Found:
    """Return a defect for each value of a list that is no id; None for what is richer than ids."""
    kinds = {*map(type, ids)}
    if dict in kinds:
        return _check_each(ids, pointer, kind) if kinds <= JSON else None
    if not kinds <= NO_RECORDS:
        return None
    return [
        Defect(error, "id", (*pointer, number), ids[number])
        for number in walk.find_odd_ids(ids) or ()
        if (error := classify_id(ids[number]))
    ]


def _check_each(ids: list[Any], pointer: tuple[str | int, ...], kind: Kind) -> Found:
    """Return the defects of ids and objects; None if there are none, or one is unsure."""
    if (alike := check_alike(ids, pointer, kind)) is not None:
        return alike
    found: list[Defect] = []
    for number, id_ in enumerate(ids):
        here = (*pointer, number)
        if type(id_) is dict:
            defects = check_object(id_, here, kind)
            if defects is None:
                return None
            found += defects
        elif error := classify_id(id_):
            found.append(Defect(error, "id", here, id_))
    return found or None


def _check_kinds(field: str, ids: list[Any]) -> list[Defect]:
    """Return the defect of valid ids that are of both kinds."""
    is_mixed = len({*map(type, ids)}) > 1
    return [Defect("mixed_kinds", field, (field,), ids)] if is_mixed else []


def _check_results(value: Any) -> Found:
    kind = type(value)
    if kind in SCALARS or (kind is dict and not NO_NUMBERS.isdisjoint(map(type, value.values()))):
        return [Defect("results", "results", ("results",), value)]
    if kind is not list:
        return None
    if walk.kind_of_rankings([value]) is str:
        return []
    if {*map(type, value)} == {list} and all(map(_may_be_pair, value)):
        return None
    found = _check_ids(value, ("results",), RESULT)
    return _check_kinds("results", value) if found == [] else found


def _may_be_pair(result: list[Any]) -> bool:
    """Whether a list may be an id and its score; if any one of a list is not, none of them is."""
    return len(result) == 2 and type(result[1]) not in NO_NUMBERS


CHECKS: dict[str, Callable[[Any], Found]] = {
    **{field: check_extra(field) for field in PLAIN},
    "id": _check_query_id,
    "ground_truth": _check_truth,
    "results": _check_results,
    "not_relevant": check_not_relevant,
    "scores": check_scores,
    "answerable": check_answerable,
}
"""By field, what finds its defects."""

SOUND: dict[str, Callable[[list[Any]], bool]] = {
    "id": lambda contents: walk.hash_clean_texts(contents) is not None,
    "ground_truth": lambda contents: walk.kind_of_truths(contents) is str,
    "results": lambda contents: walk.kind_of_rankings(contents) is str,
}
"""By field, what tells that all its contents are plain texts."""
USUAL = frozenset(SOUND)
