"""``groupwise remap``, as it is typed."""

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Groupwise, Write
from tests.docs.test_generated import problems

FIRST = "Orders can be returned within thirty days of delivery. "
SECOND = "The customer pays the postage of a return, unless it was damaged."
OLD = [{"id": "c1", "text": FIRST}, {"id": "c2", "text": SECOND}]
WHOLE = [{"id": "n1", "text": FIRST + SECOND}]


@pytest.fixture
def files(write: Write) -> tuple[str, ...]:
    """A ground truth, its corpus, and a corpus with one chunk for two."""
    return (
        write("qa.json", [{"id": "q1", "query": "?", "ground_truth": [["c1"], ["c2"]]}]),
        "--old", write("old.json", OLD), "--new", write("new.json", WHOLE),
    )  # fmt: skip


def read_lines(path: str) -> list[Any]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_everything_moves(groupwise: Groupwise, files: tuple[str, ...]) -> None:
    done = groupwise("remap", *files, "-o", "moved.jsonl", "--report", "report.json")
    assert (done.code, done.err) == (0, "moved.jsonl: 1 query\n")
    assert "remap: 1 query, 2 alternatives" in done.out
    assert "Moved: 2 by text in the whole corpus." in done.out
    moved = {"id": "q1", "query": "?", "ground_truth": [["n1"], ["n1"]]}
    assert read_lines("moved.jsonl") == [moved]
    report = json.loads(Path("report.json").read_text())
    assert problems("remap", report) == []
    assert report["counts"] == {"exact": 2, "partial": 0, "ambiguous": 0, "lost": 0}
    first = {
        "query": "q1",
        "group": 0,
        "from": "c1",
        "to": ["n1"],
        "outcome": "exact",
        "coverage": 1.0,
    }
    assert report["alternatives"][0] == {**first, "by": "corpus"}
    assert groupwise("remap", *files, "-o", "moved.json.gz", "-q").err == ""
    assert json.loads(gzip.decompress(Path("moved.json.gz").read_bytes())) == [moved]


def test_nothing_is_written_while_a_text_is_split(groupwise: Groupwise, write: Write) -> None:
    back = (
        write("qa.json", {"q1": [["n1"]]}), "--old", write("new.json", WHOLE),
        "--new", write("old.json", OLD), "-o", "moved.jsonl",
    )  # fmt: skip
    done = groupwise("remap", *back, "--report", "report.json")
    assert done.code == 1
    assert 'its text is split over "c1", "c2"' in done.out
    assert "nothing was written: 1 ambiguous, 0 lost" in done.err
    assert "--split span keeps their places" in done.err
    assert not Path("moved.jsonl").exists()
    report = json.loads(Path("report.json").read_text())
    assert (problems("remap", report), report["counts"]["ambiguous"]) == ([], 1)
    assert groupwise("remap", *back, "--lossy").code == 0
    assert read_lines("moved.jsonl") == [{"id": "q1", "ground_truth": [["c1", "c2"]]}]
    assert groupwise("remap", *back, "--split", "groups").code == 0
    (moved,) = read_lines("moved.jsonl")
    assert moved["ground_truth"] == [
        {"alternatives": ["c1"], "weight": 0.5}, {"alternatives": ["c2"], "weight": 0.5}
    ]  # fmt: skip
    spans = groupwise("remap", *back, "--split", "span")
    assert spans.code == 1
    assert "no document, start and end" in spans.out


def test_lost_alternatives_keep_their_group(groupwise: Groupwise, write: Write) -> None:
    words = (
        write("qa.jsonl", '{"id": "q1", "ground_truth": [["c1"], ["c2"]]}\n'),
        "--old", write("old.json", OLD), "--new", write("new.json", {"c1": SECOND}),
    )  # fmt: skip
    done = groupwise("remap", *words, "-o", "moved.jsonl")
    assert (done.code, Path("moved.jsonl").exists()) == (1, False)
    assert "lost: query 'q1', group 1, \"c1\"\n    its text is in no new chunk" in done.out
    done = groupwise("remap", *words, "-o", "moved.jsonl", "--lossy", "--format", "json")
    assert done.code == 0
    assert read_lines("moved.jsonl") == [{"id": "q1", "ground_truth": [["c1 (lost)"], ["c1"]]}]
    report = json.loads(done.out)
    assert problems("remap", report) == []
    assert report["alternatives"][0]["written"] == ["c1 (lost)"]
    assert report["alternatives"][0]["reason"] == "its text is in no new chunk"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("old.jsonl", "".join(json.dumps(chunk) + "\n" for chunk in OLD)),
        ("old.csv", f'id,text\nc1,"{FIRST}"\nc2,"{SECOND}"\n'),
        ("old.tsv", f"id\ttext\nc1\t{FIRST}\nc2\t{SECOND}\n"),
        ("old.json", {"c1": FIRST, "c2": SECOND}),
        ("old.jsonl", "".join(
            json.dumps({"doc_id": chunk["id"], "contents": chunk["text"], "path": "x.pdf",
                        "start_end_idx": [0, len(chunk["text"])], "metadata": {}}) + "\n"
            for chunk in OLD
        )),
    ],
    ids=["jsonl", "csv", "tsv", "map", "AutoRAG"],
)  # fmt: skip
def test_corpora_of_any_format(groupwise: Groupwise, write: Write, name: str, content: Any) -> None:
    truth = write("qa.json", {"q1": [["c1"], ["c2"]]})
    words = (truth, "--old", write(name, content), "--new", write("new.json", WHOLE))
    done = groupwise("remap", *words, "-o", "moved.json", "-q")
    assert (done.code, done.err) == (0, "")
    assert json.loads(Path("moved.json").read_text())[0]["ground_truth"] == [["n1"], ["n1"]]


