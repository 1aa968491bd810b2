"""What a rule is: its documentation, its checks, and its fix, declared in one place.

A rule has hooks at several points of a validation; most rules need one or two.

``check(case, request)``
    Yields what is wrong with a record. It is called for every record, unless ``bulk`` or ``sweep``
    says that the record cannot break the rule. Rules about the same thing share a check, which
    reports the most specific of them.
``bulk(plain, request)``
    Returns the numbers of the plain records of a batch that may break the rule, at C speed. Without
    it, ``check`` is called for plain records, too.
``sweep(request)``
    Returns the limits within which records that pass the compiled sweep cannot break the rule.
    Without it, the sweep is not used at all.
``schema(error)``
    Whether an error of the models is a finding of this rule.
``suspect(source, session)``
    Returns a locator where the facts of a source raise a suspicion, by themselves or beside those
    of the other sources, else None. The locator is called for each record in a second reading,
    which is skipped if there is no suspicion. A ``QueryLocator`` says about which queries.
``check_source(source)``, ``check_session(session)``
    Yield findings about a source as a whole, and about all sources together, these with a place.
``revise(findings, session)``
    Changes the messages of findings at the end.
"""

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from groupwise.evaluator.reading.editing import Changes
    from groupwise.evaluator.validation.facts.case import Case
    from groupwise.evaluator.validation.facts.draft import Draft, Place
    from groupwise.evaluator.validation.facts.plain import PlainRecords
    from groupwise.evaluator.validation.facts.request import Request
    from groupwise.evaluator.validation.facts.schema_error import SchemaError
    from groupwise.evaluator.validation.facts.session import Session, SourceFacts
    from groupwise.schemas import Finding

LONGEST = 255
"""The most groups, and the most alternatives of a group, that the sweep can count."""

Severity: TypeAlias = Literal["error", "warning", "info"]
Safety: TypeAlias = Literal["safe", "unsafe"]
Check: TypeAlias = Callable[["Case", "Request"], Iterable["Draft"]]
Locator: TypeAlias = Callable[["Case", "Place"], Iterable["Draft"]]


@dataclass(frozen=True)
class QueryLocator:
    """A locator of records with certain query ids; it is not called for others.

    Attributes:
        queries: The hashes of these query ids.
        locate: The locator.
        code: The code of all that it reports, if the query ids of the records are enough for it.
        count: Whether it would report a record with a query id, which it remembers.
        spares: Whether it certainly reports nothing about a record, told at a glance.
    """

    queries: AbstractSet[int]
    locate: Locator
    code: str = ""
    count: Callable[[str], bool] = lambda _query: False
    spares: Callable[[Any], bool] = lambda _record: False

    def __call__(self, case: "Case", place: "Place") -> Iterable["Draft"]:
        """Return what is wrong with a record."""
        return self.locate(case, place)


class Limits(NamedTuple):
    """What the sweep accepts.

    A record that passes has ground truth only, as lists of lists of strings, and a query id. No
    list is empty, no id occurs twice, and all ids are visible ASCII without spaces or capitals.

    Attributes:
        groups: The most groups of a ground truth.
        alternatives: The most alternatives of a group.
        characters: From this many groups, or alternatives of a group, on, no id is one character.
    """

    groups: int = LONGEST
    alternatives: int = LONGEST
    characters: int = LONGEST + 1


def no_limits(_request: "Request") -> Limits:
    """Return the widest limits: no record that passes the sweep breaks the rule."""
    return Limits()


class Fix(NamedTuple):
    """How the findings of a rule are fixed.

    Attributes:
        text: What the fix does, for a person.
        safety: A safe fix leaves all scores unchanged, or ``text`` says where it does not.
        apply: Adds the edits for a draft to the changes of its record; returns False if it cannot.
        rewrite: Returns the whole text of a file without the finding.
        fits: Whether the fix applies to an error of the models.
        prepare: Returns the request to use when looking for findings to fix.
    """

    text: str
    safety: Safety
    apply: "Callable[[Changes, Draft, Any, Request], bool] | None" = None
    rewrite: Callable[[str], str] | None = None
    fits: "Callable[[SchemaError], bool]" = lambda _error: True
    prepare: "Callable[[Request], Request] | None" = None

    def __str__(self) -> str:
        return self.text


class Rule(NamedTuple):
    """A rule and everything there is to know about it.

    Attributes:
        code: Two letters for the family and three digits.
        name: Lower-case words with hyphens.
        severity: An ``"error"`` makes scores wrong or impossible; a ``"warning"`` is probably a
            mistake; an ``"info"`` never fails a run.
        what: What breaks the rule.
        why: Why that matters.
        example: Data that break the rule.
        instead: The same data as they should be.
        overrides: The codes of errors of the models that are dropped where this rule reports.

    The other attributes are the hooks that the module describes, and the fix.
    """

    code: str
    name: str
    severity: Severity
    what: str
    why: str = ""
    example: str = ""
    instead: str = ""
    check: Check | None = None
    bulk: "Callable[[PlainRecords, Request], Iterable[int]] | None" = None
    sweep: "Callable[[Request], Limits] | None" = None
    schema: "Callable[[SchemaError], bool] | None" = None
    suspect: "Callable[[SourceFacts, Session], Locator | None] | None" = None
    check_source: "Callable[[SourceFacts], Iterable[Draft]] | None" = None
    check_session: "Callable[[Session], Iterable[tuple[Draft, Place]]] | None" = None
    revise: "Callable[[list[Finding], Session], None] | None" = None
    fix: Fix | None = None
    overrides: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """The letters of the code."""
        return self.code.rstrip("0123456789")

    @property
    def fixable(self) -> Safety | None:
        """The safety of the fix; None if there is none."""
        return self.fix.safety if self.fix else None
