"""Raw records to checked rows.

Plain records (lists of ids) are checked many at a time. Any other goes by itself through the
schema, which accepts the richer forms and locates every problem.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from math import isfinite
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.problems import Place, problems_of
from groupwise.evaluator.intake.query_ids import record_with_key
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.intake.seen_ids import SeenIds, report_repeats
from groupwise.evaluator.native import NONE, match
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.text import plural
from groupwise.schemas import FIELD_NAMES, Id, Kind, plain_kind
from groupwise.schemas.fixture import RecordModel
from groupwise.schemas.shape import find_model
from groupwise.schemas.values import find_unfit

if TYPE_CHECKING:
    from groupwise.schemas import Policies, Query, RunQuery

PLAIN = frozenset({"id", "ground_truth", "results", "scores", "query", "metadata"})
"""The fields of records that are checked many at a time."""


@cache
def known_names(model: RecordModel) -> Mapping[str, str]:
    """Return the names that the fields of records have in files, each with its field."""
    return {
        name: field for field in model.model_fields for name in FIELD_NAMES.get(field, (field,))
    }


class Taken(NamedTuple):
    """What an intake has found of a part of a source besides its records."""

    hashes: bytes
    folded: list[int]
    warnings: list[str]


class Intake:
    """Reads the records of one source, in one role: ground truth, results, or both.

    Problems are collected in ``problems``, batch by batch; records with any are skipped, and
    reading stops when there are too many. ``kinds`` may be shared by several sources whose ids must
    be of one kind. ``references`` adds texts and spans to the rows, ``metadata`` that of the
    queries, ``queries`` their texts. ``flat_hint`` says what else may be done about ground truth
    without groups. ``folded`` has, for each flat list that repeats ids, how many are repeats. Where
    records have ground truth and results, hits are looked for among the first ``depth`` results
    when ids are checked.
    """

    def __init__(  # noqa: PLR0913  (what else to read, all by keyword)
        self,
        records: Records,
        model: RecordModel,
        policies: "Policies",
        problems: Problems,
        kinds: Kinds | None = None,
        *,
        references: bool = False,
        metadata: bool = False,
        queries: bool = False,
        flat_hint: str = "",
        depth: int = 0,
    ) -> None:
        self.records = records
        self.policies = policies
        self.problems = problems
        self.kinds = kinds or Kinds()
        self.references = references
        self.metadata = metadata
        self.queries = queries
        self.flat_hint = flat_hint
        self.depth = depth
        self.reading = Reading()
        self.seen = SeenIds()
        self.model = model
        self.names = known_names(model)
        self.main = "ground_truth" if model.has_truth else "results"
        self._required = {"id", self.main} | ({"results"} if model.has_results else set())
        self.folded: list[int] = []
        self._context = {"flat": policies.flat, "ids": policies.ids, "folded": self.folded}

    def rows(self) -> Iterator[Rows]:
        """Yield the valid records as rows for matching."""
        for batch in self._batches():
            rows = self._check(batch) if batch.values else Rows()
            self.seen.add(rows.ids)
            yield rows

    def models(self) -> "Iterator[Query | RunQuery]":
        """Yield the valid records as models, with all their fields."""
        for batch in self._batches():
            for number in range(len(batch.values)):
                model = self._validate(batch, number)
                if model is not None:
                    self.seen.add([model.id])
                    self._note_kinds(model)
                    yield model

    def read_all(self) -> "tuple[Query | RunQuery, ...]":
        """Return all records as models.

        Raises:
            InputError: Any of them is invalid; all problems are listed.
        """
        models = tuple(self.models())
        self.problems.raise_if_any()
        return models

    def _batches(self) -> Iterator[Batch]:
        """Yield all batches, as far as the text can be read; then report repeated query ids."""
        try:
            for batch in self.records.batches(self.reading):
                yield batch
                self._collect_problems()
                if self.problems.has_more:
                    return
        except InputError as error:
            self._collect_problems()
            self.problems.merge_error(error)
            return
        self._collect_problems()
        self._warn_of_folded()
        if suspected := self.seen.find_repeated():
            report_repeats(self.records, suspected, self.problems)

    def _collect_problems(self) -> None:
        """Add the problems of a batch to those of all sources, in the order of their places."""
        self.reading.problems.sort(key=_find_place)
        self.problems.add(*self.reading.problems)
        self.reading.problems.clear()

    def taken(self) -> Taken:
        """Return what was found besides records, for the intake of the whole source."""
        warnings = self.reading.warnings
        return Taken(self.seen.hashes(), self.folded, warnings[:-1] if self.folded else warnings[:])

    def merge(self, parts: Iterable[Taken]) -> bool:
        """Add what was found in the parts of this source; return whether query ids may repeat."""
        for part in parts:
            self.seen.merge(part.hashes)
            self.folded += part.folded
            new = [each for each in part.warnings if each not in self.reading.warnings]
            self.reading.warnings += new
        self._warn_of_folded()
        return bool(self.seen.find_repeated())

    def _warn_of_folded(self) -> None:
        """Warn of flat lists that repeat ids, if there were any."""
        if self.folded:
            self.reading.warnings.append(describe_folded(self.records.name, self.folded))

    def _check(self, batch: Batch) -> Rows:
        """Return the valid records of a batch: plain ones all at once, each other by itself."""
        every = range(len(batch.values))
        rows, order = self._accept(batch, every), list(every)
        if rows is not None:
            return rows
        order = self._find_plain(batch)
        rows = self._accept(batch, order) if order else None
        if rows is None:
            rows, order = Rows(), []
        for row in sorted({*every}.difference(order)):
            model = self._validate(batch, row)
            if model is not None:
                rows.extend(self._build_row(model))
                order.append(row)
        return rows.only(sorted(range(len(order)), key=order.__getitem__))

    def _accept(self, batch: Batch, chosen: Sequence[int]) -> Rows | None:
        """Return the rows of some records, if they are plain and alike; else None."""
        columns = self._split(batch, chosen)
        if columns is None or not all(_is_plain(name, columns) for name in columns):
            return None
        truths, results = (columns.get(name, []) for name in ("ground_truth", "results"))
        blank: list[Any] = [[]] * len(chosen)
        depth = 0 if "scores" in columns else self.depth
        matched = match(truths or blank, results or blank, depth)
        is_of_all = len(chosen) == len(batch.values)
        if matched.odd or not self._may_have_kind(matched.kind, is_of_all=is_of_all):
            return None
        metadata = columns.get("metadata", []) if self.metadata else []
        queries = columns.get("query", []) if self.queries else []
        scores = columns.get("scores", [])
        ids = [*map(str, columns["id"])]
        rows = Rows(ids, truths, results, scores=scores, metadata=metadata, queries=queries)
        rows.matched = matched
        if matched.kind is not NONE and matched.kind not in self.kinds:
            self._note_first(rows)
        return rows

    def _may_have_kind(self, kind: Kind, *, is_of_all: bool) -> bool:
        """Whether plain ids of a kind need no conversion, and it does not matter which is first."""
        if self.policies.ids == "text":
            return kind is not int
        return is_of_all or kind is NONE or kind in self.kinds

    def _split(self, batch: Batch, chosen: Sequence[int]) -> dict[str, list[Any]] | None:
        """Return the content of each field of some records; None if they differ, or are rich."""
        values = [batch.values[row] for row in chosen]
        keys = None if batch.keys is None else [batch.keys[row] for row in chosen]
        if keys is not None and {*map(type, values)} == {list}:
            columns: dict[str, list[Any]] | None = {self.main: values}
        else:
            columns = split_columns(values)
        fields = {self.names.get(name, ""): name for name in columns or ()}
        if columns is None or len(fields) != len(columns) or (keys is not None and "id" in fields):
            return None
        found = {field: columns[name] for field, name in fields.items()}
        if keys is not None:
            found["id"] = keys
        return found if self._required <= found.keys() <= PLAIN else None

    def _find_plain(self, batch: Batch) -> list[int]:
        """Return the records that are plain by themselves, and have the same fields as most."""
        layouts = [tuple(value) if type(value) is dict else type(value) for value in batch.values]
        ((usual, _),) = Counter(layouts).most_common(1)
        rows = [row for row, layout in enumerate(layouts) if layout == usual]
        columns = self._split(batch, rows)
        if columns is None:
            return []
        odd = _find_odd(columns)
        return [row for number, row in enumerate(rows) if number not in odd]

    def _build_row(self, model: Any) -> Rows:
        self._note_kinds(model)
        rows = Rows([model.id])
        if model.has_truth:
            rows.truths = [model.ground_truth.truth()]
            rows.not_relevant = [model.judged_not_relevant()]
            rows.truth_references = [model.ground_truth.references()] if self.references else []
            rows.metadata = [model.metadata] if self.metadata else []
            rows.queries = [model.query] if self.queries else []
        if model.has_results:
            from groupwise.schemas.result import tokens_of, vectors_of  # noqa: PLC0415  (loads pydantic)

            rows.results = [model.ids()]
            rows.scores = [model.given_scores()]
            rows.tokens = [tokens_of(model.results, self.policies.characters_per_token)]
            rows.vectors = [vectors_of(model.results)]
            rows.result_references = [model.references()] if self.references else []
        if model.has_truth and model.has_results:
            rows.expected = [model.expected]
        return rows

    def _validate(self, batch: Batch, number: int) -> "Query | RunQuery | None":
        """Return a record as a model; None if it has problems, which are collected."""
        from pydantic_core import ValidationError  # noqa: PLC0415  (loads pydantic)

        value = record = batch.values[number]
        if batch.keys is not None:
            record = record_with_key(batch.keys[number], value, self.main, self.names)
        if self.policies.ids == "text" and find_model(record) is not None:
            record = record.model_dump()  # models keep their ids; they are converted as read
        try:
            return self.model.model_validate(record, context=self._context)
        except ValidationError as error:
            hint = self.records.flat_hint + self.flat_hint
            at = Place(self.records.name, batch, number, value)
            for problem in problems_of(error, record, at, hint):
                self.reading.report(problem)
            return None

    def _note_first(self, rows: Rows) -> None:
        """Note the kind of the ids of plain rows."""
        truths, results = rows.truths or rows.results, rows.results or rows.truths
        for query, truth, ranking in zip(rows.ids, truths, results, strict=True):
            for listed in (truth, ranking):
                if listed:
                    self._note_kind(_find_first(listed), query)
                    return

    def _note_kinds(self, model: Any) -> None:
        """Note the kinds of a model's ids; each of its lists has only one."""
        if model.has_truth:
            for document in model.judged_ids()[:1]:
                self._note_kind(document, model.id)
        if model.has_results:
            for result in model.ids()[:1]:
                self._note_kind(result, model.id)

    def _note_kind(self, example: Id, query: str) -> None:
        """Note the kind of an id; a second kind is a problem."""
        kind: Kind = str if isinstance(example, str) else int  # also of a string enum
        if self.kinds.note(kind, self.records.name, example, query):
            self.problems.add(self.kinds.problem())


