"""TREC's files: judgements (qrels), optionally with subtopics as groups, and runs."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from operator import ge, itemgetter
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.mapping.judgements import (
    best_grades,
    judgements,
    not_relevant,
    number_text,
    scored_results,
)
from groupwise.evaluator.formats.mapping.long_form import (
    AddProblem,
    BuildRecord,
    LongRecords,
    Row,
    flat_record,
    grouped_record,
)
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.formats.trec_lines import (
    LineShape,
    read_queries,
    read_rows,
    row_per_line,
    row_per_query,
    split_content,
)
from groupwise.evaluator.reading.detection import SAMPLE_LINES, Sample
from groupwise.evaluator.reading.options import Options, Record
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.writing import write_data
from groupwise.evaluator.text import quote

WHOLE_NUMBER = re.compile(rb"[+-]?\d+")
NUMBER = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)
SPACE = re.compile(r"[\t\n\v\f\r ]")
TAG = "groupwise"

SUBTOPICS = "; or File(…, subtopics=True), if the second column is the subtopic or the judge"
CONTRADICTION = (
    "a document has different grades under different values of the second column; if that is the "
    "subtopic or the judge, say File(…, subtopics=True), which makes it the group"
)

QRELS = LineShape(("query", "iteration", "document", "relevance"), (0, 1, 2), 3, row_per_line)
RUN_COLUMNS = ("query", "Q0", "document", "rank", "score", "tag")
RUN = LineShape(RUN_COLUMNS, (0, 2), 4, row_per_query, is_open=True)


def _build_by_subtopic(query: str, rows: list[Row], add_problem: AddProblem) -> Record:
    """Return a record with a group per subtopic, by number if all are numbers, else by line."""
    record = grouped_record(query, [row[1:] for row in rows], add_problem)
    groups: dict[str, Any] = record["ground_truth"]
    names = sorted(groups, key=int) if all(map(_is_whole, groups)) else list(groups)
    return {**record, "ground_truth": [groups[name] for name in names]}


def _is_whole(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) < 19


def _build_ranking(query: str, rows: list[Row], _add_problem: AddProblem) -> Record:
    """Return results by score; tied scores keep the order of their lines."""
    results = [*chain.from_iterable(row[2] for row in rows)]
    scores = [*chain.from_iterable(row[3] for row in rows)]
    if not all(map(ge, scores, islice(scores, 1, None))):
        order = sorted(range(len(scores)), key=lambda at: float(scores[at]), reverse=True)
        results, scores = [results[at] for at in order], [scores[at] for at in order]
    return {"id": query, "results": results, "scores": scores}


class _FlatQrels(LongRecords):
    """Qrels without groups, although the second column may be meant to name some."""

    def __init__(self, source: Source) -> None:
        read = partial(read_rows, shape=QRELS)
        super().__init__(source, read, self._build_flat, read_queries)

    def _build_flat(self, query: str, rows: list[Row], add_problem: AddProblem) -> Record:
        if len(rows) == 1 and rows[0][4] > 0:
            return {"id": query, "ground_truth": {rows[0][3]: rows[0][4]}}
        judged = [(line, document, grade) for _, line, _, document, grade in rows]
        if len({*map(itemgetter(2), rows)}) == 1:
            return flat_record(query, judged, add_problem)
        self.flat_hint = SUBTOPICS
        contradicting: list[int] = []
        record = flat_record(query, judged, lambda _message, line: contradicting.append(line))
        if contradicting:
            add_problem(CONTRADICTION, contradicting[0])
        return record


def _read_qrels(source: Source, options: Options) -> Records:
    if options.subtopics:
        return _read_long(source, QRELS, _build_by_subtopic)
    return _FlatQrels(source)


def _read_diversity(source: Source, _options: Options) -> Records:
    return _read_long(source, QRELS, _build_by_subtopic)


def _read_run(source: Source, _options: Options) -> Records:
    return _read_long(source, RUN, _build_ranking)


def _read_long(source: Source, shape: LineShape, build: BuildRecord) -> Records:
    return LongRecords(source, partial(read_rows, shape=shape), build, read_queries)


def _looks_like_qrels(sample: Sample) -> bool:
    return _columns_fit(sample, QRELS, [None, None, None, WHOLE_NUMBER])


def _looks_like_run(sample: Sample) -> bool:
    return _columns_fit(sample, RUN, [None, None, None, WHOLE_NUMBER, NUMBER, None])


def _columns_fit(
    sample: Sample, shape: LineShape, patterns: list[re.Pattern[bytes] | None]
) -> bool:
    """Whether half of the first lines have these columns: broken ones are reported later."""
    lines = [] if sample.is_json else filter(None, map(split_content, sample.all_lines))
    fit = [
        shape.fits(len(parts))
        and all(p is None or p.fullmatch(part) for p, part in zip(patterns, parts, strict=False))
        for parts in islice(lines, SAMPLE_LINES)
    ]
    return any(fit) and sum(fit) * 2 >= len(fit)


def _spell_flat(record: Record) -> Iterator[str]:
    for document, grade in best_grades(record).items():
        yield f"{record['id']} 0 {document} {number_text(grade)}"


def _spell_diversity(record: Record) -> Iterator[str]:
    query = record["id"]
    for group, document, grade, *_ in judgements(record):
        if grade:
            yield f"{query} {group} {document} {number_text(grade)}"
    for document in not_relevant(record):
        yield f"{query} 0 {document} 0"


def _spell_run(record: Record) -> Iterator[str]:
    """Yield the lines of a ranking; missing scores fall with the rank, as readers ignore ranks."""
    query, results = record["id"], list(scored_results(record))
    for rank, (document, score) in enumerate(results, 1):
        given = len(results) + 1 - rank if score is None else number_text(score)
        yield f"{query} Q0 {document} {rank} {given} {TAG}"


def _write_by(spell: Callable[[Record], Iterator[str]]) -> Callable[[Iterable[Record], str], None]:
    return partial(_write_lines, spell=spell)


def _write_lines(
    records: Iterable[Record], path: str, spell: Callable[[Record], Iterator[str]]
) -> None:
    texts = ("".join(f"{line}\n" for line in spell(_refuse_unwritable(each))) for each in records)
    write_data(path, map(str.encode, texts))


def _refuse_unwritable(record: Record) -> Record:
    """Return the record, if its lines are no comments and no id of it has white space."""
    if str(record["id"]).startswith("#"):
        message = f"the query id {quote(record['id'])} begins with #, which begins TREC's comments"
        raise InputError([Problem(message, query=str(record["id"]))])
    ids = [record["id"], *(judgement.id for judgement in judgements(record))]
    ids += [*not_relevant(record), *(document for document, _ in scored_results(record))]
    for key in map(str, ids) if SPACE.search("\0".join(map(str, ids))) else ():
        if SPACE.search(key):
            message = f"the id {quote(key)} has white space, which separates TREC's columns"
            raise InputError([Problem(message, query=str(record["id"]))])
    return record


FORMATS = (
    Format(
        "trec-qrels", "TREC qrels", frozenset({"ground_truth"}),
        frozenset({"grades", "not_relevant"}),
        "`qid iter docno rel`, separated by white space; lines that begin with `#` are comments",
        "flat: requires `--flat`. With `--subtopics`, `iter` is the group",
        (".qrels", ".qrel"), _looks_like_qrels, _read_qrels, _write_by(_spell_flat),
        ids="`docno`",
    ),
    Format(
        "trec-diversity", "TREC diversity qrels", frozenset({"ground_truth"}),
        frozenset({"groups", "grades", "not_relevant"}),
        "`qid subtopic docno rel`, separated by white space; `#` begins a comment",
        "a group per subtopic; requires `--from trec-diversity` or `--subtopics`",
        read=_read_diversity, write=_write_by(_spell_diversity), ids="`docno`",
    ),
    Format(
        "trec-run", "TREC run", frozenset({"run"}), frozenset({"scores"}),
        "`qid Q0 docno rank score tag`, separated by white space; what follows the tag is "
        "ignored, lines that begin with `#` are comments",
        "by score; tied scores keep the order of their lines",
        (".run", ".trec"), _looks_like_run, _read_run, _write_by(_spell_run),
        ids="`docno`",
    ),
)  # fmt: skip