def test_places_in_a_table(groupwise: Groupwise, write: Write) -> None:
    end = len(FIRST) + len(SECOND)
    old = f"c1,d,0,{len(FIRST)}\nc2,d,{len(FIRST)},{end}\n"
    words = (
        write("qa.json", {"q1": [["c1"], ["c2"]]}),
        "--old", write("old.csv", f"id,document,start,end\n{old}"),
        "--new", write("new.tsv", f"id\tdocument\tstart\tend\nn1\td\t0\t{end}\n"),
    )  # fmt: skip
    done = groupwise("remap", *words, "-o", "moved.json")
    assert "Moved: 2 by document, start and end." in done.out
    assert json.loads(Path("moved.json").read_text())[0]["ground_truth"] == [["n1"], ["n1"]]


def test_ground_truth_of_any_format(groupwise: Groupwise, write: Write) -> None:
    corpora = ("--old", write("old.json", OLD), "--new", write("new.json", WHOLE))
    qrels = write("truth.qrels", "q1 0 c1 1\nq1 1 c2 2\n")
    done = groupwise("remap", qrels, *corpora, "-o", "moved.jsonl", "--flat", "all")
    assert done.code == 0, done.err
    assert read_lines("moved.jsonl")[0]["ground_truth"] == [["n1"], [{"id": "n1", "grade": 2.0}]]
    records = write("mine.json", {"cases": [{"question": "?", "gold": ["c1"]}]})
    map_ = "id=#,query=cases[].question,ground_truth=cases[].gold"
    done = groupwise("remap", records, *corpora, "-o", "m.jsonl", "--flat", "all", "--map", map_)
    assert done.code == 0, done.err
    assert read_lines("m.jsonl") == [{"id": "1", "query": "?", "ground_truth": [["n1"]]}]
    piped = b'{"id": "q", "ground_truth": [["c1"]]}\n'
    assert groupwise("remap", "-", *corpora, "-o", "p.jsonl", stdin=piped).code == 0
    assert read_lines("p.jsonl") == [{"id": "q", "ground_truth": [["n1"]]}]


@pytest.mark.parametrize("form", ["table", "markdown", "json", "csv"])
def test_forms(groupwise: Groupwise, files: tuple[str, ...], form: str) -> None:
    done = groupwise("remap", *files, "--format", form)
    assert done.code == 0
    assert "nothing was written; name a file with -o FILE" in done.err
    assert "n1" in done.out or form in ("table", "markdown")
    if form == "csv":
        rows = [*csv.DictReader(io.StringIO(done.out))]
        assert [row["to"] for row in rows] == ["n1", "n1"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "moved.csv"], "-o: moved.csv: expected a name that ends in one of .jsonl"),
        (["-o", "-"], "-o: expected a file"),
        (["-o", "qa.json"], "-o qa.json would overwrite the input"),
        (["-o", "new.json"], "-o new.json would overwrite the input"),
        (["-o", "no/moved.json"], "there is no folder 'no'"),
        (["-o", "m.json", "--report", "m.json"], "-o and --report name the same file, m.json"),
        (["--report", "report.xyz"], "no format has the suffix '.xyz'; expected one of"),
        (["--split", "spans"], "did you mean 'span'"),
        (["--splitt", "span"], "no option '--splitt'"),
    ],
)
def test_usage_errors(
    groupwise: Groupwise, files: tuple[str, ...], words: list[str], message: str
) -> None:
    done = groupwise("remap", *files, *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("", None, "new.json: "),
        (None, "", "old.json: "),
        (None, "\x89PNG\r\n\x1a\n\0\0", "old.json"),
        (None, "[]", "no chunks"),
        ('["c1", "c2"]', '["n1"]', "no chunk has a text"),
        (None, '{"n1": "a", "n1": "b"}', "n1"),
        (None, '[{"id": "n1", "text": 5}]', "expected a text"),
        ('[{"id": "x", "text": "y"}]', None, "expected the chunks of the ground truth"),
        (json.dumps(WHOLE), json.dumps(OLD), "are old and new swapped?"),
    ],
)
def test_nonsense_is_refused_with_its_place(
    groupwise: Groupwise, write: Write, old: str | None, new: str | None, message: str
) -> None:
    old_text = json.dumps(OLD) if old is None else old
    new_text = json.dumps(WHOLE) if new is None else new
    words = (
        write("qa.json", {"q1": [["c1"]]}), "--old", write("old.json", old_text),
        "--new", write("new.json", new_text), "-o", "moved.json",
    )  # fmt: skip
    done = groupwise("remap", *words)
    assert done.code == 3
    assert message.replace("old.json", "").replace("new.json: ", "") in done.err
    assert "Traceback" not in done.err
    assert not Path("moved.json").exists()


def test_missing_files(groupwise: Groupwise, files: tuple[str, ...]) -> None:
    assert groupwise("remap", "qa.json", "--old", "x.json", "--new", "new.json").code == 3
    assert groupwise("remap", "qa.json", "--old", "old.json").code == 2
    done = groupwise("remap", "nowhere.json", *files[1:])
    assert (done.code, "nowhere.json: no such file" in done.err) == (3, True)
