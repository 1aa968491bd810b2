"""``groupwise validate``: a linter for ground truth."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import CommandParser, argument, parse_count, read_gate
from groupwise.evaluator.cli.data import (
    GROUND_TRUTH,
    RUN,
    STDIN,
    add_data_options,
    build_files,
    build_plain,
    check_files,
    choose_map,
    spell_flags,
    without_threads,
)
from groupwise.evaluator.cli.gating import add_config_option
from groupwise.evaluator.cli.guard import DONE, FELL_SHORT
from groupwise.evaluator.cli.output import (
    add_output_options,
    check_output,
    check_target,
    deliver,
    list_inputs,
)
from groupwise.evaluator.cli.progress import progress
from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.reporting.findings import FINDINGS_FORMS, SHOWN_PER_CODE
from groupwise.evaluator.text import plural

if TYPE_CHECKING:
    from groupwise.evaluator.reading.file import File
    from groupwise.evaluator.reading.options import Role
    from groupwise.evaluator.validation.settings.pyproject import Settings
    from groupwise.schemas import ValidationReport

DESCRIPTION = """\
Find errors and oddities in ground truth: groups that no result can meet,
ambiguous lists, ids that are missing from the corpus. groupwise rule CODE
explains a finding. In a folder, all data files are checked in order of path;
files that are something else are listed as skipped, and hidden ones counted."""
EXAMPLE = """\
  $ groupwise demo --fixture > first.json
  $ groupwise validate first.json
  $ groupwise validate first.json -k 3 --statistics
  $ groupwise validate first.json --diff
  $ groupwise validate first.json --format sarif -o findings.sarif
