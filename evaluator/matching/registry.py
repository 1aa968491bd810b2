"""Matchings by name: the one place where matchers are chosen, configured and opened."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.errors import ExtensionError, InputError, Problem
from groupwise.evaluator.hits import Hits
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.exact import ExactMatcher
from groupwise.evaluator.matching.matcher import Matcher, MatcherFactory
from groupwise.evaluator.matching.own import OwnMatcher
from groupwise.evaluator.plugins.own import name_in_errors
from groupwise.evaluator.plugins.parameters import Parameter, parameters_of
from groupwise.evaluator.plugins.registry import Registry
from groupwise.evaluator.text import suggest

if TYPE_CHECKING:
    from groupwise.evaluator.matching.evidence import Evidence


def _load_normalised() -> MatcherFactory:
    from groupwise.evaluator.matching.normalised import NormalisedMatcher  # noqa: PLC0415

    return NormalisedMatcher


def _load_span() -> MatcherFactory:
    from groupwise.evaluator.matching.span_matcher import SpanMatcher  # noqa: PLC0415

    return SpanMatcher


def _load_text() -> MatcherFactory:
    from groupwise.evaluator.matching.text_matcher import TextMatcher  # noqa: PLC0415

    return TextMatcher


LOADERS: Mapping[str, Callable[[], MatcherFactory]] = {
    "exact": lambda: ExactMatcher,
    "normalised": _load_normalised,
    "span": _load_span,
    "text": _load_text,
}


BY_ID = ("exact", "normalised")
"""The built-in matchers that look at ids alone."""


class BuiltIn(Mapping[str, MatcherFactory]):
    """The matchers of groupwise by name; each is imported when it is asked for."""

    def __getitem__(self, name: str) -> MatcherFactory:
        return LOADERS[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(LOADERS)

    def __len__(self) -> int:
        return len(LOADERS)


MATCHERS: Registry[MatcherFactory] = Registry("matcher", BuiltIn)


def add_matcher(name: str, factory: MatcherFactory) -> None:
    """Register a matcher under a name, as in ``evaluate(…, matching=name)``.

    Args:
        name: The name; that of a built-in matcher is refused, one of your own is replaced.
        factory: A class, such as a subclass of ``QueryMatcher``, or a function of ``depth`` and
            ``budgets``. Its keyword-only arguments are the options.

    Raises:
        ExtensionError: A built-in matcher has this name, or the factory cannot be called.
    """
    if not callable(factory):
        raise ExtensionError(f"the matcher {name!r}: expected a class or function, got {factory!r}")
    MATCHERS.add(name, factory)


@dataclass(frozen=True)
class Matching:
    """A matcher by name, with its options: checked, immutable, and cheap to pickle."""

    name: str = "exact"
    options: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def parse(cls, value: Any = None) -> "Matching":
        """Return the matching that a value stands for.

        Args:
            value: A name such as ``"exact"``, or a mapping with the name under ``type`` and
                options beside it; numbers may be given as text. None stands for ``"exact"``.

        Raises:
            InputError: There is no such matcher or option, or a value is not accepted.
        """
        if value is None or isinstance(value, cls):
            return value or EXACT
        name, options = _split_type(value)
        matching = cls(name)
        known = parameters_of(matching._factory)
        checked = {option: _check(name, option, given, known) for option, given in options.items()}
        matching = cls(name, tuple(sorted(checked.items())))
        if checked and name in MATCHERS.built_in:
            matching.refuse_combination()
        return matching

    def refuse_combination(self) -> None:
        """Open the matcher once, so that it can check its options together.

        Raises:
            InputError: It refuses them.
        """
        try:
            self.open()
        except ValueError as error:
            raise _refuse(f"the matcher {self.name}: {error}") from None

    @property
    def _factory(self) -> Callable[..., Matcher]:
        factory = MATCHERS.find(self.name)
        if factory is None:
            raise _refuse(_describe_unknown(self.name))
        return factory

    @cached_property
    def needs_references(self) -> bool:
        """Whether the matcher looks at texts or spans, and not at ids alone."""
        return bool(getattr(self._factory, "needs_references", False))

    @property
    def compares_ids(self) -> bool:
        """Whether it only compares ids, by built-in rules, so that deep rankings cost little."""
        return self.name in BY_ID

    @cached_property
    def compared_parts(self) -> frozenset[str]:
        """What the matcher compares beside ids: texts, spans; both if it does not say."""
        parts = getattr(self._factory, "compares", ("text", "span"))
        return frozenset(parts) if self.needs_references else frozenset()

    def find_problems(self, rows: Rows) -> list[Problem]:
        """Return what the data of these queries lacks that the matcher cannot do without."""
        find = getattr(self._factory, "find_problems", None)
        return [] if find is None else [*find(rows)]

    def find_evidence(self, rows: Rows) -> "list[list[Evidence]]":
        """Return for each query why results meet alternatives, or how near they come to it.

        Matchers without an ``evidence`` method give their hits alone. Rankings are looked at as
        deep as they are.
        """
        matcher = self.open()
        found = matcher.matcher if isinstance(matcher, OwnMatcher) else matcher
        if find := getattr(found, "evidence", None):
            with name_in_errors("matcher", self.name):
                evidence: list[list[Evidence]] = find(rows)
                return evidence
        matcher.add(rows)
        return _list_hits(matcher.batch())

    def open(self, depth: int | None = None, budgets: Sequence[int] = ()) -> Matcher:
        """Return a new matcher of the first ``depth`` results; None: all."""
        if self.name == "exact":
            return ExactMatcher(depth, budgets)
        if self.name in MATCHERS.built_in:
            return self._factory(depth, budgets, **dict(self.options))
        return OwnMatcher(self.name, self._factory, depth, budgets, **dict(self.options))

    def to_dict(self) -> dict[str, Any]:
        """Return the matching as ``parse`` accepts it, defaults included."""
        return {"type": self.name, **self._defaults, **dict(self.options)}

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        known = parameters_of(self._factory)
        return {name: parameter.default for name, parameter in known.items()}


EXACT = Matching()


def _list_hits(hits: Hits) -> "list[list[Evidence]]":
    """Return the hits of each query; an alternative is the first of its group with the document."""
    from groupwise.evaluator.matching.evidence import Evidence  # noqa: PLC0415

    listed, groups = hits.alternatives, hits.groups
    first_group = groups.query.searchsorted(range(hits.queries)).tolist()
    first_place = listed.group.searchsorted(range(len(groups.query))).tolist()
    place: dict[tuple[int, int], int] = {}
    for row, pair in enumerate(zip(listed.group.tolist(), listed.document.tolist(), strict=True)):
        place.setdefault(pair, row - first_place[pair[0]])
    found: list[list[Evidence]] = [[] for _ in range(hits.queries)]
    columns = hits.query.tolist(), hits.group.tolist(), hits.document.tolist(), hits.rank.tolist()
    for query, group, document, rank in zip(*columns, strict=True):
        number = group - first_group[query]
        found[query].append(Evidence(rank, number, place[group, document], how="match"))
    return found


def _split_type(value: Any) -> tuple[str, Mapping[str, Any]]:
    """Return the name of the matcher and the options."""
    if isinstance(value, str):
        return value, {}
    if not isinstance(value, Mapping) or not isinstance(value.get("type"), str):
        raise _refuse(
            f"matching: expected the name of a matcher ({', '.join(MATCHERS.list_known())}), "
            f"or a mapping such as {{'type': 'exact'}}; got {value!r}"
        )
    return value["type"], {name: given for name, given in value.items() if name != "type"}


def _describe_unknown(name: str) -> str:
    """Return a message for a name that is not known, or that has options in it."""
    known, _, options = name.replace(":", "(").partition("(")
    if known not in MATCHERS.list_known() or "=" not in options:
        return MATCHERS.describe_unknown(name)
    return (
        f"no matcher {name!r}; pass options separately: --match-option NAME=VALUE, or "
        f"matching={{'type': '{known}', NAME: VALUE}}"
    )


def _check(matcher: str, option: str, given: Any, known: Mapping[str, Parameter]) -> Any:
    if option not in known:
        hint = suggest(str(option), known) if known else "it has no options"
        raise _refuse(f"the matcher {matcher} has no option {option!r}; {hint}")
    parameter = known[option]
    try:
        return parameter.value(given)
    except ValueError:
        expected = f"expected {parameter.accepted}, got {given!r}"
        raise _refuse(f"option {option} of the matcher {matcher}: {expected}") from None


def _refuse(message: str) -> InputError:
    return InputError([Problem(message)])
