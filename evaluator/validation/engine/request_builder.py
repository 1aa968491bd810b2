"""Requests from the options of a call."""

from collections.abc import Iterable

from groupwise.evaluator.evaluation.plan import check_policies
from groupwise.evaluator.metrics.names import check_cutoff, parse
from groupwise.evaluator.metrics.profiles import check_profile
from groupwise.evaluator.statistics.gates import Gate, parse_gate
from groupwise.evaluator.validation.facts.request import Flat, Request, TextIds
from groupwise.schemas import Policies


def build_request(
    k: int | None, profile: str, gates: Iterable[Gate | str], flat: Flat, ids: TextIds
) -> Request:
    """Return the request of a call, with every option checked before anything is read.

    Raises:
        InputError: A gate cannot be parsed, or ``flat`` or ``ids`` has an unknown value.
        OptionError: There is no such profile, or ``k`` is not a cutoff.
        UnknownMetric: There is no such metric.
    """
    check_profile(profile)
    parsed = tuple(map(parse_gate, [gates] if isinstance(gates, str) else gates))
    for gate in parsed:
        parse(gate.metric, profile)
    if (flat, ids) != (None, None):
        check_policies(Policies(), (("flat", flat), ("ids", ids)))
    return Request(None if k is None else check_cutoff(k), profile, parsed, flat, ids)
