"""``groupwise metrics``: the metrics there are, and what each one means."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import CommandParser
from groupwise.evaluator.cli.guard import DONE
from groupwise.evaluator.cli.output import say_json
from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.reporting.formula import format_formula, list_notation

if TYPE_CHECKING:
    from groupwise.evaluator.metrics.bands import Bands
    from groupwise.evaluator.metrics.registry import Metric

RUNNING_EXAMPLE = "a|b & c: a x b y"
DESCRIPTION = """\
List all metrics by profile; with NAME, explain one of them. A name is
[profile:]name[(parameter=value)][@k], in any case."""
EXAMPLE = """\
  $ groupwise metrics
  $ groupwise metrics ndcg
  $ groupwise metrics --format json
"""
EVERY_PROFILE = "in every profile"
TEXTS = ("name", "profile", "summary", "description", "kind", "range", "formula", "reference")


def main(arguments: Sequence[str]) -> int:
    """Show the list, or one metric."""
    words = _parser().parse_words(arguments)
    metrics = _find(words.name, words.profile) if words.name else _list_all(words.profile)
    if words.format == "json":
        say_json({"schema": "groupwise.metrics/1", "metrics": [_fields(m) for m in metrics]})
    elif words.name:
        streams.say("\n".join([*map(_format_page, metrics), *_compare_profiles(metrics)]))
    else:
        streams.say(_format_list(metrics))
    return DONE


def _parser() -> CommandParser:
    parser = CommandParser("metrics", DESCRIPTION, EXAMPLE)
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="a metric, such as ndcg or trec:map"
    )
    parser.add_choice("--profile", PROFILES, "only this profile")
    parser.add_choice("--format", ("table", "json"), "output format (default: table)")
    return parser


def _list_all(profile: str | None) -> list["Metric"]:
    """Return every metric once, those of installed plugins included."""
    from groupwise.evaluator.metrics.registry import metrics_of  # noqa: PLC0415
    from groupwise.evaluator.plugins.loading import load_installed  # noqa: PLC0415

    load_installed()
    profiles = [profile] if profile else PROFILES
    metrics = [metric for name in profiles for metric in metrics_of(name).values()]
    return list({(metric.profile, metric.name): metric for metric in metrics}.values())


def _find(name: str, profile: str | None) -> list["Metric"]:
    """Return the metric of that name, in each profile that has one of its own."""
    from groupwise.evaluator.errors import UnknownMetric  # noqa: PLC0415
    from groupwise.evaluator.metrics.names import parse  # noqa: PLC0415

    if profile or ":" in name:
        return [parse(name, profile or "autorag").metric]
    found = {}
    for home in PROFILES:
        try:
            metric = parse(name, home).metric
        except UnknownMetric:
            continue
        found[metric.profile] = metric
    return list(found.values()) or [parse(name).metric]


def _home(metric: "Metric") -> str:
    return f"profile {metric.profile}" if metric.profile else EVERY_PROFILE


def _format_list(metrics: list["Metric"]) -> str:
    """Return a section per profile, with the range and the summary of each metric."""
    homes = dict.fromkeys(sorted(map(_home, metrics), key=lambda home: home == EVERY_PROFILE))
    sections = [_format_section(home, [m for m in metrics if _home(m) == home]) for home in homes]
    return "\n".join([*sections, "groupwise metrics NAME   formula, reference, examples\n"])


def _format_section(home: str, metrics: list["Metric"]) -> str:
    name = max(len(metric.name) for metric in metrics)
    span = max(len(metric.range) for metric in metrics)
    lines = (
        f"  {m.name:<{name}}  {m.range:<{span}}  {_plain(m.summary)}".rstrip() for m in metrics
    )
    return "\n".join([streams.bold(home), *lines, ""])


def _format_page(metric: "Metric") -> str:
    facts = "".join(f"  {name:<12}{text}\n" for name, text in _facts(metric))
    parts = [f"{streams.bold(metric.name)}  {_home(metric)}", _plain(metric.description), facts]
    return "\n\n".join(filter(None, parts))


def _plain(text: str) -> str:
    """Return a docstring without the marks of reStructuredText."""
    return text.replace("``", "")


def _compare_profiles(metrics: list["Metric"]) -> Iterator[str]:
    """Return the values of the running example, where a name means different metrics."""
    values = {
        metric.profile or "others": metric.examples[RUNNING_EXAMPLE]
        for metric in metrics
        if RUNNING_EXAMPLE in metric.examples
    }
    if len(values) < 2:
        return
    head = "".join(f"{profile:>12}" for profile in values)
    row = "".join(f"{_format_value(value):>12}" for value in values.values())
    name = f"{metrics[0].name}  on the running example"
    yield f"{streams.bold(name)}\n\n  {RUNNING_EXAMPLE:<18}{head}\n  {'':<18}{row}\n"


def _facts(metric: "Metric") -> Iterator[tuple[str, str]]:
    formula = format_formula(metric.formula)
    if formula:
        yield "formula", formula
        yield from (("", meaning) for meaning in list_notation(formula))
    yield "range", metric.range
    if metric.reference:
        yield "reference", metric.reference
    yield from _list_bands(metric)
    yield "parameters", ", ".join(_format_parameters(metric)) or "none"
    yield "aliases", ", ".join(metric.aliases) or "none"
    yield "spelled", ", ".join(_spellings(metric))
    for number, line in enumerate(_format_examples(metric)):
        yield "" if number else "examples", line


def _list_bands(metric: "Metric") -> Iterator[tuple[str, str]]:
    """Yield what a source calls the scores of a metric, as advice."""
    if metric.bands is None:
        yield "bands", "none: no published source is known for this definition"
        return
    yield "bands", f"{metric.bands}; advice, not a verdict"
    yield "", str(metric.bands.source)


def _format_examples(metric: "Metric") -> Iterator[str]:
    width = max(map(len, metric.examples), default=0)
    for case, value in metric.examples.items():
        running = "   (the running example: groupwise demo)" if case == RUNNING_EXAMPLE else ""
        yield f"{case:<{width}}  →  {_format_value(value)}{running}"
    if metric.examples:
        yield "(& joins groups, | alternatives; the results come after the colon)"


def _format_value(value: float | None) -> str:
    return "none" if value is None else f"{value:.4f}".rstrip("0").removesuffix(".")


def _format_parameters(metric: "Metric") -> Iterator[str]:
    for parameter in metric.parameters.values():
        yield f"{parameter.name}={parameter.default} ({parameter.kind.__name__})"


def _spellings(metric: "Metric") -> Iterator[str]:
    yield from (metric.name, f"{metric.name}@10")
    for parameter in metric.parameters.values():
        yield f"{metric.name}({parameter.name}={parameter.default})@10"
    if metric.profile:
        yield f"{metric.profile}:{metric.name}@10"


def _fields(metric: "Metric") -> dict[str, Any]:
    return {
        **{name: getattr(metric, name) for name in TEXTS},
        "aliases": list(metric.aliases),
        "parameters": {
            parameter.name: {"type": parameter.kind.__name__, "default": parameter.default}
            for parameter in metric.parameters.values()
        },
        "examples": dict(metric.examples),
        "bands": None if metric.bands is None else _describe_bands(metric.bands),
    }


def _describe_bands(bands: "Bands") -> dict[str, Any]:
    return {
        "words": [{"from": score, "word": word} for score, word in bands.words],
        "below": bands.below or None,
        "cutoff": bands.cutoff,
        "source": bands.source._asdict(),
    }
