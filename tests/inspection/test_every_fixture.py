"""An inspection of everything in fixtures/: it names the format, or proposes how to read it."""

from pathlib import Path

import pytest

from groupwise import InputError, Inspection, inspect
from groupwise.evaluator.cli import run
from tests.paths import FIXTURES

PATHS = sorted(
    path
    for path in FIXTURES.rglob("*")
    if "__pycache__" not in path.parts and (path.is_dir() or path.is_file())
)
NO_DATA = {".md", ".py", ""}
"""Prose, code, licences and checksums."""
UNREADABLE = {
    "conformance/spans/corpora", "conformance/spans/corpora/chatlogs.md.gz",
    "conformance/spans/corpora/finance.md.gz", "conformance/spans/corpora/pubmed.md.gz",
    "conformance/spans/corpora/state_of_the_union.md.gz",
    "conformance/spans/corpora/wikitexts.md.gz",
    "invalid/blank.json", "invalid/comment.json", "invalid/corrupt-gzip.json.gz",
    "invalid/empty.json", "invalid/far-too-deep.json", "invalid/not-gzip.json.gz",
    "invalid/number-as-document.json", "invalid/rules/IO002.jsonl",
    "invalid/rules/IO010.jsonl.gz", "invalid/truncated-gzip.json.gz", "invalid/utf-16.json",
    "invalid/utf-32.json",
}  # fmt: skip
"""What no format can read: prose, or files that are empty, damaged, or not in UTF-8."""
OTHERS = {
    "conformance/autorag/data/autorag_malformed_char_split.jsonl": "ids split into letters",
    "conformance/statistics/X.csv": "scores of topics by system",
    "conformance/statistics/Y.csv": "scores of topics by system",
    "conformance/statistics/Z.csv": "scores of topics by system",
    "conformance/statistics/published.json": "published values of tests",
    "conformance/statistics/statsmodels.json": "corrected p-values, sample sizes",
    "conformance/trec/golden.jsonl.gz": "cases with many runs each",
    "formats/expected.json": "what each sample is read as",
    "formats/golden/answers-only.json": "answers only",
    "formats/golden/expected.json": "groups by file and way of reading",
    "invalid/expected.json": "problems by file",
    "invalid/rules/IO008.jsonl": "no known field",
    "invalid/rules/IO009.json": "no record",
    "schemas/citation-file-format-1.2.0.schema.json": "a JSON Schema",
    "schemas/sarif-2.1.0.schema.json": "a JSON Schema",
}
"""Files that hold neither ground truth nor a run nor documents."""
OUTPUTS = ("out.", "prefs.", "zscores", "quicktest")
"""What trec_eval prints, and its other inputs."""


def name_of(path: Path) -> str:
    return path.relative_to(FIXTURES).as_posix()


def is_output(path: Path) -> bool:
    return path.name.startswith(OUTPUTS) or "all_trec" in path.name


def is_data(path: Path) -> bool:
    name = name_of(path)
    if name in UNREADABLE or name in OTHERS or is_output(path):
        return False
    return path.is_dir() or path.suffix not in NO_DATA


def test_it_names_the_format_or_proposes_a_mapping() -> None:
    for path in filter(is_data, PATHS):
        found = inspect(path)
        assert found.proposals, path
        assert chooses_nothing(found), path


def chooses_nothing(found: Inspection) -> bool:
    """Whether each map that reads flat lists is proposed in both ways, or makes no difference."""
    ways: dict[str, set[str | None]] = {}
    for proposal in found.proposals:
        if "profile" not in proposal.command and "subtopics" not in proposal.command:
            ways.setdefault(str(sorted(proposal.map.items())), set()).add(proposal.flat)
    flats = [flats - {None} for flats in ways.values()]
    same = any("the same" in proposal.why for proposal in found.proposals)
    return all(flat in (set(), {"any", "all"}) or same for flat in flats)


@pytest.mark.parametrize("name", sorted(UNREADABLE))
def test_what_cannot_be_read_is_refused(name: str) -> None:
    with pytest.raises(InputError):
        inspect(FIXTURES / name)
    assert run(["inspect", str(FIXTURES / name)]) == 3


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_where_nothing_can_be_proposed_it_says_what_is_missing(name: str) -> None:
    found = inspect(FIXTURES / name)
    assert (found.format, found.proposals) == (None, ())
    assert found.notes
    assert run(["inspect", str(FIXTURES / name), "-o", "/dev/null"]) == 0


@pytest.mark.parametrize("path", [path for path in PATHS if is_output(path)], ids=name_of)
def test_the_output_of_trec_eval_is_no_ground_truth(path: Path) -> None:
    try:
        found = inspect(path)
    except InputError:
        assert run(["inspect", str(path)]) == 3
    else:
        assert found.format == "trec-run" if "results" in path.name else not found.proposals


def test_a_flat_list_of_ours_is_proposed_in_both_ways() -> None:
    flat = inspect(FIXTURES / "formats" / "qrels.txt")
    assert [proposal.flat for proposal in flat.proposals] == ["any", "all", None]
    assert "--profile trec" in flat.proposals[-1].command
    groups = inspect(FIXTURES / "formats" / "ground_truth.jsonl")
    assert [proposal.flat for proposal in groups.proposals] == [None]


def test_subtopics_are_offered_where_the_second_column_differs() -> None:
    found = inspect(FIXTURES / "formats" / "diversity.qrels")
    assert "--subtopics" in found.proposals[0].command


def test_a_corpus_is_offered_as_one() -> None:
    for name in ("corpus.jsonl", "corpus.csv", "ids.txt", "parquet/corpus.parquet"):
        path = FIXTURES / "formats" / name
        (proposal,) = inspect(path).proposals
        assert proposal.command == f"groupwise validate GROUND_TRUTH --corpus {path}"
