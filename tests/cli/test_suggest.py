"""``groupwise suggest`` as a person uses it: a sheet, its verdicts, refusals, hostile data."""

import csv
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Groupwise, Write

TRUTH = {"q1": [["a"], ["b"]], "q2": [["c"]]}
OLD = {"q1": ["a", "x", "b"], "q2": ["c", "y"]}
NEW = {"q1": ["z", "a", "x"], "q2": ["y", "c"]}
CORPUS = {"a": "The first answer is here.", "copy": "Look: the first answer is here!", "b": "No."}
SCHEMA = Path(__file__).parents[2] / "docs/reference/schemas/sheet.schema.json"


@pytest.fixture
def files(write: Write) -> list[str]:
    write("corpus.json", CORPUS)
    write("old.json", OLD)
    write("new.json", NEW)
    return [write("truth.json", TRUTH), "--corpus", "corpus.json", "--run", "old.json",
            "--run", "NEW=new.json"]  # fmt: skip


def rows_of(path: str) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def fill(path: str, verdicts: dict[str, str]) -> None:
    rows = rows_of(path)
    for row in rows:
        row |= {"verdict": verdicts.get(row["candidate"], ""), "group": row["group"] or "2"}
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def test_from_data_to_a_judged_ground_truth(groupwise: Groupwise, files: list[str]) -> None:
    done = groupwise("suggest", *files, "-o", "sheet.csv")
    assert (done.code, done.out) == (0, "")
    assert "sheet.csv: 4 candidates for 2 queries (1 from the corpus, 3 from runs)" in done.err
    assert "groupwise suggest truth.json --apply sheet.csv -o FILE" in done.err
    rows = rows_of("sheet.csv")
    assert list(rows[0]) == ["query", "candidate", "group", "why", "text", "judge", "verdict"]
    assert [(row["candidate"], row["group"]) for row in rows] == [
        ("copy", "1"), ("z", ""), ("y", "1"), ("x", ""),
    ]  # fmt: skip
    assert rows[0]["text"] == CORPUS["copy"]
    fill("sheet.csv", {"copy": "yes", "y": "no", "z": "yes"})
    done = groupwise("suggest", "truth.json", "--apply", "sheet.csv", "-o", "truth.json")
    assert (done.code, done.err) == (0, "")
    added = "2 alternatives and 1 not relevant added to 2 queries; 1 row without a verdict"
    assert done.out == f"truth.json: {added}\n"
    found = json.loads(Path("truth.json").read_text())
    assert found["q1"]["ground_truth"] == [["a", "copy"], ["b", "z"]]
    assert found["q2"]["not_relevant"] == ["y"]
    before = Path("truth.json").read_bytes()
    done = groupwise("suggest", "truth.json", "--apply", "sheet.csv", "-o", "truth.json", "-q")
    assert (done.code, done.out) == (0, "")
    assert Path("truth.json").read_bytes() == before
    assert groupwise("evaluate", "truth.json", "old.json").code == 0


