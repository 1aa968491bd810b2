"""From the words of ``groupwise validate`` to a report; all that is heavy is imported here."""

import re
from argparse import Namespace
from collections import Counter
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.data import options_of
from groupwise.evaluator.cli.guard import DONE, FELL_SHORT
from groupwise.evaluator.metrics.names import check_profile, parse
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reporting.findings import SHOWN_PER_CODE
from groupwise.evaluator.statistics.gates import parse_gate
from groupwise.evaluator.validation.engine.findings import MAX_FINDINGS, Findings
from groupwise.evaluator.validation.engine.validation import Validation
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.settings.baseline import Baseline, BaselineWriter
from groupwise.evaluator.validation.settings.pyproject import Settings, read_settings
from groupwise.schemas import Policies, ValidationReport

if TYPE_CHECKING:
    from groupwise.evaluator.validation.engine.fixing import Fixed

_OPTION = re.compile(rf"\b({'|'.join(Policies.model_fields)})='(\w+)'")


class Linting:
    """What the call says, over what the project has set."""

    def __init__(self, words: Namespace) -> None:
        self.words = words
        self.settings: Settings = read_settings()
        self.selection = self.settings.selection(
            None if words.select is None else _joined(words.select), _joined(words.ignore)
        )
        self.request = self._request()
        self.baseline = self._baseline()
        self.writer = BaselineWriter() if words.write_baseline else None

    def _request(self) -> Request:
        words, settings = self.words, self.settings
        profile = words.profile or settings.profile or "autorag"
        check_profile(profile)
        gates = words.gate or [parse_gate(text) for text in settings.gates]
        for one in gates:
            parse(one.metric, profile)
        return Request(
            words.k or settings.k, profile, tuple(gates),
            words.flat or settings.flat, words.ids or settings.ids,
        )  # fmt: skip

    def _baseline(self) -> Baseline | None:
        path = self.words.baseline or self.settings.baseline
        return Baseline.read(path) if path and not self.words.write_baseline else None

    @property
    def shown(self) -> int:
        """How many findings of a code are shown to people."""
        return int(self.words.max_findings or self.settings.max_findings or SHOWN_PER_CODE)

    def report(self) -> ValidationReport:
        """Validate all files."""
        kept = self.words.max_findings or self.settings.max_findings or MAX_FINDINGS
        heard = self.writer.add if self.writer else None
        findings = Findings(self.selection.wants, self.baseline, kept, heard)
        validation = Validation(self.request, findings)
        *of_files, of_run = self._options()
        for name, options in zip(self.words.files, of_files, strict=True):
            validation.add(name, options)
        if self.words.run:
            validation.add_run(self.words.run, of_run)
        if corpus := self.words.corpus or self.settings.corpus:
            validation.add_corpus(corpus)
        report = _in_words_of_the_shell(validation.finish())
        for note in validation.notes:
            streams.note(note, "note", "dim")
        return self._with_baseline(report)

    def _options(self) -> list[Options]:
        """How to read each of the files, and the run."""
        files = len(self.words.files)
        roles: list[Role | None] = ["ground_truth"] * files if self.words.run else [None] * files
        of_run: list[Role | None] = ["run"] if self.words.run else []
        found = options_of(self.words, [*roles, *of_run], "validate")
        return found if of_run else [*found, Options()]

    def _with_baseline(self, report: ValidationReport) -> ValidationReport:
        if self.writer:
            self.writer.write(self.words.write_baseline)
            streams.note(f"{self.words.write_baseline}: {sum(report.by_code.values()):,} findings")
        if not self.baseline:
            return report
        return report.model_copy(update={"stale": self.baseline.stale(self.selection.wants)})

    def fails(self, report: ValidationReport) -> bool:
        """Whether the exit code tells of findings; those just written as known do not count."""
        on = self.words.fail_on or self.settings.fail_on or "warning"
        return report.fails(on) and not self.writer

    def fix(self) -> None:
        """Fix the files in place, and say how much was done."""
        from groupwise.evaluator.reading.text_file import write_text  # noqa: PLC0415

        done: Counter[str] = Counter()
        for name in self.words.files:
            found = self._fixed(name)
            if found.new != found.old:
                write_text(name, found.new)
            done += found.by_code
        if done:
            told = ", ".join(f"{count} {code}" for code, count in sorted(done.items()))
            streams.note(f"fixed {done.total()} findings: {told}", style="met")

    def show_fixes(self) -> int:
        """Show what fixes would change; exit 1 if there is anything."""
        from groupwise.evaluator.cli.diff import show_diff  # noqa: PLC0415

        changed = False
        for name in self.words.files:
            found = self._fixed(name)
            if found.new != found.old:
                changed = True
                show_diff(found.old, found.new, name)
        if not changed:
            streams.note("nothing to fix", style="dim")
        return FELL_SHORT if changed else DONE

    def _fixed(self, name: str) -> "Fixed":
        from groupwise.evaluator.validation.engine.fixing import fix_text  # noqa: PLC0415

        wants = self.selection.wants
        return fix_text(name, self.request, wants, unsafe=self.words.unsafe_fixes)


def _joined(lists: list[list[str]]) -> list[str]:
    return [one for part in lists for one in part]


def _in_words_of_the_shell(report: ValidationReport) -> ValidationReport:
    """The same findings, with options as they are typed."""
    told = [
        one.model_copy(update={"message": _OPTION.sub(_flag, one.message)})
        for one in report.findings
    ]
    return report.model_copy(update={"findings": tuple(told)})


def _flag(match: re.Match[str]) -> str:
    return f"--{match[1].replace('_', '-')} {match[2]}"
