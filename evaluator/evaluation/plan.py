"""What a call asks for; a fixture fills in what the call leaves open."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from groupwise.evaluator.errors import (
    InputError,
    OptionError,
    Problem,
    UnknownMetric,
)
from groupwise.evaluator.evaluation.partial import Partial, Progress, Setup
from groupwise.evaluator.intake.vectors import VectorTable
from groupwise.evaluator.matching import EXACT, Matching
from groupwise.evaluator.metrics.names import Measure, curve_measures, measures, parse
from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.metrics.registry import registry_version
from groupwise.evaluator.statistics.gates import Gate
from groupwise.evaluator.text import quote
from groupwise.schemas import FixtureHead, Policies

if TYPE_CHECKING:
    from groupwise.evaluator.evaluation.explanations import Request
    from groupwise.evaluator.matching.lookup import Chunks
    from groupwise.schemas import Baseline

NO_HEAD = FixtureHead.model_construct()
NO_IDS = (
    "ceilings: with the matcher {name!r} it is not known which documents meet a group; expected "
    "'exact'"
)
NO_BOUNDS = (
    "ties='report': the bounds are not known where results meet a group together (together=true)"
)
NO_LOOKUP = (
    "corpus: the matcher {name} compares ids alone, and no metric needs texts or spans; expected a "
    "matcher such as 'span' or 'text', a metric such as span_recall, a budget of tokens with "
    "characters_per_token, or an explanation"
)
MOST_JOBS = 256
NO_POLICIES: Mapping[str, Any] = {}


class Plan(NamedTuple):
    """The metrics, policies and extras that a call asks for; None leaves it to the fixture.

    A plan without ``progress`` can be pickled, so that other processes start partials from it.
    """

    metrics: str | tuple[str, ...] | None = None
    profile: str | None = None
    cutoffs: tuple[int, ...] = ()
    policies: Mapping[str, Any] = NO_POLICIES
    gates: tuple[Gate, ...] = ()
    matching: Matching | None = None
    per_query: bool = True
    progress: Progress | None = None
    vectors: VectorTable | None = None
    curve: int | None = None
    by: tuple[str, ...] = ()
    fingerprints: bool = False
    lenient: frozenset[Gate] = frozenset()
    baseline: "Baseline | None" = None
    allow_other_data: bool = False
    confidence: float | None = None
    ceilings: bool = False
    bands: bool = False
    explain: "Request | None" = None
    corpus: "Chunks | None" = None
    keeps_ranks: bool = False
    jobs: int = 1

    def check_names(self) -> None:
        """Check the metrics before a fixture is read, which may name the profile.

        Raises:
            UnknownMetric: No profile has all the metrics asked for.
            OptionError: There is no such profile, or a cutoff or parameter is not accepted.
        """
        errors = []
        for profile in [self.profile] if self.profile else PROFILES:
            try:
                self._choose_measures(NO_HEAD, profile)
            except UnknownMetric as error:
                errors.append(error)
            else:
                return
        raise errors[0]

    def start(self, head: FixtureHead = NO_HEAD) -> Partial:
        """Return a partial that holds no queries yet."""
        return Partial(self.find_setup(head), self.vectors, self.progress, self.corpus)

    def find_setup(self, head: FixtureHead = NO_HEAD) -> Setup:
        """Return what all partials have in common; the same plain calls find it again."""
        if head is not NO_HEAD or self._asks_more:
            return self.build_setup(head)
        asked = self.metrics, self.profile, self.cutoffs, self.policies
        try:
            return _find_asked(*asked, per_query=self.per_query)
        except TypeError:  # what cannot be hashed is not accepted, either
            return self.build_setup(head)

    @property
    def _asks_more(self) -> bool:
        """Whether it asks for more than metrics and policies."""
        extras = self.gates or self.by or self.ceilings or self.bands or self.keeps_ranks
        others = self.matching, self.curve, self.confidence, self.explain, self.corpus
        return bool(extras) or any(other is not None for other in others)

    def build_setup(self, head: FixtureHead) -> Setup:
        """Return what all partials of this plan have in common.

        Raises:
            UnknownMetric: There is no such metric.
            OptionError: There is no such profile, or what is asked for does not go together.
        """
        profile = self.profile or head.profile
        chosen = self._choose_measures(head, profile)
        matching = self.matching or (Matching.parse(head.matching) if head.matching else EXACT)
        policies = choose_policies(self.policies, chosen, head.policies)
        if policies.ties == "report" and dict(matching.options).get("together"):
            raise OptionError([Problem(NO_BOUNDS)])
        setup = Setup(
            chosen, profile, policies, self.per_query, matching, self.by, self.confidence,
            self._choose_ceilings(chosen, profile, matching), self.bands, gated=bool(self.gates),
            explain=self.explain and self.explain.resolve(chosen[0].k),
            keeps_ranks=self.keeps_ranks,
        )  # fmt: skip
        if self.corpus is not None and not setup.looked_up_parts and self.explain is None:
            raise OptionError([Problem(NO_LOOKUP.format(name=matching.name))])
        return setup

    def _choose_ceilings(
        self, chosen: Iterable[Measure], profile: str, matching: Matching
    ) -> frozenset[str]:
        """Return the measures whose ceilings are needed: all, if asked for, or those of gates."""
        if matching != EXACT:
            if self.ceilings and not (self.explain and self.explain.page):
                raise OptionError([Problem(NO_IDS.format(name=matching.name))])
            return frozenset()
        gated = {_choose_gated(gate, profile).label for gate in self.gates}
        return frozenset(m.label for m in chosen if self.ceilings or m.label in gated)

    def _choose_measures(self, head: FixtureHead, profile: str) -> tuple[Measure, ...]:
        """Return the measures asked for; the cutoffs of the call do not apply to those of gates."""
        names = head.metrics if self.metrics is None else self.metrics
        chosen = measures(names, profile, self.cutoffs)
        if self.gates:
            gated = [_choose_gated(gate, profile) for gate in self.gates]
            chosen = tuple({measure.label: measure for measure in (*chosen, *gated)}.values())
        if self.curve is not None:
            chosen = (*chosen, *curve_measures(profile, self.curve))
        return chosen


def _find_asked(
    metrics: Any,
    profile: str | None,
    cutoffs: tuple[int, ...],
    policies: Mapping[str, Any],
    *,
    per_query: bool,
) -> Setup:
    """Return the setup of a plain call; raise a TypeError for what cannot be hashed."""
    kinds = tuple(map(type, (*cutoffs, *policies.values())))  # 1 is not True
    asked = metrics, profile, cutoffs, tuple(policies.items()), per_query
    return _find_setup(asked, kinds, registry_version())


@lru_cache(maxsize=64)
def _find_setup(asked: tuple[Any, ...], _kinds: tuple[type, ...], _version: int) -> Setup:
    metrics, profile, cutoffs, policies, per_query = asked
    plan = Plan(metrics, profile, cutoffs, dict(policies), per_query=per_query)
    return plan.build_setup(NO_HEAD)


def _choose_gated(gate: Gate, profile: str) -> Measure:
    """Return the measure that a gate is about."""
    measure = parse(gate.metric, profile)
    if measure.metric.kind == "rank":
        raise UnknownMetric(f"gate {gate}: {gate.metric} is a rank, and ranks have no mean")
    return measure


def choose_policies(
    asked: Mapping[str, Any], measures: Iterable[Measure], base: Policies = NO_HEAD.policies
) -> Policies:
    """Return the base policies, overridden by those asked for.

    Where groups are dissolved anyway, a flat list is not ambiguous.
    """
    chosen = dict(asked)
    if {measure.profile for measure in measures} == {"trec"} and base.flat is None:
        chosen.setdefault("flat", "any")
    return check_policies(base, tuple(chosen.items()))


def check_jobs(value: Any) -> int:
    """Return a number of processes.

    Raises:
        OptionError: It is not a whole number from 1 to 256.
    """
    if type(value) is int and 1 <= value <= MOST_JOBS:
        return value
    message = f"jobs: expected a whole number from 1 to {MOST_JOBS}, got {quote(value)}"
    raise OptionError([Problem(message)])


def list_cutoffs(k: Any) -> tuple[Any, ...]:
    """Return the cutoffs that a call asks for: none, one or several; they are checked later."""
    return () if k is None else tuple(k) if isinstance(k, Iterable) else (k,)


def check_policies(base: Policies, asked: tuple[tuple[str, Any], ...]) -> Policies:
    """Return the base policies, overridden by those asked for.

    Raises:
        InputError: A policy has a value that it cannot have.
    """
    try:
        return _override_policies(base, asked)
    except TypeError:  # a list, for instance, under which nothing can be cached
        return _validate_policies({**vars(base), **dict(asked)})


@lru_cache(maxsize=64)
def _override_policies(base: Policies, asked: tuple[tuple[str, Any], ...]) -> Policies:
    if not asked:
        return base
    return _validate_policies({**vars(base), **dict(asked)})


def _validate_policies(fields: Mapping[str, Any]) -> Policies:
    from pydantic_core import ValidationError  # noqa: PLC0415  (loads pydantic)

    try:
        return Policies(**fields)
    except ValidationError as error:
        details = error.errors(include_url=False)
        raise InputError([Problem(_describe(detail)) for detail in details]) from None


def _describe(detail: Any) -> str:
    expected = detail["msg"].removeprefix("Input should be ")
    return f"{detail['loc'][0]}={quote(detail['input'])}: expected {expected}"