"""


def main(arguments: Sequence[str]) -> int:
    """Apply fixes, validate, print the findings, and return the exit code."""
    words = _parser().parse_words(arguments)
    _check(words)
    without_threads()
    from groupwise.evaluator.validation.settings.pyproject import (  # noqa: PLC0415
        Settings,
        read_settings,
    )

    settings = Settings() if words.no_config else read_settings()
    if words.diff:
        return _show_fixes(words, settings)
    if words.fix or words.unsafe_fixes:
        _fix(words, settings)
    report = _validate(words, settings)
    shown = words.max_findings or settings.max_findings or SHOWN_PER_CODE
    deliver(report, words, FINDINGS_FORMS, limit=shown, statistics=words.statistics,
            quiet=words.quiet)  # fmt: skip
    if not words.quiet:
        _tell_hints(report, words, arguments)
    fail_on = words.fail_on or settings.fail_on or "warning"
    return FELL_SHORT if report.fails(fail_on) and not words.write_baseline else DONE


def _parser() -> CommandParser:
    parser = CommandParser("validate", DESCRIPTION, EXAMPLE)
    _add_inputs(parser)
    _add_rule_options(parser)
    _add_fix_options(parser)
    _add_finding_options(parser)
    add_config_option(parser, "validate")
    parser.add_choice("--flat", ("any", "all"), "a flat list: one group, or one group per id")
    parser.add_choice("--ids", ("text",), "compare all ids as strings, including whole numbers")
    add_data_options(parser)
    return parser


def _add_inputs(parser: CommandParser) -> None:
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE",
        help="data sets, fixtures, runs, or folders of such; - is stdin")  # fmt: skip
    add("--corpus", metavar="FILE",
        help="the documents: JSON, JSON Lines, parquet, TSV, or a list of ids")  # fmt: skip
    add("--run", metavar="FILE", help="the results that belong to the ground truth")
    add("-k", type=parse_count, metavar="K",
        help="the number of results that count (default: 10)")  # fmt: skip
    parser.add_choice("--profile", PROFILES,
                      "whose definitions ceilings and gates use (default: autorag)")  # fmt: skip
    add("--gate", dest="gates", action="append", type=read_gate, metavar="EXPR",
        help="check that the data can decide this, such as 'recall@5>=0.8'")  # fmt: skip


def _add_rule_options(parser: CommandParser) -> None:
    add = parser.add_argument
    add("--select", action="extend", type=_parse_rules, metavar="CODES",
        help="only these rules: codes, prefixes or names, such as GT,CP001")  # fmt: skip
    add("--ignore", action="extend", type=_parse_rules, default=[], metavar="CODES",
        help="ignore these rules")  # fmt: skip
    parser.add_choice(
        "--fail-on", ("error", "warning"),
        "exit 1 for findings of at least this severity (default: warning)",
    )  # fmt: skip


def _add_fix_options(parser: CommandParser) -> None:
    add = parser.add_argument
    add("--fix", action="store_true", help="apply the safe fixes to the files")
    add("--unsafe-fixes", action="store_true",
        help="apply all fixes, including those that may change scores")  # fmt: skip
    add("--diff", action="store_true", help="only show what the fixes would change")
    add("--exclude", action="append", default=[], metavar="PATTERN",
        help="in folders, skip files and folders of this name, such as 'vendor*'; "
             "may be repeated")  # fmt: skip


def _add_finding_options(parser: CommandParser) -> None:
    add = parser.add_argument
    add("--baseline", metavar="FILE", help="known findings; only new ones count")
    add("--write-baseline", metavar="FILE", help="record all findings as known, and exit 0")
    add_output_options(parser, FINDINGS_FORMS)
    parser.add_quiet("all but the findings: no counts, notes, or statistics of the data")
    add("--statistics", action="store_true", help="show how many findings each rule has")
    add("--max-findings", type=parse_count, metavar="N",
        help="show at most N findings of each code (default: 20; other formats: 1000)")  # fmt: skip


@argument
def _parse_rules(text: str) -> list[str]:
    """Return the words between commas; each must stand for a rule."""
    from groupwise.evaluator.validation.settings.selection import select_rules  # noqa: PLC0415

    words = [part.strip() for part in text.split(",") if part.strip()]
    if not words:
        raise ValueError(f"expected codes, prefixes or names, such as GT,CP001, got {text!r}")
    select_rules(words)
    return words


def _check(words: Namespace) -> None:
    """Raise a usage error for what is wrong before any file is read."""
    check_files(words, _list_roles(words), words.run, words.corpus)
    if (words.fix or words.unsafe_fixes or words.diff) and STDIN in words.files:
        raise UsageError("--fix, --unsafe-fixes and --diff need files, not stdin")
    if words.diff and (words.output or words.format or words.write_baseline):
        raise UsageError("--diff prints to stdout; it goes without -o, --format, --write-baseline")
    if words.write_baseline:
        _check_baseline(words)
    check_output(words, FINDINGS_FORMS, {"statistics": "--statistics"} if words.statistics else {})


def _list_roles(words: Namespace) -> "list[Role | None]":
    """Return what the files hold, and the run at the end."""
    return [*[GROUND_TRUTH] * len(words.files), RUN] if words.run else [None] * len(words.files)


def _check_baseline(words: Namespace) -> None:
    """Raise a usage error for a baseline that cannot be written; an old one may be replaced."""
    inputs = [name for name in list_inputs(words) if name != words.baseline]
    check_target("--write-baseline", words.write_baseline, [*inputs, words.output or STDIN])


def _choose_options(words: Namespace, settings: "Settings") -> dict[str, Any]:
    """Return the options of fixing and validating; the command line overrides the project."""
    return {
        "select": settings.select_rules(words.select, words.ignore),
        "flat": words.flat or settings.flat,
        "ids": words.ids or settings.ids,
    }


def _validate(words: Namespace, settings: "Settings") -> "ValidationReport":
    from groupwise.evaluator.validation.engine.advice import is_choice, is_hint  # noqa: PLC0415
    from groupwise.evaluator.validation.engine.findings import MAX_FINDINGS  # noqa: PLC0415
    from groupwise.evaluator.validation.validate import validate  # noqa: PLC0415

    roles = _list_roles(words)
    data = build_files(words, [*words.files, *filter(None, [words.run])], roles)
    run = data.pop() if words.run else None
    with progress("records", quiet=words.quiet) as tell:
        report = validate(
            *data, corpus=build_plain(words, words.corpus or settings.corpus), run=run,
            k=words.k or settings.k, profile=words.profile or settings.profile or "autorag",
            gates=words.gates or settings.gates,
            max_findings=words.max_findings or settings.max_findings or MAX_FINDINGS,
            baseline=words.baseline or settings.baseline, write_baseline=words.write_baseline,
            exclude=words.exclude, progress=tell,
            **_choose_options(words, settings),
        )  # fmt: skip
    for note in report.notes:
        if not is_hint(note) and (not words.quiet or is_choice(note)):
            streams.note(note.replace("\n", "\\n"), "note", "dim")
    if words.write_baseline and not words.quiet:
        found = plural(sum(report.by_code.values()), "finding")
        streams.note(f"{words.write_baseline}: {found}")
    findings = [
        finding.model_copy(update={"message": spell_flags(finding.message)})
        for finding in report.findings
    ]
    return report.model_copy(update={"findings": tuple(findings)})


def _tell_hints(report: "ValidationReport", words: Namespace, arguments: Sequence[str]) -> None:
    """Show the commands that would read the files whose fields are not known."""
    from groupwise.evaluator.validation.engine.advice import is_hint, list_refused  # noqa: PLC0415

    if not any(map(is_hint, report.notes)):
        return
    from groupwise.evaluator.cli.hints import tell_hints  # noqa: PLC0415
    from groupwise.evaluator.inspection.refusals import Refused, find_hints  # noqa: PLC0415

    role: Any = "ground_truth" if words.run else None
    for name in words.files:
        if name in list_refused(report):
            hints = find_hints(Refused(name, role, choose_map(words, role)), words.flat)
            tell_hints(hints, "validate", arguments)


def _list_files(words: Namespace) -> "list[File]":
    """Return the files, with folders replaced by the data files in them."""
    from groupwise.evaluator.validation.folders import expand_folders  # noqa: PLC0415

    others = (words.run, words.corpus)
    given = [build_plain(words, path) for path in words.files]
    return expand_folders(given, None, words.exclude, others).data


def _fix(words: Namespace, settings: "Settings") -> None:
    """Fix the files in place, and report how many findings were fixed."""
    from collections import Counter  # noqa: PLC0415

    from groupwise.evaluator.validation.fix import fix_in_place  # noqa: PLC0415

    done: Counter[str] = Counter()
    for file in _list_files(words):
        with progress("records", quiet=words.quiet) as tell:
            fixed = fix_in_place(file, progress=tell, **_choose_fixes(words, settings))
        done += fixed.by_code
        _tell_unfixed(fixed.notes, fixed.unfixed)
    if done and not words.quiet:
        counts = ", ".join(f"{count} {code}" for code, count in sorted(done.items()))
        streams.note(f"fixed {plural(done.total(), 'finding')}: {counts}", style="met")


def _choose_fixes(words: Namespace, settings: "Settings") -> dict[str, Any]:
    return {"unsafe": words.unsafe_fixes, **_choose_options(words, settings)}


def _tell_unfixed(notes: Sequence[str], count: int) -> None:
    """Say what could not be fixed, and why."""
    streams.note_first(iter(notes), count, "record", "warning")


def _show_fixes(words: Namespace, settings: "Settings") -> int:
    """Show what fixes would change; exit 1 if there is anything."""
    from groupwise.evaluator.cli.diff import show_diff  # noqa: PLC0415
    from groupwise.evaluator.validation.fix import fix  # noqa: PLC0415

    options = _choose_fixes(words, settings)
    fixes = {file.path: fix(file, write=False, **options) for file in _list_files(words)}
    for name, fixed in fixes.items():
        if fixed.has_changed:
            show_diff(fixed.old, fixed.new, name)
        _tell_unfixed(fixed.notes, len(fixed.notes))
    if not any(fixed.has_changed or fixed.notes for fixed in fixes.values()):
        streams.note("nothing to fix", style="dim")
    is_done = all(fixed.is_readable and not fixed.has_changed for fixed in fixes.values())
    return DONE if is_done else FELL_SHORT
