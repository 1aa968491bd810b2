"""What verdicts change in a ground truth, and which of them contradict each other or the data."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from groupwise.evaluator.errors import Problem, Problems
from groupwise.evaluator.judging.sheet_reader import FilledSheet, SheetRow
from groupwise.evaluator.text import plural, printable, quote_id, suggest
from groupwise.schemas import Alternative, Id, Kind, Query
from groupwise.schemas.ids import LARGEST
from groupwise.schemas.judging import JUDGEMENTS, VERDICTS

WHOLE = re.compile(r"-?[0-9]{1,19}")
MOST_GROUPS = 9
"""A message lists so many groups of a query."""


@dataclass
class QueryChanges:
    """What verdicts add to a query: alternatives by group, and entries of two lists."""

    alternatives: dict[int, list[Any]] = field(default_factory=dict)
    not_relevant: list[Id] = field(default_factory=list)
    judgements: list[dict[str, Any]] = field(default_factory=list)
    known: int = 0

    def __bool__(self) -> bool:
        return bool(self.alternatives or self.not_relevant or self.judgements)


def plan_changes(
    sheet: FilledSheet, queries: Mapping[str, Query], problems: Problems
) -> dict[str, QueryChanges]:
    """Return what a sheet changes in each query; contradictions and errors are problems."""
    kind = _find_kind(queries)
    wrong: list[Problem | SheetRow] = []
    by_query: dict[str, list[Verdict]] = {}
    for row in sheet.judged:
        if row.query not in queries:
            wrong.append(row)
            continue
        try:
            verdict = _read_verdict(row, queries, kind, sheet.first)
        except ValueError as error:
            wrong.append(Problem(str(error), sheet.name, row.line, query=row.query))
        else:
            by_query.setdefault(row.query, []).append(verdict)
    planned = {}
    for query, verdicts in by_query.items():
        facts = QueryFacts(queries[query])
        found = [*_find_conflicts(verdicts), *_find_contradictions(verdicts, facts, sheet.first)]
        wrong += [Problem(message, sheet.name, line, query=query) for line, message in found]
        if not found:
            planned[query] = _plan_query(verdicts, facts)
    for each in sorted(wrong, key=lambda each: each.line or 0):
        problems.add(_describe(each, queries, sheet.name))
    return planned


def _describe(found: Problem | SheetRow, queries: Mapping[str, Query], name: str) -> Problem:
    """Return a problem; that of a row about no query of the ground truth has the nearest one."""
    if isinstance(found, Problem):
        return found
    hint = suggest(found.query, queries, shown=quote_id, otherwise=" ").strip()
    message = f"no such query in the ground truth{f'; {hint}' if hint else ''}"
    return Problem(message, name, found.line, query=found.query)


@dataclass(frozen=True)
class Verdict:
    """What somebody says about a candidate; ``group`` counts from 0."""

    candidate: Id
    group: int | None
    verdict: str
    judge: str
    row: SheetRow

    def entry(self) -> dict[str, Any]:
        """Return what the metadata keeps of it."""
        group = {} if self.group is None else {"group": self.group}
        judge = {"judge": self.judge} if self.judge else {}
        return {"candidate": self.candidate, **group, "verdict": self.verdict, **judge}

    @property
    def subject(self) -> tuple[str, Id, int]:
        """What the verdict is about, in an order that does not depend on the sheet."""
        return (str(self.candidate), self.candidate, -1 if self.group is None else self.group)

    def opposes(self, other: "Verdict") -> bool:
        """Whether another verdict on the candidate is the opposite; without a group: on any."""
        same = self.group == other.group or None in (self.group, other.group)
        return same and self.verdict != other.verdict

    def repeats(self, other: "Verdict") -> bool:
        """Whether another verdict on the candidate is the same, by the same judge."""
        return (self.group, self.judge) == (other.group, other.judge)

    def __str__(self) -> str:
        return f"{self.verdict}{f' ({printable(self.judge)})' if self.judge else ''}"


def _find_kind(queries: Mapping[str, Query]) -> Kind:
    """Return the kind of the ids of a ground truth."""
    kinds = (query.kind() for query in queries.values())
    return next((kind for kind in kinds if kind is not type(None)), str)


def _read_verdict(row: SheetRow, queries: Mapping[str, Query], kind: Kind, first: int) -> Verdict:
    """Return a row as a verdict on the ground truth; ValueError if it has no place there."""
    group = _choose_group(row, queries[row.query], first)
    candidate = _read_id(row.candidate, kind)
    return Verdict(candidate, group, str(row.verdict), row.judge, row)


def _read_id(text: str, kind: Kind) -> Id:
    if kind is not int:
        return text
    if WHOLE.fullmatch(text) and abs(int(text)) <= LARGEST:
        return int(text)
    found = f"got {quote_id(text)}"
    raise ValueError(f"candidate: expected a whole number, as all ids are; {found}")


def _choose_group(row: SheetRow, query: Query, first: int) -> int | None:
    """Return the group of a row; the only one of a query needs no number."""
    count = len(query.ground_truth.groups)
    if row.group is not None and row.group < count:
        return row.group
    if row.group is not None:
        raise ValueError(f"there is no group {row.group + first}; {_describe_groups(query, first)}")
    if count == 1:
        return 0
    if row.verdict == "yes":
        asked = f"which group does {quote_id(row.candidate)} belong to?"
        hint = "fill in its group" if count else "write a group into the ground truth first"
        raise ValueError(f"{asked} {_describe_groups(query, first)}; {hint}")
    return None


def _describe_groups(query: Query, first: int) -> str:
    """Return the groups of a query, each with its first alternatives."""
    groups = query.ground_truth.groups
    listed = [
        f"{number}: {', '.join(quote_id(each.id) for each in group.alternatives[:2])}"
        + ("…" if len(group.alternatives) > 2 else "")
        for number, group in enumerate(groups[:MOST_GROUPS], first)
    ]
    more = [f"and {len(groups) - MOST_GROUPS} more"] if len(groups) > MOST_GROUPS else []
    shown = f" ({'; '.join([*listed, *more])})" if groups else ""
    return f"the query has {plural(len(groups), 'group')}{shown}"


Found = tuple[int | None, str]
"""The line of a row, and what is wrong with it."""


def _find_conflicts(verdicts: Sequence[Verdict]) -> Iterator[Found]:
    """Yield rows that repeat another row, or say the opposite."""
    known: dict[Id, list[Verdict]] = {}
    for verdict in verdicts:
        others = known.setdefault(verdict.candidate, [])
        line, name = verdict.row.line, quote_id(verdict.candidate)
        opposite = next(filter(verdict.opposes, others), None)
        repeated = next(filter(verdict.repeats, others), None)
        if opposite:
            before = f"line {opposite.row.line} says {opposite}"
            yield line, f"{name}: {verdict}, but {before}; agree on one verdict"
        elif repeated:
            yield line, f"{name}: the row repeats line {repeated.row.line}; remove one of them"
        others.append(verdict)


class QueryFacts:
    """What a query lists and what was said about it, to be looked up."""

    def __init__(self, query: Query) -> None:
        self.groups = [group.alternatives for group in query.ground_truth.groups]
        self.wanted = [{each.id for each in group if each.grade > 0} for group in self.groups]
        self.unwanted = {*query.judged_not_relevant()}
        self.said: dict[tuple[Any, ...], dict[str, str]] = {}
        """The verdict of each judge on a candidate and a group."""
        for entry in list_judgements(query):
            subject, judge = (entry["candidate"], entry.get("group")), entry.get("judge")
            self.said.setdefault(subject, {})[str(judge or "")] = str(entry.get("verdict"))

    def is_alternative(self, candidate: Id) -> bool:
        """Whether any group lists a candidate."""
        return any(candidate in group for group in self.wanted)

    def find_group(self, verdict: Verdict) -> int | None:
        """Return the group that lists a candidate of which a verdict denies it, if any does."""
        numbers = range(len(self.wanted)) if verdict.group is None else [verdict.group]
        found = (number for number in numbers if verdict.candidate in self.wanted[number])
        return next(found, None)

    def find_opposite(self, verdict: Verdict) -> str | None:
        """Return what was said before on the same candidate and group, if it is the opposite."""
        for judge, said in self.said.get((verdict.candidate, verdict.group), {}).items():
            if said in VERDICTS and said != verdict.verdict:
                return f"{said}{f' ({printable(judge)})' if judge else ''}"
        return None

    def knows(self, verdict: Verdict) -> bool:
        """Whether a verdict was merged before."""
        said = self.said.get((verdict.candidate, verdict.group), {})
        return said.get(verdict.judge) == verdict.verdict


def list_judgements(query: Query) -> list[Mapping[str, Any]]:
    """Return the verdicts that the metadata of a query keeps."""
    kept = (query.metadata or {}).get(JUDGEMENTS)
    return [each for each in kept if _is_judgement(each)] if isinstance(kept, list) else []


def _is_judgement(value: Any) -> bool:
    """Whether this may be a verdict on a candidate, and perhaps a group."""
    if not isinstance(value, Mapping) or not isinstance(value.get("candidate"), str | int):
        return False
    return isinstance(value.get("group"), int | None)


def _find_contradictions(
    verdicts: Sequence[Verdict], facts: QueryFacts, first: int
) -> Iterator[Found]:
    """Yield rows that contradict the ground truth, or what was judged before."""
    for verdict in verdicts:
        line, name = verdict.row.line, quote_id(verdict.candidate)
        if verdict.verdict == "yes" and verdict.candidate in facts.unwanted:
            yield line, f"{name}: yes, but the ground truth lists it as not relevant{_ADVICE}"
        elif verdict.verdict == "no" and (group := facts.find_group(verdict)) is not None:
            yield line, f"{name}: no, but it is an alternative of group {group + first}{_ADVICE}"
        elif before := facts.find_opposite(verdict):
            yield line, f"{name}: {verdict}, but metadata.{JUDGEMENTS} says {before}{_ADVICE}"


_ADVICE = "; correct the row, or the ground truth by hand"


def _plan_query(verdicts: Sequence[Verdict], facts: QueryFacts) -> QueryChanges:
    """Return what verdicts that contradict nothing add to a query."""
    changes = QueryChanges()
    ordered = sorted(verdicts, key=lambda each: (each.subject, each.judge))
    accepted = {each.candidate for each in ordered if each.verdict == "yes"}
    refused: dict[Id, None] = {}
    for _, some in groupby(ordered, key=lambda each: each.subject):
        same = list(some)
        new = [each.entry() for each in same if not facts.knows(each)]
        changes.judgements += new
        changes.known += len(same) - len(new)
        verdict = same[0]
        if verdict.verdict == "yes":
            _add_alternative(changes, verdict, facts)
        elif verdict.candidate not in accepted and not facts.is_alternative(verdict.candidate):
            refused[verdict.candidate] = None
    changes.not_relevant += [name for name in refused if name not in facts.unwanted]
    return changes


def _add_alternative(changes: QueryChanges, verdict: Verdict, facts: QueryFacts) -> None:
    group = verdict.group
    assert group is not None  # noqa: S101  (a yes has a group)
    if verdict.candidate not in facts.wanted[group]:
        added = _build_alternative(verdict, facts.groups[group])
        changes.alternatives.setdefault(group, []).append(added)


def _build_alternative(verdict: Verdict, alternatives: Sequence[Alternative]) -> Any:
    """Return the alternative to add: an id, with what matching by text or span needs in its group.

    That is what the alternative has whose text the candidate holds; else the span of the first, if
    all have one, for it is what answers the query; else the text of the candidate.
    """
    shown, name = squeeze(verdict.row.text), {"id": verdict.candidate}
    for each in alternatives:
        if each.text and each.text.strip() and squeeze(each.text) in shown:
            return {**each.model_dump(), **name}
    if all(each.end is not None for each in alternatives):
        first = alternatives[0]
        return {**name, "document": first.document, "start": first.start, "end": first.end}
    if verdict.row.text.strip() and all(each.text for each in alternatives):
        return {**name, "text": verdict.row.text}
    return verdict.candidate


def squeeze(text: str) -> str:
    """Return text as a cell of a sheet shows it: on one line, with escapes."""
    return printable(" ".join(text.split()))
