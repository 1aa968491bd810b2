"""Gates and baselines on the command line: options, settings of the project, verdicts."""

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import CommandParser, read_gate
from groupwise.evaluator.cli.guard import DONE, FELL_SHORT, INVALID_INPUT
from groupwise.evaluator.cli.output import check_target, list_inputs
from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.text import plural

if TYPE_CHECKING:
    from groupwise.evaluator.evaluation.gate_sets import GateSet
    from groupwise.evaluator.statistics.gates import Gate
    from groupwise.schemas import Baseline, GateVerdict, Report

NO_BASELINE = "gate {gate}: there is no baseline; name one with --baseline FILE"
STYLES = {"passed": "met", "failed": "failed", "unreachable": "warning"}


def add_gate_options(parser: CommandParser) -> None:
    """Add the options of gates and baselines."""
    add = parser.add_argument
    add("--gate", action="append", type=read_gate, default=[], metavar="EXPR",
        help="exit 1 unless this holds, such as 'recall@5>=0.8', 'lower(mrr) >= 0.8', "
             "'ndcg@10 >= baseline - 0.01' or 'type=bridge: complete@10 >= 0.7'; "
             "may be repeated")  # fmt: skip
    add("--gates", metavar="FILE",
        help="gates of a JSON file, or the preset rag")  # fmt: skip
    add("--baseline", metavar="FILE",
        help="scores to compare with, of the same data; gates call them baseline")  # fmt: skip
    add("--allow-other-data", action="store_true",
        help="compare with a baseline of other data, too")  # fmt: skip
    add("--save-baseline", metavar="FILE",
        help="write scores, those of each query and fingerprints, unless a gate fails")  # fmt: skip
    add_config_option(parser, "evaluate")


def add_config_option(parser: CommandParser, command: str) -> None:
    """Add the option that leaves out the settings of the project."""
    parser.add_argument(
        "--no-config", action="store_true",
        help=f"ignore [tool.groupwise.{command}] of pyproject.toml",
    )  # fmt: skip


def check_gate_options(words: Namespace) -> None:
    """Raise a usage error for what is wrong before any file is read."""
    if words.save_baseline:
        if not words.per_query:
            raise UsageError("--save-baseline needs the scores of each query; it goes without "
                             "--no-per-query")  # fmt: skip
        inputs = [name for name in list_inputs(words) if name != words.baseline]
        output = [words.output] if words.output else []
        check_target("--save-baseline", words.save_baseline, [*inputs, *output])


def choose_gating(words: Namespace) -> dict[str, Any]:
    """Return metrics, profile, gates and baseline of a call.

    The command line overrides the file that it names, and both override the project.
    """
    from groupwise.evaluator.evaluation.gate_sets import GateSet, collect_gates  # noqa: PLC0415
    from groupwise.evaluator.evaluation.project import (  # noqa: PLC0415
        EvaluateSettings,
        read_evaluate_settings,
    )

    project = EvaluateSettings() if words.no_config else read_evaluate_settings()
    named = collect_gates(words.gates, words.profile) if words.gates else GateSet()
    profile = words.profile or named.profile or project.profile
    gates = collect_gates(words.gate).join(named)
    if not gates.gates:
        gates = gates.join(collect_gates(project.gates, profile))
    baseline = words.baseline or project.baseline
    _require_baseline(gates, baseline)
    metrics = words.metrics or named.metrics or project.metrics
    return {
        "metrics": metrics, "profile": profile, "gates": gates, "baseline": _open(baseline),
        "allow_other_data": words.allow_other_data, "save_baseline": words.save_baseline,
    }  # fmt: skip


def _open(baseline: str | None) -> "Baseline | None":
    """Return a baseline, read once: it may be a pipe, or replaced by the scores of this call."""
    if baseline is None:
        return None
    from groupwise.evaluator.evaluation.baseline import read_baseline  # noqa: PLC0415

    return read_baseline(baseline)


def _require_baseline(gates: "GateSet", baseline: str | None) -> None:
    for gate in gates.gates:
        if gate.relation is not None and baseline is None:
            raise UsageError(NO_BASELINE.format(gate=gate))


def tell_gates(report: "Report", words: Namespace) -> int:
    """Tell which gates are passed, and return the exit code.

    A score that does not exist outweighs a gate that fails. Gates of presets, files and projects
    that are passed are in the table of gates only.
    """
    for verdict in report.gates:
        _tell_verdict(verdict, words.gate, quiet=words.quiet)
    if words.save_baseline:
        _tell_saved(report, words)
    if not report.counts.scored:
        streams.note("no query could be scored", "error")
        return INVALID_INPUT
    if any(verdict.outcome == "undecided" for verdict in report.gates):
        return INVALID_INPUT
    return DONE if report.passed else FELL_SHORT


def _tell_verdict(verdict: "GateVerdict", given: "list[Gate]", *, quiet: bool) -> None:
    if verdict.outcome == "undecided":
        streams.note(f"gate {verdict}", "error")
    elif verdict.fails or (not quiet and _is_worth_a_line(verdict, given)):
        streams.note(f"gate {verdict}", style=STYLES[verdict.outcome])


def _is_worth_a_line(verdict: "GateVerdict", given: "list[Gate]") -> bool:
    return not verdict.passed or verdict.gate in map(str, given)


def _tell_saved(report: "Report", words: Namespace) -> None:
    if not report.passed:
        streams.note(f"{words.save_baseline} is not written, because a gate failed", "note")
    elif not words.quiet:
        queries = plural(len(report.per_query), "query", "queries")
        streams.note(f"{words.save_baseline}: the scores of {queries}")


def tell_differences(report: "Report", baseline: "Baseline | None") -> None:
    """Tell how the scores differ from those of a baseline."""
    if baseline is None:
        return
    for name, score in report.scores.items():
        then = baseline.scores.get(name) if name in baseline.scores else None
        if score is not None and then is not None:
            change = f"{score:.4f}, in the baseline {then:.4f} ({score - then:+.4f})"
            streams.note(f"{name} is {change}", style="dim")
