"""Sets of gates: those of a call, of a JSON file, of a preset."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from groupwise.evaluator.errors import InputError, OptionError, Problem
from groupwise.evaluator.evaluation.intervals import check_confidence
from groupwise.evaluator.evaluation.settings import (
    Check,
    are_texts,
    check_keys,
    expect_choice,
)
from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.reading.json import read_json_file
from groupwise.evaluator.statistics.gates import Gate, parse_gate
from groupwise.evaluator.text import quote, suggest
from groupwise.schemas.values import describe

Gates: TypeAlias = "str | os.PathLike[str] | Gate | GateSet | Iterable[Gate | str]"


LEVEL = 0.95
"""The level of intervals that gates need, unless another is asked for."""


class Preset(NamedTuple):
    """Gates that are shipped, in the definitions of a profile, and where they come from."""

    profile: str
    gates: tuple[str, ...]
    description: str


PRESETS: Mapping[str, Preset] = {
    "rag": Preset(
        "coverage",
        (
            "precision@3 >= 0.8",
            "precision@5 >= 0.7",
            "recall@5 >= 0.7",
            "recall@10 >= 0.9",
            "recall@20 >= 0.95",
            "f1@5 >= 0.7",
            "mrr >= 0.8",
            "ndcg@5 >= 0.85",
            "ndcg@10 >= 0.8",
            "hit_rate@10 >= 0.95",
        ),
        "targets for retrieval-augmented generation; those that no ranking can reach on the data "
        "do not fail",
    ),
}


class GateSet(NamedTuple):
    """Gates, and the metrics and the profile that come with them.

    ``lenient`` are those of presets, which do not fail where no ranking can pass them.
    """

    gates: tuple[Gate, ...] = ()
    lenient: frozenset[Gate] = frozenset()
    metrics: tuple[str, ...] | None = None
    profile: str | None = None

    def join(self, other: "GateSet") -> "GateSet":
        """Return the gates of both, each once; what this one sets comes first."""
        return GateSet(
            tuple(dict.fromkeys((*self.gates, *other.gates))),
            self.lenient | other.lenient,
            self.metrics if self.metrics is not None else other.metrics,
            self.profile or other.profile,
        )


def collect_gates(given: Gates, profile: str | None = None) -> GateSet:
    """Return the gates that a call gives.

    Args:
        given: Gates and names of presets, or one of them, or the path of a JSON file.
        profile: The profile of the call; None: that of the file or the preset.

    Raises:
        InputError: A text is no gate, there is no such preset, or the file is invalid.
    """
    if isinstance(given, GateSet):
        return given
    if isinstance(given, Gate):
        return GateSet((given,))
    if isinstance(given, os.PathLike):
        return read_gates(given, profile)
    if isinstance(given, str):
        return _collect_named(given, profile)
    found = GateSet()
    for each in given:
        found = found.join(_collect_each(each, profile or found.profile))
    return found


def _collect_named(text: str, profile: str | None) -> GateSet:
    """Return a gate, a preset, or the gates of a file."""
    if text in PRESETS or is_gate_like(text):
        return _collect_each(text, profile)
    if not Path(text).exists():
        near = suggest(text, PRESETS)
        raise InputError([Problem(f"no preset {quote(text)}, and no such file; {near}")])
    return read_gates(text, profile)


def is_gate_like(text: str) -> bool:
    """Whether a text holds a comparison, as gates do and names of presets do not."""
    return "<" in text or ">" in text


def _collect_each(given: Gate | str, profile: str | None) -> GateSet:
    if isinstance(given, str) and not is_gate_like(given) and given.strip() in PRESETS:
        return expand_preset(given.strip(), profile)
    return GateSet((parse_gate(given),))


def expand_preset(name: str, profile: str | None = None) -> GateSet:
    """Return the gates of a preset; in another profile, its metrics are named with its own."""
    preset = PRESETS[name]
    prefix = "" if profile in (None, preset.profile) else f"{preset.profile}:"
    gates = tuple(parse_gate(f"{prefix}{gate}") for gate in preset.gates)
    metrics = tuple(gate.metric for gate in gates)
    return GateSet(gates, frozenset(gates), metrics, profile or preset.profile)


def read_gates(path: str | os.PathLike[str], profile: str | None = None) -> GateSet:
    """Return the gates of a JSON file: a list, or an object with gates, metrics and profile.

    Raises:
        InputError: The file cannot be read, or is something else.
    """
    source = os.fspath(path)
    content = read_json_file(source, "the gates")
    table = {"gates": content} if isinstance(content, list) else content
    if not isinstance(table, Mapping):
        message = f"expected a list of gates, or an object with gates; got {describe(content)}"
        raise InputError([Problem(message, source)])
    problems = [
        Problem(message, source, pointer="/".join(["", *key]))
        for key, message in check_keys(table, KEYS)
    ]
    if not problems and "gates" not in table:
        problems.append(Problem('no gates; write {"gates": ["recall@10 >= 0.9"]}', source))
    if problems:
        raise InputError(problems)
    return build_set(table, profile)


def build_set(table: Mapping[str, Any], profile: str | None = None) -> GateSet:
    """Return the gates of a table that has been checked."""
    given = table.get("gates", ())
    chosen = profile or table.get("profile")
    found = collect_gates([given] if isinstance(given, str) else given, chosen)
    metrics = tuple(table["metrics"]) if "metrics" in table else found.metrics
    return found._replace(metrics=metrics, profile=chosen or found.profile)


def check_gates(value: Any) -> str | None:
    """Return what is wrong with the gates of a file; None if nothing is."""
    texts = [value] if isinstance(value, str) else value
    if not are_texts(texts):
        return f"{quote(value)}: expected a list of gates, such as ['recall@10 >= 0.9']"
    for text in texts:
        try:
            gates = _collect_each(text, None).gates
        except InputError as error:
            if is_gate_like(text):
                return error.problems[0].message
            near = suggest(text, PRESETS)
            return f"no preset {quote(text)}; {near}, or write a gate such as {EXAMPLE}"
        if wrong := next(filter(None, (_check_metric(gate.metric) for gate in gates)), None):
            return wrong
    return None


def check_metrics(value: Any) -> str | None:
    """Return what is wrong with the metrics of a file; None if nothing is."""
    if not are_texts(value) or not value:
        return f"{quote(value)}: expected a list of metrics, such as ['recall@10', 'ndcg@10']"
    return next(filter(None, map(_check_metric, value)), None)


def _check_metric(name: str) -> str | None:
    from groupwise.evaluator.errors import UnknownMetric  # noqa: PLC0415
    from groupwise.evaluator.metrics.names import parse  # noqa: PLC0415

    wrong = []
    for profile in PROFILES:
        try:
            parse(name, profile)
        except (UnknownMetric, OptionError) as error:
            wrong.append(str(error))
        else:
            return None
    return wrong[0]


EXAMPLE = "'recall@10 >= 0.9'"
KEYS: Mapping[str, Check] = {
    "gates": check_gates,
    "metrics": check_metrics,
    "profile": expect_choice(*PROFILES),
}
"""The keys of a file of gates, and the check of each."""


def check_baselines(gates: tuple[Gate, ...], baseline: object) -> tuple[Gate, ...]:
    """Return the gates, if there is a baseline for those that need one.

    Raises:
        InputError: There is none.
    """
    for gate in gates:
        if gate.relation is not None and baseline is None:
            raise InputError([Problem(f"gate {gate}: there is no baseline; say baseline=…")])
    return gates


def list_gated_fields(gates: Iterable[Gate]) -> list[str]:
    """Return the fields whose slices gates are on."""
    fields = (gate.field_name for gate in gates)
    return list(dict.fromkeys(field for field in fields if field is not None))


def choose_level(confidence: Any, gates: Iterable[Gate]) -> float | None:
    """Return the level of intervals: as asked, or the default if a gate needs them."""
    given = check_confidence(confidence)
    needed = any(gate.end or gate.field is not None for gate in gates)
    return LEVEL if given is None and needed else given
