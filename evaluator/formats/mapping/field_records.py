"""Records with our fields, each taken from its path in records of any shape."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from groupwise.evaluator.formats.mapping.fields import PART_OF_METADATA
from groupwise.evaluator.formats.mapping.id_lists import shape_ids
from groupwise.evaluator.formats.mapping.mapped_records import MappedBatch, MappedRecords, Unfit
from groupwise.evaluator.formats.mapping.paths import EVERY, WRAPPER, FieldPath
from groupwise.evaluator.formats.mapping.plan import LISTED, Chain, Place, Plan
from groupwise.evaluator.formats.mapping.published import Converted, QueryNames
from groupwise.evaluator.reading.options import Record
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.text import cut, plural, quote
from groupwise.schemas import FIELD_NAMES
from groupwise.schemas.values import describe, is_number

ID_NAMES = (*FIELD_NAMES["id"], "_id")
LONGEST_ID = 200
"""A longer text is not suggested as an id."""
SHOWN_NAMES = 80


@dataclass
class FieldBatch(MappedBatch):
    """Records made from others, each with what encloses it there."""

    plan: Plan = field(default_factory=lambda: Plan({}))
    chains: list[Chain] = field(default_factory=list)

    def trace(self, number: int, pointer: Pointer) -> Pointer:
        """Return the pointer to what a part of a record was taken from."""
        path = self.plan.paths.get(str(pointer[0])) if pointer else None
        if path is None or path.is_number:
            return self.chains[number][-1].pointer
        place = self.chains[number][path.level]
        return (*place.pointer, *path.trace(place.value, pointer[1:]))

    def place(self, number: int, pointer: Pointer) -> tuple[int, int]:
        """Return line and column of what a part of a record was taken from."""
        return self.batch.place(self.origins[number][0], self.trace(number, pointer))

    def root(self, number: int) -> Pointer:
        """Return the pointer to the element of the document that holds the record."""
        return self.batch.root(self.origins[number][0])


class FieldRecords(MappedRecords):
    """The records of a source, with each field taken from its path."""

    def __init__(self, records: Records, plan: Plan) -> None:
        self.records = records
        self.name = records.name
        self.typed_ids = records.typed_ids
        self._plan = plan

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield batches of records with our fields, and warn of questions asked twice."""
        names = QueryNames()
        count = 0
        for batch in self.records.batches(reading):
            mapped = FieldBatch(batch, plan=self._plan)
            for number, chain in self._expand(batch, reading):
                count += 1
                try:
                    record = _build_record(chain, self._plan, count, names)
                except Unfit as error:
                    reading.report(self._problem(error, batch, number))
                    continue
                mapped.values.append(record)
                mapped.origins.append((number, chain[-1].pointer))
                mapped.chains.append(chain)
            yield mapped
        reading.warnings.extend(self._warn_of_repeats(names))

    def _expand(self, batch: Batch, reading: Reading) -> Iterator[tuple[int, Chain]]:
        """Yield each record with the number of the element that holds it."""
        for number, value in enumerate(batch.values):
            key = None if batch.keys is None else batch.keys[number]
            for found in self._plan.expand(value, key):
                if isinstance(found, Unfit):
                    reading.report(self._problem(found, batch, number))
                else:
                    yield number, found

    def _warn_of_repeats(self, names: QueryNames) -> Iterator[str]:
        repeated = [text for text, times in names.questions.items() if times > 1]
        if repeated:
            asked = plural(len(repeated), "question is", "questions are")
            example = quote(f"{cut(repeated[0], 40)} (2)")
            yield (
                f"{self.name}: {asked} asked more than once; each time is a query of its own, "
                f"such as {example}"
            )


def _build_record(chain: Chain, plan: Plan, count: int, names: QueryNames) -> Record:
    """Return the record with our fields; those that are null are left out.

    Raises:
        Unfit: A path leads nowhere, or there is no id.
    """
    fields = {name: _take_field(name, path, chain, count) for name, path in plan.paths.items()}
    record = {name: value for name, value in fields.items() if value is not None or name == "id"}
    record = _collect_metadata(record)
    if "id" not in record:
        return {**record, "id": _find_id(chain, plan)}
    if plan.names_questions and isinstance(record["id"], str) and record["id"].strip():
        question = record.pop("id")
        return names.add_id(Converted(record, question))
    return record


def _collect_metadata(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record with the parts of its metadata in one object."""
    parts = {name: value for name, value in record.items() if name.startswith(PART_OF_METADATA)}
    if not parts:
        return record
    whole = record.get("metadata")
    if whole is not None and not isinstance(whole, Mapping):
        raise Unfit(f"metadata: expected an object, got {describe(whole)}")
    named = {name.removeprefix(PART_OF_METADATA): value for name, value in parts.items()}
    others = {name: value for name, value in record.items() if name not in parts}
    return {**others, "metadata": {**(whole or {}), **named}}


def _take_field(name: str, path: FieldPath, chain: Chain, count: int) -> Any:
    if path.is_number:
        return str(count)
    place = chain[path.level]
    if path.level == len(chain) - 1 and path.steps and not isinstance(place.value, Mapping):
        _refuse_other(name, path, place)
    value = path.take(place.value, name, place.pointer)
    if name in LISTED:
        return _shape(name, path, chain, value)
    return [value] if name == "scores" and is_number(value) else value


def _shape(name: str, path: FieldPath, chain: Chain, value: Any) -> Any:
    try:
        return shape_ids(name, path, value)
    except Unfit as error:
        place = chain[path.level]
        pointer = (*place.pointer, *path.trace(place.value, error.pointer))
        raise Unfit(str(error), pointer) from None


def _refuse_other(name: str, path: FieldPath, place: Place) -> None:
    """Raise an error for a record that is not an object, unless the path begins in a list."""
    is_list, step = isinstance(place.value, list), path.steps[0]
    if is_list and (step == EVERY or step.isdigit() or step.endswith("]")):
        return
    message = f"expected a record, an object with fields, got {describe(place.value)}"
    if is_list and place.key is not None and not path.wrappers:
        way = f"{name}={place.key}{WRAPPER}.{path.text}"
        message += f"; if the records are in it, lead there with {way}"
    raise Unfit(message, place.pointer)


def _find_id(chain: Chain, plan: Plan) -> Any:
    """Return the id that a record has itself, or its key in an object of records."""
    place = chain[-1]
    record: Mapping[str, Any] = place.value if isinstance(place.value, Mapping) else {}
    own = next((name for name in ID_NAMES if name in record), None)
    if own is None and place.key is None:
        raise Unfit(_describe_missing_id(record, plan), place.pointer)
    if own is None or place.key in (None, str(record[own])):
        return place.key if own is None else record[own]
    raise Unfit(
        f"the record is under the key {quote(place.key)} and has the {own} {quote(record[own])}; "
        f"say that this is its id, with --map id={plan.spell(own)}",
        (*place.pointer, own),
    )


def _describe_missing_id(record: Mapping[str, Any], plan: Plan) -> str:
    names = [plan.spell(str(name)) for name, value in record.items() if _may_be_id(value)]
    ways = f" such as id={' or id='.join(names[:2])}," if names else ""
    keys = cut(", ".join(map(str, record)), SHOWN_NAMES)
    return (
        f"no id; say where it is, with --map id=PATH,{ways} or number the records with "
        f"--map id=#; the record has {keys or 'no fields'}"
    )


def _may_be_id(value: Any) -> bool:
    if isinstance(value, str):
        return bool(value.strip()) and len(value) <= LONGEST_ID
    return type(value) is int
