"""Validation of data sets, alone or beside a run and a corpus."""

import os
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Literal

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.evaluation.arguments import checks_arguments
from groupwise.evaluator.inspection.settling import settle
from groupwise.evaluator.reading.file import path_of
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.writing import FileState
from groupwise.evaluator.statistics.gates import Gate
from groupwise.evaluator.text import quote
from groupwise.evaluator.validation.engine.advice import add_advice
from groupwise.evaluator.validation.engine.findings import MAX_FINDINGS, Findings
from groupwise.evaluator.validation.engine.request_builder import build_request
from groupwise.evaluator.validation.engine.validation import Validation
from groupwise.evaluator.validation.settings.baseline import Baseline, Key, save_baseline
from groupwise.evaluator.validation.settings.selection import Selection, select_rules
from groupwise.schemas import ValidationReport

FailOn = Literal["error", "warning"]
Path = str | os.PathLike[str]


@checks_arguments
def validate(  # noqa: PLR0913  (all by keyword)
    dataset: Any,
    *more: Any,
    corpus: Any = None,
    run: Any = None,
    select: Iterable[str] | Selection | None = None,
    ignore: Iterable[str] = (),
    k: int | None = None,
    profile: str = "autorag",
    gates: str | Iterable[Gate | str] = (),
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    exclude: Iterable[str] = (),
    max_findings: int = MAX_FINDINGS,
    baseline: Path | Baseline | None = None,
    write_baseline: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> ValidationReport:
    """Find what is wrong or odd in ground truth, and in a run and a corpus beside it.

    Args:
        dataset: A path, a Dataset, groups by query id, records, a Fixture, or a frame. Of a folder,
            every data file in it is validated, in order of path; ``report.notes`` lists what is
            skipped. ``File`` says how a file, or each file of a folder, is read.
        more: Further data sets.
        corpus: The documents: a path, texts by id, ids, or records with id and text.
        run: The results that belong to the ground truth, as ``evaluate`` takes them.
        select: Codes, beginnings of codes, or names of the rules to apply; None: all of them.
        ignore: The rules not to apply.
        k: The cutoff of GT015 and of the ceilings; None: that of a fixture, else 10.
        profile: Whose definitions of the metrics ceilings and gates use.
        gates: Requirements such as ``"recall@5 >= 0.8"``, for the ST rules.
        flat: A flat list of ids: ``"any"`` makes it one group, ``"all"`` one group per id.
        ids: ``"text"`` compares all ids as strings.
        exclude: In folders, patterns of the names of files and folders to skip.
        max_findings: How many findings of each code to keep; all are counted.
        baseline: Known findings, as written by ``write_baseline``; only new ones count.
        write_baseline: Where to write all findings as known; then ``baseline`` is ignored.
        progress: Called from time to time with the number of records read.

    Returns:
        The report: ``ok``, ``counts``, ``by_code``, ``findings``, ``statistics``.

    Raises:
        InputError: A file cannot be read at all, or an option has an invalid value; a profile or a
            cutoff raises the subclass OptionError.
        UnknownMetric: A gate names an unknown metric.
        OptionError: A word of ``select`` or ``ignore`` names no rule; the nearest are suggested.

    Example:
        >>> report = validate({"q1": [["a", "b"], []]})
        >>> report.ok, report.codes
        (False, ['GT004'])
        >>> print(report)
        dataset: GT004 query 'q1': an empty group, which no result can meet; remove it or add an id
    """
    wants = select_rules(select, ignore).wants
    role: Role | None = None if run is None else "ground_truth"
    data, notes = _list_data([dataset, *more], role, exclude, (run, corpus))
    settled = [settle(value, flat, role) for value in data]
    flat = flat or next((each.flat for each in settled if each.flat), None)
    if run is not None:
        settled.append(settle(run, None, "run"))
    request = build_request(k, profile, gates, flat, ids)
    keys: Counter[Key] | None = None if write_baseline is None else Counter()
    before = None if write_baseline is None else FileState(write_baseline)
    known = _read_baseline(baseline) if keys is None else None
    findings = Findings(wants, known, max_findings, keys)
    validation = Validation(request, findings, progress)
    for each in settled[: len(data)]:
        validation.add(each.value, each.options)
    if run is not None:
        validation.add_run(settled[-1].value, settled[-1].options)
    if corpus is not None:
        validation.add_corpus(corpus, Options(role="corpus"))
    report = add_advice(validation.finish(notes), data, settled, flat)
    if write_baseline is not None:
        save_baseline(write_baseline, keys or {}, before)
    return report.model_copy(update={"stale": known.find_stale(wants)}) if known else report


def _list_data(
    data: list[Any], role: Role | None, exclude: Iterable[str], others: Iterable[Any]
) -> tuple[list[Any], list[str]]:
    """Return the data with folders replaced by their files, and notes about what is skipped."""
    paths = [value for value in map(path_of, data) if isinstance(value, str | os.PathLike)]
    if not any(map(os.path.isdir, paths)):
        return data, []
    from groupwise.evaluator.validation.folders import expand_folders  # noqa: PLC0415  (only for folders)

    return expand_folders(data, role, exclude, others)


def _read_baseline(baseline: Any) -> Baseline | None:
    if isinstance(baseline, str | os.PathLike):
        return Baseline.read(baseline)
    if baseline is None or isinstance(baseline, Baseline):
        return baseline
    message = f"baseline: expected a path or a Baseline of validate, got {quote(baseline)}"
    raise OptionError([Problem(message)])


def assert_valid(dataset: Any, *more: Any, fail_on: FailOn = "warning", **options: Any) -> None:
    """Raise an AssertionError that lists the findings, if there are any; for tests.

    Args:
        dataset: As for ``validate``.
        more: Further data sets.
        fail_on: ``"error"`` lets warnings pass.
        options: Other keyword arguments of ``validate``.

    Example:
        >>> assert_valid({"q1": [["a", "b"], ["c"]]})
    """
    report = validate(dataset, *more, **options)
    if report.fails(fail_on):
        raise AssertionError(f"the data are not valid:\n{report}")
