"""Ground truth moved to a corpus with other chunks."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from pydantic import ValidationError

from groupwise.evaluator.errors import InputError, LossyConversion, OptionError, Problem
from groupwise.evaluator.evaluation.arguments import checks_arguments
from groupwise.evaluator.evaluation.checked_records import CheckedRecords, open_checked
from groupwise.evaluator.evaluation.moved_truth import Move, QueryMoves, Split, TruthMover
from groupwise.evaluator.evaluation.partial import Progress
from groupwise.evaluator.formats.registry import find_format
from groupwise.evaluator.inspection.refusals import explain_refusals
from groupwise.evaluator.inspection.settling import settle
from groupwise.evaluator.intake.objects import as_records
from groupwise.evaluator.passages.by_span import place_of
from groupwise.evaluator.passages.chunks import name_corpus, read_chunks, scan_chunks
from groupwise.evaluator.passages.mover import ChunkMover
from groupwise.evaluator.reading.meter import METER
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.text import plural, quote, quote_id
from groupwise.schemas import Dataset, Fixture, FixtureQuery, Id, Policies, Query
from groupwise.schemas.ids import text_of
from groupwise.schemas.judging import JUDGEMENTS
from groupwise.schemas.reference import Reference, reference_of
from groupwise.schemas.remap import MovedAlternative, RemapCounts, Remapped

SPLITS = ("span", "groups")
SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json"}
NO_RESULTS = (
    "only the ground truth of the fixture is moved; its results, which are of the old corpus, "
    "expected scores and settings are left out"
)
OLD_VERDICTS = (
    f"verdicts in metadata.{JUDGEMENTS} are about chunks of the old corpus; they stay as they are"
)
NO_TRUTH = "this report was read from a file and has no ground truth; call remap again"


@checks_arguments
def remap(
    ground_truth: Any,
    *,
    old: Any,
    new: Any,
    split: Literal["span", "groups"] | None = None,
    lossy: bool = False,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    progress: Progress | None = None,
) -> Remapped:
    """Move ground truth from the chunks of one corpus to those of another.

    Every alternative becomes the new chunks that hold its text: by document, start and end where
    both corpora have them, else by text in the same document, else by text in the whole corpus. An
    alternative that carries a text or a span is moved by that, not by its chunk. Everything else of
    a query stays as it is.

    Args:
        ground_truth: What ``evaluate`` takes.
        old: The corpus that it refers to: a path, a Corpus, texts by id, records, or a data frame.
        new: The corpus with other chunks, likewise.
        split: For a text that several new chunks share: ``"span"`` keeps document, start and end,
            for ``matching={"type": "span", "together": True}``; ``"groups"`` makes a group of each
            chunk, if it is the only alternative of its group. None: it is ambiguous.
        lossy: Give the new ground truth even if alternatives are lost or ambiguous. Ambiguous ones
            become all the chunks that are listed. Lost ones are left out; if a group has no other,
            they stay in it, so that it counts as missed.
        flat: A flat list of ids: ``"any"`` makes it one group, ``"all"`` one group per id.
        ids: ``"text"`` makes all ids strings.
        progress: Called from time to time with the number of queries done.

    Returns:
        The outcome of each alternative, and the new ground truth.

    Raises:
        InputError: A file is invalid, or no alternative is in the old corpus.
        OptionError: An argument has a value that is not accepted.

    Example:
        >>> old = {"c1": "To be, or not to be,", "c2": "that is the question."}
        >>> new = {"n1": "To be, or not to be, that is the question."}
        >>> moved = remap({"q1": [["c2"]]}, old=old, new=new)
        >>> moved.counts.exact, moved.ground_truth.queries[0].ground_truth.groups[0].alternatives
        (1, (Alternative(id='n1', grade=1.0, text=None, document=None, start=None, end=None),))
    """
    if split not in (None, *SPLITS):
        message = f"split: expected 'span', 'groups' or None, got {quote(split)}"
        raise OptionError([Problem(message)])
    settled = settle(ground_truth, flat, "ground_truth", texts=True)
    with explain_refusals([settled.refused], flat):
        policies = Policies(flat=settled.flat, ids=ids)
        queries, warnings = _read_queries(settled.value, settled.options, policies)
    mover = _open_new(new, ids)
    _note_old(mover, queries, old, ids)
    truth_mover = TruthMover(mover, split)
    if meter := METER.get():
        meter.expected = len(queries)
    moves = [*_watch(map(truth_mover.plan, queries), progress)]
    return _conclude(truth_mover, moves, [*warnings, *_warn(mover, queries)], split, lossy=lossy)


def _read_queries(
    value: Any, options: Options, policies: Policies
) -> tuple[list[Query], list[str]]:
    """Return the ground truth as models, and the warnings of reading it."""
    records = _open_records(value, options, policies)
    found = [*records.models()]
    if not found:
        raise InputError([Problem("no queries", records.records.name)])
    warnings = [*records.warnings]
    if any(isinstance(query, FixtureQuery) for query in found):
        warnings.append(NO_RESULTS)
    return [_without_results(query) for query in found], warnings


def _open_records(value: Any, options: Options, policies: Policies) -> CheckedRecords:
    if isinstance(value, str | os.PathLike) or hasattr(value, "open"):
        return open_checked(value, options, policies)
    model = FixtureQuery if isinstance(value, Fixture) else Query
    records = as_records(value, "ground_truth", options)
    return CheckedRecords(records, model, policies, frozenset({"ground_truth"}))


def _without_results(query: Any) -> Query:
    if type(query) is Query:
        return query
    kept = query.model_fields_set & Query.model_fields.keys()
    return Query.model_construct(kept, **{name: getattr(query, name) for name in kept})


def _open_new(new: Any, ids: str | None) -> ChunkMover:
    """Return a mover to the new chunks, which must have texts or spans."""
    chunks = read_chunks(new, "the new corpus", ids=ids)
    if all(chunk.text is None and place_of(chunk) is None for chunk in chunks):
        message = "no chunk has a text, or document, start and end; expected one of them"
        raise InputError([Problem(message, name_corpus(new, "the new corpus"))])
    if len({type(chunk.id) for chunk in chunks}) > 1:
        message = "ids are strings and whole numbers; use one kind, or ids='text'"
        raise InputError([Problem(message, name_corpus(new, "the new corpus"))])
    return ChunkMover(chunks)


def _note_old(mover: ChunkMover, queries: list[Query], old: Any, ids: str | None) -> None:
    """Show a mover the old chunks that the queries refer to.

    Raises:
        InputError: None of them is in the old corpus, and none carries what it needs to be moved.
    """
    wanted = {text_of(each): each for query in queries for each in query.judged_ids()}
    name = name_corpus(old, "the old corpus")
    mover.note_old(scan_chunks(old, name, ids=ids), wanted, name)
    listed = [each for query in queries for each in query.ground_truth.alternatives]
    if not listed or any(mover.has_old(each.id) or _has_own(each) for each in listed):
        return
    known = sum(each.id in mover.numbers for each in listed)
    hint = f"; the new corpus has {known:,} of them: are old and new swapped?" if known else ""
    example = quote_id(listed[0].id)
    message = f"expected the chunks of the ground truth, such as {example}, got none of them{hint}"
    raise InputError([Problem(message, name)])


def _has_own(alternative: Any) -> bool:
    reference: Reference = reference_of(alternative)
    return reference.text is not None or place_of(reference) is not None


def _watch(moves: Iterable[QueryMoves], progress: Progress | None) -> Iterator[QueryMoves]:
    for number, found in enumerate(moves, 1):
        if progress is not None:
            progress(number)
        yield found


def _warn(mover: ChunkMover, queries: list[Query]) -> Iterator[str]:
    if mover.has_other_kind:
        yield "ids of the ground truth and the old corpus are of two kinds; compared as text"
    if any(query.hashes or query.corpus for query in queries):
        yield (
            "hashes and fingerprints of the old corpus are left out of queries that changed; "
            "groupwise fingerprint writes those of the new one"
        )
    if any((query.metadata or {}).get(JUDGEMENTS) for query in queries):
        yield OLD_VERDICTS


def _conclude(
    mover: TruthMover, moves: list[QueryMoves], warnings: list[str], split: Split, *, lossy: bool
) -> Remapped:
    """Return the report, with the new ground truth."""
    spans = split == "span" and any(move.is_split for move in _list_moves(moves))
    queries = [_build(mover, found, spans=spans) for found in moves]
    if spans:
        warnings += _warn_of_spans(queries)
    pairs = [*zip(moves, queries, strict=True)]
    alternatives = [each for pair in pairs for each in _describe(mover, *pair)]
    others = [each for found in moves for each in _describe_others(mover, found)]
    report = Remapped.model_construct(
        queries=len(queries), split=split, counts=_count(alternatives),
        alternatives=_sort(alternatives), not_relevant_counts=_count(others),
        not_relevant=_sort(others), warnings=tuple(warnings),
    )  # fmt: skip
    return report.hold(Dataset.model_construct(queries=tuple(queries)), lossy=lossy)


def _list_moves(moves: Iterable[QueryMoves]) -> Iterator[Move]:
    return (move for found in moves for group in found.groups for move in group)


def _build(mover: TruthMover, found: QueryMoves, *, spans: bool) -> Query:
    try:
        return mover.build(found, spans=spans)
    except ValidationError as error:
        message = error.errors(include_url=False, include_input=False)[0]["msg"]
        raise InputError([Problem(message, query=found.query.id)]) from None


def _warn_of_spans(queries: list[Query]) -> Iterator[str]:
    listed = [each for query in queries for each in query.ground_truth.alternatives]
    lacking = sum(place_of(reference_of(each)) is None for each in listed)
    if lacking:
        yield (
            f"{plural(lacking, 'alternative')} without document, start and end, "
            "which matching by span needs"
        )


def _describe(mover: TruthMover, found: QueryMoves, query: Query) -> Iterator[MovedAlternative]:
    written: set[Id] = {each.id for each in query.ground_truth.alternatives}
    for number, group in enumerate(found.groups):
        for move in group:
            yield mover.describe(query.id, number, move, written)


def _describe_others(mover: TruthMover, found: QueryMoves) -> Iterator[MovedAlternative]:
    return (mover.describe(found.query.id, None, move, set()) for move in found.not_relevant)


def _count(alternatives: Iterable[MovedAlternative]) -> RemapCounts:
    counts = Counter[str](each.outcome for each in alternatives)
    return RemapCounts.model_validate(dict(counts))


def _sort(alternatives: list[MovedAlternative]) -> tuple[MovedAlternative, ...]:
    """Return the alternatives by query; those of a query stay in their order."""
    return tuple(sorted(alternatives, key=lambda each: each.query))


def release_ground_truth(report: Remapped, found: Dataset | None, *, lossy: bool) -> Dataset:
    """Return the new ground truth of a report, if all of it was moved or need not be.

    Raises:
        LossyConversion: Something is lost or ambiguous.
        InputError: The report does not know it.
    """
    if found is None:
        raise InputError([Problem(NO_TRUTH)])
    if not (lossy or report.is_complete):
        raise LossyConversion("the new corpus", [*describe_open(report)])
    return found


def describe_open(report: Remapped) -> Iterator[str]:
    """Yield how many alternatives are ambiguous and lost, each with an example."""
    for outcome in ("ambiguous", "lost"):
        found = [each for each in report.alternatives if each.outcome == outcome]
        if found:
            first = f"query {found[0].query!r}, {quote_id(found[0].from_)}: {found[0].reason}"
            yield f"{plural(len(found), f'{outcome} alternative')}, such as {first}"


def save_ground_truth(ground_truth: Dataset, path: str | os.PathLike[str]) -> None:
    """Write ground truth to a JSON or JSON Lines file.

    Raises:
        InputError: The name of the file ends otherwise.
        OutputError: The file could not be written; what was there before is untouched.
    """
    records = ({"id": query.id, **query.model_dump(mode="json")} for query in ground_truth)
    target = find_format(choose_form(os.fspath(path)))
    assert target.write is not None  # noqa: S101  (our own formats)
    target.write(records, os.fspath(path))


def choose_form(path: str) -> str:
    """Return the format of a ground truth file by its name.

    Raises:
        InputError: The name has no suffix of JSON or JSON Lines.
    """
    plain = path.lower().removesuffix(".gz")
    for suffix, name in SUFFIXES.items():
        if plain.endswith(suffix):
            return name
    known = ", ".join(SUFFIXES)
    message = f"expected a name that ends in one of {known}; groupwise convert writes others"
    raise InputError([Problem(message, path)])
