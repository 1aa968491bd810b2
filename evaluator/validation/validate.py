"""Validation of data sets, alone or beside a run and a corpus."""

from collections.abc import Iterable
from typing import Any, Literal

from groupwise.evaluator.statistics.gates import parse_gate
from groupwise.evaluator.validation.engine.findings import MAX_FINDINGS, Findings
from groupwise.evaluator.validation.engine.validation import Validation
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.settings.selection import selection_of
from groupwise.schemas import ValidationReport

FailOn = Literal["error", "warning"]


def validate(  # noqa: PLR0913  (all by keyword)
    dataset: Any,
    *,
    corpus: Any = None,
    run: Any = None,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] = (),
    k: int | None = None,
    profile: str = "autorag",
    gates: Iterable[str] = (),
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    max_findings: int = MAX_FINDINGS,
) -> ValidationReport:
    """Find what is wrong or odd in ground truth, and in a run and a corpus beside it.

    Args:
        dataset: A path, a Dataset, groups by query id, records, or a Fixture.
        corpus: The documents: a path, texts by id, ids, or records with id and text.
        run: The results that belong to the ground truth, as ``evaluate`` takes them.
        select: Codes, beginnings of codes, or names of the rules to apply; None: all of them.
        ignore: Those not to apply.
        k: The cutoff of GT015 and of the ceilings; None: that of a fixture, else 10.
        profile: The definition of the metrics in ceilings and gates.
        gates: Requirements such as ``"recall@5 >= 0.8"``, for the ST rules.
        flat: For a flat list of ids: ``"any"`` makes it one group, ``"all"`` one group per id.
        ids: ``"text"`` compares all ids as strings.
        max_findings: How many findings of each code to keep; all are counted.

    Returns:
        The report: ``ok``, ``counts``, ``by_code``, ``findings``, ``statistics``.

    Raises:
        InputError: A file cannot be read at all.
        UnknownMetric: A gate names an unknown metric.
        ValueError: No rule goes by a name in ``select`` or ``ignore``.

    Example:
        >>> report = validate({"q1": [["a", "b"], []]})
        >>> report.ok, report.codes
        (False, ['GT004'])
        >>> print(report)
        dataset: GT004 query 'q1': an empty group, which no result can meet; remove it or fill it
    """
    request = Request(k, profile, tuple(map(parse_gate, gates)), flat, ids)
    findings = Findings(wants=selection_of(select, ignore).wants, limit=max_findings)
    validation = Validation(request, findings)
    validation.add(dataset)
    if run is not None:
        validation.add_run(run)
    if corpus is not None:
        validation.add_corpus(corpus)
    return validation.finish()


def assert_valid(dataset: Any, *, fail_on: FailOn = "warning", **options: Any) -> None:
    """Raise an AssertionError that lists the findings, if there are any; for tests.

    Args:
        dataset: As for ``validate``.
        fail_on: ``"error"`` lets warnings pass.
        options: Other keyword arguments of ``validate``.

    Example:
        >>> assert_valid({"q1": [["a", "b"], ["c"]]})
    """
    report = validate(dataset, **options)
    if report.fails(fail_on):
        raise AssertionError(f"the data are not valid:\n{report}")
