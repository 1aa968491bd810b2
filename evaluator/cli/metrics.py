"""``groupwise metrics``: what there is to measure, straight from the declarations."""

import sys
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.guard import DONE
from groupwise.evaluator.cli.usage import add_choice, parser_of
from groupwise.evaluator.reporting.formula import notation, readable

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from groupwise.evaluator.metrics.registry import Metric

RUNNING_EXAMPLE = "a|b & c: a x b y"
DESCRIPTION = """\
List all metrics by profile; with NAME, say what one of them is. A name is
[profile:]name[(parameter=value)][@k], in any case."""
EXAMPLE = """\
  $ groupwise metrics
  $ groupwise metrics ndcg
  $ groupwise metrics --format json
"""
EVERY_PROFILE = "in every profile"


def main(arguments: Sequence[str]) -> int:
    """Show the list, or one metric."""
    words = _parser().parse_intermixed_args(arguments)
    chosen = _named(words.name, words.profile) if words.name else _all(words.profile)
    if words.format == "json":
        streams.say(_as_json(chosen))
    elif words.name:
        streams.say("\n".join([*map(_page, chosen), *_side_by_side(chosen)]))
    else:
        streams.say(_listing(chosen))
    return DONE


def _parser() -> "ArgumentParser":
    parser = parser_of("metrics", DESCRIPTION, EXAMPLE)
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="a metric, such as ndcg or trec:map"
    )
    parser.add_argument("--profile", metavar="P", help="only this profile")
    add_choice(parser, "--format", ("table", "json"), "form of the output (default: table)")
    return parser


def _all(profile: str | None) -> list["Metric"]:
    from groupwise.evaluator.metrics.names import check_profile  # noqa: PLC0415
    from groupwise.evaluator.metrics.registry import PROFILES, metrics_of  # noqa: PLC0415

    if profile:
        check_profile(profile)
    found = [
        one for name in PROFILES if profile in (None, name) for one in metrics_of(name).values()
    ]
    return list({(one.profile, one.name): one for one in found}.values())


def _named(name: str, profile: str | None) -> list["Metric"]:
    """The metric of that name, in each profile that has one of its own."""
    from groupwise.evaluator.errors import UnknownMetric  # noqa: PLC0415
    from groupwise.evaluator.metrics.names import parse  # noqa: PLC0415
    from groupwise.evaluator.metrics.registry import PROFILES  # noqa: PLC0415

    if profile or ":" in name:
        return [parse(name, profile or "autorag").metric]
    found = {}
    for one in PROFILES:
        try:
            metric = parse(name, one).metric
        except UnknownMetric:
            continue
        found[metric.profile] = metric
    return list(found.values()) or [parse(name).metric]


def _home(metric: "Metric") -> str:
    return f"profile {metric.profile}" if metric.profile else EVERY_PROFILE


def _listing(metrics: list["Metric"]) -> str:
    """Shared ones last, each with its range and what it says."""
    homes = dict.fromkeys(sorted(map(_home, metrics), key=lambda home: home == EVERY_PROFILE))
    parts = [_section(home, [m for m in metrics if _home(m) == home]) for home in homes]
    return "\n".join([*parts, "groupwise metrics NAME   formula, reference, examples\n"])


def _section(home: str, metrics: list["Metric"]) -> str:
    name = max(len(metric.name) for metric in metrics)
    span = max(len(metric.range) for metric in metrics)
    lines = (f"  {m.name:<{name}}  {m.range:<{span}}  {m.summary}\n" for m in metrics)
    return f"{_bold(home)}\n{''.join(lines)}"


def _bold(text: str) -> str:
    return streams.paint(text, "bold", sys.stdout)


def _page(metric: "Metric") -> str:
    facts = "".join(f"  {name:<12}{text}\n" for name, text in _facts(metric))
    return f"{_bold(metric.name)}  {_home(metric)}\n\n{metric.description}\n\n{facts}"


def _side_by_side(metrics: list["Metric"]) -> Iterator[str]:
    """What the profiles make of the running example, where a name has several meanings."""
    values = {
        metric.profile or "others": metric.examples[RUNNING_EXAMPLE]
        for metric in metrics
        if RUNNING_EXAMPLE in metric.examples
    }
    if len(values) < 2:
        return
    head = "".join(f"{profile:>12}" for profile in values)
    row = "".join(f"{_value(value):>12}" for value in values.values())
    name = f"{metrics[0].name}  on the running example"
    yield f"{_bold(name)}\n\n  {RUNNING_EXAMPLE:<18}{head}\n  {'':<18}{row}\n"


def _facts(metric: "Metric") -> Iterator[tuple[str, str]]:
    formula = readable(metric.formula)
    yield "formula", formula
    yield from (("", meaning) for meaning in notation(formula))
    yield "range", metric.range
    yield "reference", metric.reference
    yield "parameters", ", ".join(_parameters(metric)) or "none"
    yield "aliases", ", ".join(metric.aliases) or "none"
    yield "spelled", ", ".join(_spellings(metric))
    yield from zip(_examples_head(), _examples(metric), strict=False)


def _examples_head() -> Iterator[str]:
    yield "examples"
    yield from repeat("")


def _examples(metric: "Metric") -> Iterator[str]:
    width = max(map(len, metric.examples))
    for case, value in metric.examples.items():
        running = "   (the running example: groupwise demo)" if case == RUNNING_EXAMPLE else ""
        yield f"{case:<{width}}  →  {_value(value)}{running}"
    yield "(& joins groups, | alternatives; the results come after the colon)"


def _value(value: float | None) -> str:
    return "none" if value is None else f"{value:.4f}".rstrip("0").removesuffix(".")


def _parameters(metric: "Metric") -> Iterator[str]:
    for one in metric.parameters.values():
        yield f"{one.name}={one.default} ({one.kind.__name__})"


def _spellings(metric: "Metric") -> Iterator[str]:
    yield from (metric.name, f"{metric.name}@10")
    for one in metric.parameters.values():
        yield f"{metric.name}({one.name}={one.default})@10"
    if metric.profile:
        yield f"{metric.profile}:{metric.name}@10"


def _as_json(metrics: list["Metric"]) -> str:
    import json  # noqa: PLC0415

    content = {"schema": "groupwise.metrics/1", "metrics": [_fields(metric) for metric in metrics]}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _fields(metric: "Metric") -> dict[str, Any]:
    return {
        "name": metric.name,
        "profile": metric.profile,
        "summary": metric.summary,
        "description": metric.description,
        "kind": metric.kind,
        "range": metric.range,
        "formula": metric.formula,
        "reference": metric.reference,
        "aliases": list(metric.aliases),
        "parameters": {
            one.name: {"type": one.kind.__name__, "default": one.default}
            for one in metric.parameters.values()
        },
        "examples": dict(metric.examples),
    }
