"""Baselines: the scores of a run in a file that is committed, and compared with later runs.

The same data and the same run give the same bytes, whatever the order of records and the names of
files: queries are sorted, one per line, and inputs are identified by their fingerprints.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation.provenance import name_input
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.reading.json import read_json_file
from groupwise.evaluator.reading.source import Source, is_read_once
from groupwise.evaluator.reading.writing import dump_line, write_whole
from groupwise.evaluator.statistics.means import ExactMeans
from groupwise.evaluator.text import json_pointer, plural, quote, suggest
from groupwise.schemas import PerQuery, Provenance, Report, Scores
from groupwise.schemas.baseline import BASELINE_SCHEMA, Baseline, BaselineFile

WRITTEN_BY = "a baseline of scores, as 'groupwise evaluate --save-baseline' writes it"
NO_FINGERPRINTS = (
    "a baseline needs the fingerprints of the data: evaluate(…, provenance=True), or save_baseline="
)
NO_QUERIES = "a baseline needs the scores of each query; it goes without per_query=False"
KINDS = {
    "groupwise.baseline/1": "a baseline of findings, for 'groupwise validate --baseline'",
    "groupwise.report/1": "a report; 'groupwise evaluate --save-baseline' writes a baseline",
    "groupwise.comparison/1": "a comparison of runs",
    "groupwise.findings/1": "findings of 'groupwise validate'",
}
"""Other files with a schema, for messages."""
DECISIVE = ("missing", "empty_results", "unanswerable", "characters_per_token")
"""The policies that scores depend on, beside those of reading, which fingerprints cover."""
MOST_PROBLEMS = 20


def save_baseline(report: Report, path: str | os.PathLike[str]) -> None:
    """Write the scores of a report as a baseline, whole or not at all.

    Args:
        report: A report with fingerprints and the scores of each query.
        path: The file to write; one that exists is replaced.

    Raises:
        InputError: The report has no fingerprints, or no scores of queries.
        OutputError: The file could not be written; what was there before is untouched.
    """
    write_whole(path, render_baseline(report).encode())


def render_baseline(report: Report) -> str:
    """Return the content of the file of a baseline, a line per query.

    Raises:
        InputError: The report has no fingerprints, or no scores of queries.
    """
    provenance = _check_complete(report)
    body = {"profile": report.profile, "counts": dict(report.counts)}
    lines = [
        f'"schema": "{BASELINE_SCHEMA}"',
        *(f"{dump_line(name)}: {dump_line(value)}" for name, value in body.items()),
        f'"scores": {_dump_members(report.scores)}',
        f'"provenance": {_dump_members(_describe(provenance))}',
        f'"per_query": {_dump_members(report.per_query)}',
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _dump_members(members: Mapping[str, Any]) -> str:
    """Return an object with a member per line."""
    lines = [f"  {dump_line(name)}: {dump_line(value)}" for name, value in members.items()]
    return "{\n" + ",\n".join(lines) + "\n}" if lines else "{}"


def _describe(provenance: Provenance) -> dict[str, Any]:
    """Return the provenance without names: the same data has the same baseline anywhere."""
    fields = provenance.model_dump()
    return fields | {"inputs": [{**given, "name": None} for given in fields["inputs"]]}


def _check_complete(report: Report) -> Provenance:
    provenance = report.provenance
    if provenance is None or provenance.fingerprint("ground_truth") is None:
        raise InputError([Problem(NO_FINGERPRINTS)])
    if not len(report.per_query):
        raise InputError([Problem(NO_QUERIES)])
    return provenance


def read_baseline(path: str | os.PathLike[str]) -> Baseline:
    """Return the baseline in a file.

    Args:
        path: A file that ``report.save_baseline`` or ``evaluate --save-baseline`` has written.

    Raises:
        InputError: The file cannot be read, is of another kind, or contradicts itself.
    """
    return read_held_baseline(Source(path))


def read_held_baseline(source: Source) -> Baseline:
    """Return the baseline that came out of a pipe.

    Raises:
        InputError: It is of another kind, or contradicts itself.
    """
    content = read_json_file(source, "the baseline", f"; expected {WRITTEN_BY}")
    return _build(content, source.name)


def _build(content: object, source: str) -> Baseline:
    file = _check_file(content, source)
    per_query = PerQuery([*file.per_query], _list_columns(file, source))
    _check_means(file, per_query, source)
    return Baseline.model_construct(
        name=name_input(source),
        profile=file.profile,
        counts=file.counts,
        scores=Scores(file.scores),
        provenance=file.provenance,
        per_query=per_query,
    )


def open_baseline(given: str | os.PathLike[str] | Baseline) -> Baseline:
    """Return a baseline, read from its file if this is a path.

    Raises:
        InputError: The file is not a baseline, or the value is neither.
    """
    if isinstance(given, Baseline):
        return given
    if isinstance(given, str | os.PathLike):
        return read_baseline(given)
    raise InputError([Problem(f"baseline: expected a path or a Baseline, got {quote(given)}")])


def is_baseline(given: str | os.PathLike[str] | Source) -> bool:
    """Whether a file claims to be a baseline of scores, from the beginning of its content.

    A pipe is looked at only in a source, which holds a copy of it: whoever reads it next would miss
    its beginning.
    """
    if not isinstance(given, Source) and is_read_once(given):
        return False
    try:
        with given.open() if isinstance(given, Source) else Path(given).open("rb") as file:
            return BASELINE_SCHEMA.encode() in file.read(200)
    except (OSError, ValueError):
        return False


def _check_file(value: object, source: str) -> BaselineFile:
    if (schema := _schema_of(value)) != BASELINE_SCHEMA:
        found = KINDS.get(
            schema, f"a file of the schema {quote(schema)}" if schema else "other JSON"
        )
        raise InputError([Problem(f"this is {found}; expected {WRITTEN_BY}", source)])
    try:
        return BaselineFile.model_validate(value)
    except ValidationError as error:
        problems = [
            Problem(f"{detail['msg']}; expected {WRITTEN_BY}", source,
                    pointer=json_pointer(detail["loc"]))
            for detail in error.errors(include_url=False)
        ]  # fmt: skip
        raise InputError(problems[:MOST_PROBLEMS], len(problems)) from error


def _schema_of(value: object) -> str:
    schema = value.get("schema") if isinstance(value, Mapping) else None
    return schema if isinstance(schema, str) else ""


def _list_columns(file: BaselineFile, source: str) -> dict[str, list[float]]:
    """Return the values of each metric; every query must have the same metrics."""
    names = next(iter(map(list, file.per_query.values())), [])
    for query, values in file.per_query.items():
        if values.keys() != set(names):
            message = f"the query {quote(query)} has other metrics than the first one"
            raise InputError([Problem(message, source)])
    rows = file.per_query.values()
    return {name: [np.nan if (v := row[name]) is None else v for row in rows] for name in names}


def _check_means(file: BaselineFile, per_query: PerQuery, source: str) -> None:
    """Raise if a score is not the mean of the values of the queries: the file was edited."""
    for name, score in file.scores.items():
        try:
            values = [value for _, value in per_query.column(name) if value is not None]
        except KeyError:
            raise InputError([Problem(f"no query has a value of {name}", source)]) from None
        if (mean := _average(values)) != score:
            message = f"{name} is {score!r}, but the mean over its queries is {mean!r}"
            raise InputError([Problem(f"{message}; save the baseline again", source)])


def list_differences(baseline: Baseline, report: Report) -> list[str]:
    """Return why the scores of a report cannot be compared with a baseline, in words."""
    here = report.provenance
    assert here is not None  # noqa: S101  (of every evaluation)
    found = [*_compare_prints(baseline.provenance, here)]
    if baseline.profile != report.profile:
        found.append(f"the profile is {report.profile}, that of the baseline {baseline.profile}")
    there = baseline.provenance
    for name in DECISIVE:
        now, then = getattr(here.policies, name), getattr(there.policies, name)
        if now != then:
            found.append(f"{name} is {now!r}, in the baseline {then!r}")
    if (here.policies.ties == "input") != (there.policies.ties == "input"):
        found.append(f"ties is {here.policies.ties!r}, in the baseline {there.policies.ties!r}")
    if here.matching != there.matching:
        found.append(f"the matching is {here.matching}, in the baseline {there.matching}")
    return found


def _compare_prints(there: Provenance, here: Provenance) -> Iterator[str]:
    counts = [_count(given.fingerprint("ground_truth")) for given in (here, there)]
    more = f": {counts[0]}, and there {counts[1]}" if counts[0] != counts[1] else ""
    differ = there.fingerprint("ground_truth") != here.fingerprint("ground_truth")
    if more or (differ and _have_same_matcher(there, here)):
        yield f"the ground truth is not that of the baseline{more}"
    known = [_list_corpora(given) for given in (here, there)]
    if all(known) and known[0] != known[1]:
        yield "the ground truth was judged on another corpus than that of the baseline"


def _have_same_matcher(there: Provenance, here: Provenance) -> bool:
    """Whether fingerprints are of the same content: other matchers look at texts or spans too."""
    return there.matching.get("type") == here.matching.get("type")


def _count(fingerprint: str | None) -> str:
    digits = (fingerprint or "").split(":")[1:2]
    return plural(int(digits[0]), "query", "queries") if digits and digits[0].isdigit() else "other"


def _list_corpora(provenance: Provenance) -> set[str | None]:
    named = {given.fingerprint for given in provenance.inputs if given.role == "corpus"}
    return named - {None}


def find_score(baseline: Baseline, label: str) -> tuple[float | None, str]:
    """Return the score of a metric, or None and the reason why there is none."""
    if label not in baseline.scores:
        return None, f"the baseline has no {label}; {suggest(label, baseline.scores)}"
    score = baseline.scores[label]
    return score, "" if score is not None else f"the baseline has no value of {label}"


def find_slice_score(
    baseline: Baseline, label: str, queries: Sequence[str]
) -> tuple[float | None, str]:
    """Return the mean of a metric over some queries, or None and the reason why there is none."""
    if label not in baseline.scores:
        return find_score(baseline, label)
    asked = set(queries)
    values = [value for query, value in baseline.per_query.column(label) if query in asked]
    mean = _average([value for value in values if value is not None])
    return mean, "" if mean is not None else f"the baseline has no value of {label} for the slice"


def _average(values: Sequence[float]) -> float | None:
    means = ExactMeans(1)
    means.add(np.array([values], dtype=np.float64))
    return means.means()[0]
