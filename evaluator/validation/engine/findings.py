"""Where findings go: all are counted, the first ones of each code are kept with their places."""

import re
from collections import Counter
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple, Protocol

import orjson

from groupwise.evaluator.errors import Problem
from groupwise.evaluator.reading.records import Batch
from groupwise.evaluator.text import json_pointer
from groupwise.evaluator.validation.engine.case import Draft
from groupwise.evaluator.validation.rules.registry import Rule, every_rule
from groupwise.schemas import Finding, SeverityCounts

AS_IT_IS = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS
FIRST_PLACE = re.compile(r" \(first at (?:line|column) [^)]*\)$")
"""Where something stood first is told to people, and no part of a fingerprint: lines move."""

KEPT = 1000
"""How many findings of a code are kept, unless the caller says otherwise."""


class Key(NamedTuple):
    """What a finding is known by, wherever it moves."""

    code: str
    query: str | None
    fingerprint: str


class Place(NamedTuple):
    """A record of a source; where anything in it stands is looked up when it is asked for."""

    file: str
    query: str | None
    batch: Batch | None = None
    number: int = 0

    def pointer(self, draft: Draft) -> str | None:
        """The way from the document to what is meant."""
        root = self.batch.root(self.number) if self.batch else ()
        return json_pointer((*root, *draft.pointer))

    def line_and_column(self, draft: Draft) -> tuple[int | None, int | None]:
        """Line and column of what is meant, from 1; None where there are none."""
        if self.batch is None:
            return None, None
        line, column = self.batch.place(self.number, draft.pointer)
        return line or None, column or None

    def first_at(self) -> str:
        """The line of the record, for the message about a later one."""
        line, _ = self.line_and_column(Draft("", ""))
        return f" (first at line {line})" if line else ""


class Accounts(Protocol):
    """What is known already: a baseline."""

    def accounts_for(self, key: Key) -> bool:
        """Whether this finding is one of those."""
        ...


@dataclass
class Sink:
    """Collects findings of the codes that are wanted."""

    wants: Callable[[str, str | None], bool] = lambda _code, _file: True
    baseline: Accounts | None = None
    kept: int = KEPT
    heard: Callable[[Key], None] | None = None
    rules: dict[str, Rule] = field(default_factory=every_rule)
    by_code: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    baselined: int = 0
    _room: Counter[str] = field(default_factory=Counter)

    def add(self, draft: Draft, place: Place) -> None:
        """Count a finding, and keep it if there is room."""
        if not self.wants(draft.code, place.file):
            return
        if self._is_known(draft, place.query):
            self.baselined += 1
            return
        self.by_code[draft.code] += 1
        if self._room[draft.code] < self.kept:
            self._room[draft.code] += 1
            self.findings.append(self._finding(draft, place))

    def _is_known(self, draft: Draft, query: str | None) -> bool:
        if self.baseline is None and self.heard is None:
            return False
        key = Key(draft.code, query, fingerprint(draft, query))
        if self.heard is not None:
            self.heard(key)
        return self.baseline is not None and self.baseline.accounts_for(key)

    def _finding(self, draft: Draft, place: Place) -> Finding:
        rule = self.rules[draft.code]
        line, column = place.line_and_column(draft)
        return Finding.model_construct(
            code=draft.code,
            name=rule.name,
            severity=rule.severity,
            message=draft.message,
            file=place.file,
            line=line,
            column=column,
            pointer=place.pointer(draft),
            query=place.query,
            group=draft.group,
            id=draft.id,
            fix=rule.fixable if draft.fixable else None,
            fingerprint=fingerprint(draft, place.query),
        )

    def add_problem(self, problem: Problem) -> None:
        """Count a problem of the text, which has its place already."""
        value = FIRST_PLACE.sub("", problem.message)
        self.add_placed(Draft(problem.code, problem.message, value=value, fixable=False), problem)

    def add_placed(self, draft: Draft, at: Problem) -> None:
        """Count a finding at the place of a problem."""
        before = len(self.findings)
        self.add(draft, Place(at.source or "", at.query))
        if len(self.findings) > before:
            placed = {"line": at.line, "column": at.column, "pointer": at.pointer}
            self.findings[-1] = self.findings[-1].model_copy(update=placed)

    def counts(self) -> SeverityCounts:
        """How many findings there are of each severity."""
        found: Counter[str] = Counter()
        for code, count in self.by_code.items():
            found[self.rules[code].severity] += count
        return SeverityCounts.model_construct(None, **found)


def fingerprint(draft: Draft, query: str | None) -> str:
    """A short hash of code, query id and offending value; lines and files do not matter."""
    told = [draft.code, query, draft.value]
    try:
        data = orjson.dumps(told, option=AS_IT_IS, default=_shown)
    except (TypeError, RecursionError):
        # What JSON cannot hold comes from programs only: lone surrogates, numbers without bounds.
        data = repr(told).encode("utf-8", "backslashreplace")
    return blake2b(data, digest_size=8).hexdigest()


def _shown(value: Any) -> Any:
    """What is no JSON as text; a set in an order of its own."""
    return sorted(map(repr, value)) if isinstance(value, AbstractSet) else repr(value)