def describe_folded(name: str, folded: Sequence[int]) -> str:
    """Return a warning about the flat lists of a source that repeat ids, so many each."""
    lists = "flat list repeats ids" if len(folded) == 1 else "flat lists repeat ids"
    fewer = plural(sum(folded), "group")
    return f"{name}: {len(folded):,} {lists}; each id is one group, {fewer} less"


def _find_place(problem: Problem) -> tuple[bool, int, int]:
    return problem.line is None, problem.line or 0, problem.column or 0


def _find_first(listed: Any) -> Id:
    """Return the first id of a plain ground truth or of a ranking."""
    first: Id = listed[0][0] if type(listed[0]) is list else listed[0]
    return first


def _is_plain(name: str, columns: Mapping[str, list[Any]]) -> bool:
    """Whether all contents of a field are plain; ids of documents are looked at later."""
    contents = columns[name]
    if name == "id":
        return {*map(type, contents)} in ({str}, {int}) and plain_kind(contents) is not None
    if name == "query":
        return {*map(type, contents)} <= {str, NONE}
    if name == "metadata":
        return {*map(type, contents)} == {dict} and not find_unfit(contents)
    return name != "scores" or _are_scores(contents, columns["results"])


def _are_scores(contents: list[Any], results: list[Any]) -> bool:
    """Whether all contents are lists of finite numbers, one for each result."""
    if {*map(type, contents), *map(type, results)} != {list}:
        return False
    if [*map(len, contents)] != [*map(len, results)]:
        return False
    scores = [*chain.from_iterable(contents)]
    return {*map(type, scores)} <= {float, int} and not find_unfit(scores) and isfinite(sum(scores))


def _find_odd(columns: Mapping[str, list[Any]]) -> set[int]:
    """Return the numbers of the records in columns that are not plain by themselves."""
    blank: list[Any] = [[]] * len(columns["id"])
    odd = {*match(columns.get("ground_truth", blank), columns.get("results", blank)).odd}
    for name in columns:
        if not _is_plain(name, columns):
            for number in range(len(blank)):
                alone = {each: columns[each][number : number + 1] for each in columns}
                if not _is_plain(name, alone):
                    odd.add(number)
    return odd


def split_columns(values: list[Any]) -> dict[str, list[Any]] | None:
    """Return the values of each key, if all values are objects with the same keys; else None."""
    if {*map(type, values)} != {dict}:
        return None
    names = tuple(values[0])
    if not names or {*map(len, values)} != {len(names)}:
        return None
    try:
        rows = [*map(itemgetter(*names), values)]
    except KeyError:
        return None
    columns: Iterable[Any] = zip(*rows, strict=True) if len(names) > 1 else [rows]
    return dict(zip(names, map(list, columns), strict=True))
