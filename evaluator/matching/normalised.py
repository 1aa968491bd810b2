"""Ids after normalisation: Unicode form, case, white space, and a pattern that maps them.

Without rules it is matching by exact ids. Different ids of a query that become equal are
collisions: they are counted, and an example is kept.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import chain
from typing import Literal
from unicodedata import normalize

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.hits import Hits
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.evidence import Evidence
from groupwise.evaluator.matching.exact import ExactMatcher
from groupwise.evaluator.matching.near_ids import compare_rows
from groupwise.evaluator.matching.notes import MatchNotes
from groupwise.evaluator.matching.truths import groups_of
from groupwise.evaluator.text import quote_id
from groupwise.schemas import Id, RichTruth, Truth
from groupwise.schemas.ids import text_of

Rule = Callable[[str], str]


class NormalisedMatcher:
    """Compares ids after the rules that are asked for; without any it is `exact`.

    The rules apply in this order: ``unicode`` (a normal form), ``pattern`` (a regular expression;
    each match becomes ``replacement``), ``until`` (what precedes this text), ``trim`` (white space
    at both ends), ``case``.
    """

    def __init__(
        self,
        depth: int | None = None,
        budgets: Sequence[int] = (),
        *,
        unicode: Literal["keep", "NFC", "NFKC"] = "keep",
        trim: bool = False,
        pattern: str = "",
        replacement: str = "",
        until: str = "",
        case: Literal["keep", "fold"] = "keep",
    ) -> None:
        """Look at the first ``depth`` results; None: all.

        Raises:
            ValueError: The pattern or the replacement is not valid.
        """
        self.depth = depth
        self.notes = MatchNotes()
        self._exact = ExactMatcher(depth, budgets)
        self._rules = [*_choose_rules(unicode, pattern, replacement, until, case, trim=trim)]

    def __len__(self) -> int:
        return len(self._exact)

    def add(self, rows: Rows) -> None:
        """Match the results of some queries with their ground truths."""
        if self._rules:
            rows = self._normalise(rows)
        self._exact.add(rows)

    def batch(self) -> Hits:
        """Return the hits of the queries added since the last batch."""
        return self._exact.batch()

    def evidence(self, rows: Rows) -> list[list[Evidence]]:
        """Return hits and near misses by the normalised ids."""
        return compare_rows(self._normalise(rows))

    def _normalise(self, rows: Rows) -> Rows:
        """Return the rows with normalised ids."""
        rankings = [ranking[: self.depth] for ranking in rows.results]
        keys = self._map_ids(rows, rankings)
        self._count_collisions(rows, rankings, keys)
        return replace(
            rows,
            truths=[_rename(truth, keys) for truth in rows.truths],
            results=[[*map(keys.__getitem__, ranking)] for ranking in rankings],
            not_relevant=[[*map(keys.__getitem__, listed)] for listed in rows.not_relevant],
        )

    def _map_ids(self, rows: Rows, rankings: list[list[Id]]) -> dict[Id, Id]:
        """Return what each id becomes.

        Raises:
            InputError: Nothing is left of an id.
        """
        groups = chain.from_iterable(map(groups_of, rows.truths))
        listed = {*chain.from_iterable(chain(groups, rankings, rows.not_relevant))}
        keys: dict[Id, Id] = {document: self.key_of(document) for document in listed}
        if blank := [document for document, key in keys.items() if not key]:
            raise InputError([_describe_blank(min(blank, key=text_of), rows, rankings)])
        return keys

    def key_of(self, document: Id) -> str:
        """Return what an id becomes."""
        return reduce(lambda text, rule: rule(text), self._rules, text_of(document))

    def _count_collisions(self, rows: Rows, rankings: list[list[Id]], keys: dict[Id, Id]) -> None:
        """Count different ids that are equal now: in a ground truth, or in the results."""
        if len({*keys.values()}) == len(keys):
            return
        for query, truth, ranking in zip(rows.ids, rows.truths, rankings, strict=True):
            listed = chain.from_iterable(groups_of(truth))
            self._note_collisions("ground truth", query, listed, keys)
            self._note_collisions("results", query, ranking, keys)

    def _note_collisions(
        self, where: str, query: str, ids: Iterable[Id], keys: dict[Id, Id]
    ) -> None:
        distinct = dict.fromkeys(ids)
        first: dict[Id, Id] = {}
        for document in distinct:
            earlier = first.setdefault(keys[document], document)
            if earlier != document:
                self.notes.count(f"collisions in {where}", query, _name_pair(earlier, document))


def _choose_rules(
    unicode: str, pattern: str, replacement: str, until: str, case: str, *, trim: bool
) -> Iterable[Rule]:
    if unicode != "keep":
        yield lambda text: normalize(unicode, text)  # type: ignore[arg-type]
    if pattern:
        yield _compile(pattern, replacement)
    elif replacement:
        raise ValueError("replacement goes with pattern")
    if until:
        yield lambda text: text.partition(until)[0]
    if trim:
        yield str.strip
    if case == "fold":
        yield str.casefold


def _compile(pattern: str, replacement: str) -> Rule:
    """Return a function that replaces each match of a pattern.

    Raises:
        ValueError: The pattern or the replacement is not valid.
    """
    try:
        expression = re.compile(pattern)
        expression.sub(replacement, "")
    except (re.error, IndexError) as error:
        raise ValueError(f"expected a regular expression and its replacement; {error}") from None
    return lambda text: expression.sub(replacement, text)


def _rename(truth: Truth, keys: dict[Id, Id]) -> Truth:
    groups = [[*map(keys.__getitem__, group)] for group in groups_of(truth)]
    return truth._replace(groups=groups) if isinstance(truth, RichTruth) else groups


def _name_pair(earlier: Id, document: Id) -> str:
    return f"{quote_id(earlier)} and {quote_id(document)}"


def _describe_blank(document: Id, rows: Rows, rankings: list[list[Id]]) -> Problem:
    """Return the problem of an id of which the rules leave nothing."""
    cases = zip(rows.ids, rows.truths, rankings, strict=True)
    queries = [
        query for query, truth, ranking in cases
        if document in ranking or any(document in group for group in groups_of(truth))
    ]  # fmt: skip
    message = f"the matcher normalised leaves nothing of the id {quote_id(document)}"
    return Problem(message, query=min(queries, default=None), alike="normalised to nothing")