def test_json_lines_fit_the_published_schema(groupwise: Groupwise, files: list[str]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    assert groupwise("suggest", *files, "-o", "sheet.jsonl", "-q").code == 0
    schema = json.loads(SCHEMA.read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    lines = Path("sheet.jsonl").read_text().splitlines()
    assert len(lines) == 4
    for line in lines:
        jsonschema.validate(json.loads(line), schema)
    assert json.loads(lines[0])["group"] == 0
    Path("sheet.jsonl").write_text("".join(f'{line[:-5]}"no"}}\n' for line in lines))
    done = groupwise("suggest", "truth.json", "--apply", "sheet.jsonl", "-o", "new.jsonl")
    assert done.out.startswith("new.jsonl: 0 alternatives and 4 not relevant added to 2 queries")


def test_several_runs_may_follow_one_option(groupwise: Groupwise, files: list[str]) -> None:
    repeated = groupwise("suggest", *files)
    together = groupwise("suggest", *files[:3], "--run", "old.json", "NEW=new.json")
    assert (together.code, together.out) == (0, repeated.out)


def test_without_a_file_the_sheet_goes_to_standard_output(
    groupwise: Groupwise, files: list[str]
) -> None:
    done = groupwise("suggest", *files, "--limit", "1")
    assert done.out.startswith("query,candidate,group,why,text,judge,verdict\nq1,copy,1,")
    assert "1 candidate for 1 query (1 from the corpus, 3 from runs, 3 left out" in done.err
    done = groupwise("suggest", "truth.json", "--run", "old.json", "--depth", "1", "-o", "-")
    assert done.out == "query,candidate,group,why,text,judge,verdict\n"
    assert done.err == "no candidates found\n"


REFUSALS: list[tuple[list[str], int, str]] = [
    (["old.json"], 2, "expected one ground truth, got old.json as well; runs follow --run"),
    ([], 2, "expected --corpus FILE, --run RUN, or both"),
    (["--run", "old.json", "--run", "old.json"], 2, "two runs are called 'old'"),
    (["--run", "truth.json"], 2, "truth.json is the ground truth"),
    (["--run", "old.json", "--format", "csv", "-o", "old.json"], 2, "would overwrite the input"),
    (["--run", "old.json", "--format", "csv", "-o", "truth.json"], 2, "would overwrite the input"),
    (["--run", "old.json", "-o", "sheet.xlsx"], 2, "no format has the suffix '.xlsx'"),
    (["--run", "old.json", "-o", "no/sheet.csv"], 2, "there is no folder 'no'"),
    (["--run", "old.json", "-m", "ndgc"], 2, "did you mean 'ndcg'?"),
    (["--run", "old.json", "-m", "first_hit"], 2, "is a rank"),
    (["--run", "old.json", "--threshold", "2"], 2, "--threshold: expected a number above 0"),
    (["--run", "old.json", "--limit", "0"], 2, "expected a whole number"),
    (["--run", "old.json", "--match", "spam"], 2, "spam"),
    (["--run", "missing.json"], 3, "missing.json: no such file"),
    (["--corpus", "missing.json"], 3, "missing.json: no such file"),
    (["--corpus", "ids.txt"], 3, "ids.txt: the corpus has no texts"),
    (["--run", "corpus.json"], 3, "corpus.json"),
    (["--apply", "sheet.csv"], 2, "--apply needs -o FILE"),
    (["--apply", "sheet.csv", "-o", "sheet.csv"], 2, "would overwrite the sheet"),
    (["--apply", "sheet.csv", "-o", "x", "--run", "old.json"], 2, "it goes without --run"),
    (["--apply", "sheet.csv", "-o", "x", "--map", "id=#"], 2, "it goes without --map"),
    (["--apply", "sheet.csv", "-o", "x", "--from", "jsonl"], 2, "it goes without --from"),
    (["--apply", "sheet.csv", "-o", "x", "--cnf"], 2, "it goes without --cnf"),
    (["--apply", "sheet.csv", "-o", "x.csv"], 2, "-o: x.csv: expected a name that ends in"),
    (["--apply", "-", "-o", "x"], 2, "--apply reads files"),
    (["--apply", "missing.csv", "-o", "x"], 3, "missing.csv: no such file"),
    (["--apply", "old.json", "-o", "x"], 3, "old.json:1: no field 'query'"),
    (["--apply", "sheet.csv", "-o", "x"], 3, "sheet.csv:2: query 'q9': no such query"),
]


@pytest.mark.parametrize(("words", "code", "message"), REFUSALS)
def test_refusals(
    groupwise: Groupwise, files: list[str], write: Write, words: list[str], code: int, message: str
) -> None:
    write("ids.txt", "a\nb\n")
    write("sheet.csv", "query,candidate,group,verdict\nq9,x,1,yes\n")
    before = {path: path.read_bytes() for path in Path().iterdir()}
    done = groupwise("suggest", files[0], *words)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


def test_swapped_files_are_named(groupwise: Groupwise, files: list[str]) -> None:
    Path("run.jsonl").write_text('{"id": "q1", "results": ["a"]}\n')
    done = groupwise("suggest", "run.jsonl", "--run", files[0])
    assert done.code == 3
    assert "are ground truth and run swapped?" in done.err


def test_a_sheet_with_verdicts_is_kept(groupwise: Groupwise, files: list[str]) -> None:
    groupwise("suggest", *files, "-o", "sheet.csv")
    fill("sheet.csv", {"copy": "yes"})
    before = Path("sheet.csv").read_bytes()
    done = groupwise("suggest", *files, "-o", "sheet.csv")
    assert done.code == 3
    assert "1 verdict in this sheet would be lost" in done.err
    assert Path("sheet.csv").read_bytes() == before


HOSTILE = ["=HYPERLINK(1)", "\x1b[31mred", "a\nb", "\u202eevil", "::error::x", "##[group]", "nul\0"]


def test_hostile_data_reaches_no_terminal_and_comes_back(
    groupwise: Groupwise, write: Write
) -> None:
    truth = {name: [[f"{name}1"]] for name in HOSTILE}
    run = {name: [f"{name}{number}" for number in (1, 2)] for name in HOSTILE}
    texts = {f"{name}{number}": f"{name} {number}" for name in HOSTILE for number in (1, 2)}
    words = [write("t.json", truth), "--run", f"=x={write('r.json', run)}"]
    assert groupwise("suggest", *words).code == 2
    words = [words[0], "--run", "\x1b[31mx=r.json", "--corpus", write("c.json", texts)]
    done = groupwise("suggest", *words)
    assert done.code == 0
    for sign in ("\x1b", "\u202e", "\0"):
        assert sign not in done.out + done.err
    assert not any(line.startswith(("=", "::", "+", "-", "@")) for line in done.out.splitlines())
    groupwise("suggest", *words, "-o", "sheet.csv")
    rows = rows_of("sheet.csv")
    with Path("sheet.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(row | {"verdict": "yes"} for row in rows)
    done = groupwise("suggest", "t.json", "--apply", "sheet.csv", "-o", "new.json")
    assert done.code == 0
    found = json.loads(Path("new.json").read_text())
    assert {q: r["ground_truth"] for q, r in found.items()} == {
        name: [[f"{name}1", f"{name}2"]] for name in HOSTILE
    }


def test_the_ground_truth_may_come_from_a_pipe(groupwise: Groupwise, files: list[str]) -> None:
    done = groupwise("suggest", "-", "--run", "old.json", stdin=json.dumps(TRUTH).encode())
    assert done.code == 0
    assert "q1,x," in done.out
