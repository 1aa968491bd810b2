"""What a rule is: its documentation, its checks, and its fix, declared in one place.

A rule has hooks at several points of a validation; most rules need one or two.

``check(case, request)``
    Yields what is wrong with a record. It is called for every record. Rules about the same thing
    share a check, which reports the most specific of them.
``schema(error)``
    Whether an error of the models is a finding of this rule.
``suspect(source, session)``
    Returns a locator where the facts of a source raise a suspicion, by themselves or beside those
    of the other sources, else None. The locator is called for each record in a second reading,
    which is skipped if there is no suspicion.
``check_source(source)``, ``check_session(session)``
    Yield findings about a source as a whole, and about all sources together, these with a place.
``revise(findings, session)``
    Changes the messages of findings at the end.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from groupwise.evaluator.reading.editing import Changes
    from groupwise.evaluator.validation.facts.case import Case
    from groupwise.evaluator.validation.facts.draft import Draft, Place, SchemaError
    from groupwise.evaluator.validation.facts.request import Request
    from groupwise.evaluator.validation.facts.session import Session, SourceFacts
    from groupwise.schemas import Finding

Severity: TypeAlias = Literal["error", "warning", "info"]
Safety: TypeAlias = Literal["safe", "unsafe"]
Check: TypeAlias = Callable[["Case", "Request"], Iterable["Draft"]]
Locator: TypeAlias = Callable[["Case", "Place"], Iterable["Draft"]]


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
