"""Collected findings: all are counted, the first ones of each code are kept with their places."""

import re
import sys
from collections import Counter
from collections.abc import Callable, Collection
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import orjson

from groupwise.evaluator.errors import ExtensionError, InputError, Problem
from groupwise.evaluator.reading.limits import FINDINGS
from groupwise.evaluator.validation.facts.draft import Draft, Place
from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.evaluator.validation.rules.rule import Rule
from groupwise.evaluator.validation.settings.baseline import Baseline, Key
from groupwise.schemas import Finding, SeverityCounts

OPTIONS = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS
FIRST_PLACE = re.compile(r"(?:line|column) [^)]*+\)")
"""The end of a message about a repeat; no part of fingerprints, because lines move."""

DESCRIBED = 10_000
"""Of one record, at least so many findings of a code are described; all others are counted."""

MAX_FINDINGS = FINDINGS.default
"""How many findings of a code are kept by default."""


@dataclass
class Findings:
    """Collects the findings of the rules that are selected.

    Attributes:
        wants: Whether a rule applies to a file.
        baseline: Findings that are known already; they are counted apart.
        limit: How many findings of a code are kept.
        keys: Counts the key of every finding, for a new baseline; None: there will be none.
    """

    wants: Callable[[str, str | None], bool] = lambda _code, _file: True
    baseline: Baseline | None = None
    limit: int = MAX_FINDINGS
    keys: "Counter[Key] | None" = None
    rules: dict[str, Rule] = field(default_factory=every_rule)
    by_code: Counter[str] = field(default_factory=Counter)
    kept: list[Finding] = field(default_factory=list)
    baselined: int = 0
    _kept_by_code: Counter[str] = field(default_factory=Counter)

    def active_rules(self, file: str) -> list[Rule]:
        """Return the rules that apply to a file."""
        return [rule for rule in self.rules.values() if self.wants(rule.code, file)]

    @property
    def most_in_record(self) -> int:
        """How many findings of a code are described of one record; a baseline needs all."""
        needs_all = self.baseline is not None or self.keys is not None
        return sys.maxsize if needs_all else max(self.limit, DESCRIBED)

    def count(self, codes: Counter[str], file: str) -> None:
        """Count findings that are not described."""
        for code, times in codes.items():
            if self.wants(code, file):
                self.by_code[code] += times

    def add(self, draft: Draft, place: Place) -> None:
        """Count a finding, and keep it if the limit allows."""
        if self._count(draft, place.file, place.query):
            line, column = place.line_and_column(draft.pointer)
            pointer = place.json_pointer(draft.pointer)
            file, query = place.file, place.query
            self._keep(draft, query, file=file, line=line, column=column, pointer=pointer)

    def add_all(self, drafts: Collection[Draft], place: Place) -> None:
        """Count the findings of a record, and keep those that the limit allows."""
        for draft in drafts:
            self.add(draft, place)

    def add_problem(self, problem: Problem) -> None:
        """Count a problem that a reader found, and keep it if the limit allows."""
        value = _strip_first_place(problem.message)
        draft = Draft(problem.code, problem.message, value=value, fixable=False)
        file, query = problem.source or "", problem.query
        if self._count(draft, file, query):
            line, column, pointer = problem.line, problem.column, problem.pointer
            self._keep(draft, query, file=file, line=line, column=column, pointer=pointer)

    def add_error(self, error: InputError) -> None:
        """Count the problems of unreadable text; raise an error that is about anything else."""
        if not all(problem.code for problem in error.problems):
            raise error
        for problem in error.problems:
            self.add_problem(problem)

    def _count(self, draft: Draft, file: str, query: str | None) -> bool:
        """Count a draft, and return whether to keep it."""
        if draft.code not in self.rules:
            raise ExtensionError(f"a rule reports the code {draft.code!r}, which no rule has")
        if not self.wants(draft.code, file):
            return False
        if draft.more:
            self.by_code[draft.code] += draft.more
        if self._is_known(draft, query):
            self.baselined += 1
            return False
        self.by_code[draft.code] += 1
        return self._kept_by_code[draft.code] < self.limit

    def _is_known(self, draft: Draft, query: str | None) -> bool:
        if self.baseline is None and self.keys is None:
            return False
        key = Key(draft.code, query, compute_fingerprint(draft, query))
        if self.keys is not None:
            self.keys[key] += 1
        return self.baseline is not None and self.baseline.accounts_for(key)

    def _keep(self, draft: Draft, query: str | None, **place: Any) -> None:
        rule = self.rules[draft.code]
        self._kept_by_code[draft.code] += 1
        finding = Finding.model_construct(
            code=draft.code,
            name=rule.name,
            severity=rule.severity,
            message=draft.message,
            **place,
            query=query,
            group=draft.group,
            id=draft.id,
            fix=rule.fixable if draft.fixable else None,
            fingerprint=compute_fingerprint(draft, query),
        )
        self.kept.append(finding)

    def count_severities(self) -> SeverityCounts:
        """Return how many findings there are of each severity."""
        found: Counter[str] = Counter()
        for code, count in self.by_code.items():
            found[self.rules[code].severity] += count
        return SeverityCounts.model_construct(None, **found)


def compute_fingerprint(draft: Draft, query: str | None) -> str:
    """Return a short hash of code, query id and offending value; lines and files do not matter."""
    content = [draft.code, query, draft.value]
    try:
        data = orjson.dumps(content, option=OPTIONS, default=_as_json)
    except (TypeError, RecursionError):
        # Only Python objects hold what JSON cannot: lone surrogates, unbounded integers.
        data = _spell(content, draft.message).encode("utf-8", "backslashreplace")
    return blake2b(data, digest_size=8).hexdigest()


def _spell(content: list[Any], message: str) -> str:
    """Return the content as Python writes it; of a value that is nested too deep, the message."""
    try:
        return repr(content)
    except RecursionError:
        return repr([*content[:2], message])


def _as_json(value: Any) -> Any:
    """Return what is not JSON as text; the elements of a set are sorted."""
    return sorted(map(repr, value)) if isinstance(value, AbstractSet) else repr(value)


def _strip_first_place(message: str) -> str:
    """Return a message without the place of what it repeats, which moves when lines are added."""
    text, _, place = message.rpartition(" (first at ")
    return text if text and FIRST_PLACE.fullmatch(place) else message
