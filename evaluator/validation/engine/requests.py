"""Requests from the options of a call."""

from collections.abc import Iterable

from groupwise.evaluator.evaluation.plan import check_policies
from groupwise.evaluator.metrics.names import check_cutoff, check_profile, parse
from groupwise.evaluator.statistics.gates import Gate, parse_gate
from groupwise.evaluator.validation.facts.request import Request
from groupwise.schemas import Policies


def build_request(
    k: int | None, profile: str, gates: Iterable[Gate | str], flat: str | None, ids: str | None
) -> Request:
    """Return the request of a call, with every option checked before anything is read.

    Raises:
        InputError: A gate cannot be parsed, or ``flat`` or ``ids`` has an unknown value.
        UnknownMetric: There is no such profile or metric, or ``k`` is not a cutoff.
    """
    check_profile(profile)
    parsed = tuple(map(parse_gate, gates))
    for gate in parsed:
        parse(gate.metric, profile)
    given = {"flat": flat, "ids": ids}
    asked = tuple((name, value) for name, value in given.items() if value is not None)
    if asked:
        check_policies(Policies(), asked)
    return Request(None if k is None else check_cutoff(k), profile, parsed, flat, ids)
