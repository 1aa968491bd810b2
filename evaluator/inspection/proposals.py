"""Proposals: how to read a file of unknown shape. Between any and all it never chooses."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias

from groupwise.evaluator.inspection import vocabulary as words
from groupwise.evaluator.inspection.candidates import (
    Candidate,
    Known,
    choose_best,
    list_candidates,
)
from groupwise.evaluator.inspection.commands import RUN, TRUTH, spell_command
from groupwise.evaluator.inspection.meanings import STRONG
from groupwise.evaluator.inspection.shapes import MOST_RECORDS, Shape
from groupwise.evaluator.inspection.trials import Trial
from groupwise.evaluator.reading.options import Role
from groupwise.evaluator.text import cut, plural, printable
from groupwise.schemas.inspection import Proposal

Flat: TypeAlias = Literal["any", "all"]
FLATS: dict[Flat, str] = {
    "any": "any: each id answers by itself",
    "all": "all: every id is needed",
}
SAME = "no record has more than one id, so any and all are the same"
MOST_PROPOSALS = 12
FEWEST_READ = 10
"""A way that reads less than about one record in this many is not proposed."""
NUMBERED = (
    "id=# numbers the records 1, 2, …; a run must use the same ids. Where the run has the question "
    "as its id, write id={query} instead"
)
NO_TRUTH = (
    "no field could be ground truth: expected the ids of the documents that should be found, such "
    'as "relevant_ids": ["doc-7"]'
)
TryOut: TypeAlias = Callable[[dict[str, str], Flat | None, frozenset[Role]], Trial]


@dataclass(frozen=True)
class Draft:
    """A map, what it reads, and whether it leaves open how a flat list is meant."""

    fields: dict[str, str]
    roles: frozenset[Role]
    is_flat: bool = False
    why: str = ""
    most: int = 1

    def flats(self, *, whole: bool) -> list[tuple[Flat | None, str]]:
        """Return the ways to read flat lists, with the reason for each; one if it is the same."""
        if not self.is_flat:
            return [(None, "")]
        if self.most <= 1 and whole:
            return [("any", SAME)]
        return list(FLATS.items())


def propose(
    name: str, shape: Shape, known: Sequence[Known], try_out: TryOut, *, whole: bool
) -> tuple[list[Proposal], list[str]]:
    """Return the ways to read the records, the likeliest first, and why others do not work."""
    found: list[tuple[Proposal, Trial]] = []
    failures: dict[str, None] = {}
    for draft in draft_maps(shape, known):
        for flat, why in draft.flats(whole=whole):
            trial = try_out(draft.fields, flat, draft.roles)
            if trial.queries * FEWEST_READ > trial.problems:
                reasons = [draft.why, why, _describe_problems(trial)]
                found.append((_build_proposal(name, draft, flat, reasons), trial))
            else:
                failures[_describe_failure(trial)] = None
    fewest = min((trial.problems for _, trial in found), default=0)
    proposals = [proposal for proposal, trial in found if trial.problems == fewest]
    return proposals[:MOST_PROPOSALS], [] if found else list(failures)


def draft_maps(shape: Shape, known: Sequence[Known]) -> Iterator[Draft]:
    """Yield the maps that fit the fields."""
    base = _map_query(shape, known)
    truths: list[Candidate | None] = [*_list_truths(known)]
    results: list[Candidate | None] = [*list_candidates(known, words.RESULTS)]
    for truth, result in product(truths or [None], results or [None]):
        if truth is not None or result is not None:
            yield _draft(base, truth, result)


def _list_truths(known: Sequence[Known]) -> list[Candidate]:
    """Return the candidates for ground truth; a vague name is none in records without a query."""
    has_query = any(field.strength(words.QUERY) for field in known)
    is_clear = any(field.strength(words.GROUND_TRUTH) == STRONG for field in known)
    return list_candidates(known, words.GROUND_TRUTH) if has_query or is_clear else []


def _draft(base: dict[str, str], truth: Candidate | None, result: Candidate | None) -> Draft:
    fields, roles = dict(base), set[Role]()
    if truth is not None:
        fields["ground_truth"] = truth.path
        roles.add("ground_truth")
    if result is not None:
        fields["results"] = result.path
        roles.add("run")
        if result.scores:
            fields["scores"] = result.scores
    if truth is None:
        fields.pop("query", None)
    return Draft(
        fields, frozenset(roles), truth is not None and truth.is_flat,
        truth.why if truth else "", truth.most if truth else 1,
    )  # fmt: skip


def _map_query(shape: Shape, known: Sequence[Known]) -> dict[str, str]:
    """Return the paths of id and query; a record that has no id is numbered."""
    everywhere = [field for field in known if len(field.facts.values) >= _count(shape)]
    named, asked = (choose_best(everywhere, name) for name in (words.ID, words.QUERY))
    fields = {} if shape.by_id else {"id": named or "#"}
    return fields | ({"query": asked} if asked else {})


def _describe_failure(trial: Trial) -> str:
    read = f"only {plural(trial.queries, 'record')}" if trial.queries else "no record"
    return f"{read} can be read: {cut(printable(trial.first), 160)}"


def _count(shape: Shape) -> int:
    return min(len(shape.records), MOST_RECORDS)


def _build_proposal(name: str, draft: Draft, flat: Flat | None, reasons: Sequence[str]) -> Proposal:
    def spell(command: str, *files: str) -> str:
        return spell_command(command, files, draft.fields, flat)

    then: tuple[str, ...] = ()
    if draft.roles == {"ground_truth"}:
        command, then = spell("validate", name), (spell("evaluate", name, RUN),)
    elif draft.roles == {"run"}:
        command = spell("evaluate", TRUTH, name)
    else:
        command, then = spell("evaluate", name), (spell("validate", name),)
    why = "; ".join(reason for reason in reasons if reason)
    return Proposal(command=command, map=draft.fields, flat=flat, why=why, then=then)


def _describe_problems(trial: Trial) -> str:
    if not trial.problems:
        return ""
    first = cut(printable(trial.first), 120)
    return f"{plural(trial.problems, 'problem')} at the beginning, such as: {first}"


def explain(
    shape: Shape, known: Sequence[Known], proposals: Sequence[Proposal], failures: Sequence[str]
) -> Iterator[str]:
    """Yield what to know before going on."""
    yield from failures
    if not proposals and not failures:
        yield NO_TRUTH
    if not any("ground_truth" in proposal.map for proposal in proposals):
        yield from _explain_texts(known)
    if any(proposal.map.get("id") == "#" for proposal in proposals):
        query = next((p.map["query"] for p in proposals if "query" in p.map), "PATH")
        yield NUMBERED.format(query=query)
    if not proposals and not shape.records:
        yield "no records: expected a list of objects, one per query"


def _explain_texts(known: Sequence[Known]) -> Iterator[str]:
    """Yield why answers and passages are not proposed as ground truth."""
    if names := _name_fields(known, words.ANSWER):
        yield f"{names}: answers are not ids; no retriever can find them"
    if names := _name_fields(known, words.KEYWORDS):
        yield f"{names}: what an answer must contain is not the id of a document"
    if names := _name_fields(known, words.PASSAGE):
        yield (
            f"{names}: texts of passages, not ids; name the fields user_input, "
            "reference_contexts and retrieved_contexts to compare them by text, as ragas has them"
        )


def _name_fields(known: Sequence[Known], meaning: str) -> str:
    paths = [printable(field.facts.path) for field in known if field.strength(meaning)]
    return cut(", ".join(paths), 80)
