"""The example of a matcher that asks a model: answers are kept on disk, by content."""

import ast
import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from groupwise import ExtensionError, add_matcher, evaluate
from groupwise.evaluator.cli import run as run_command
from groupwise.evaluator.evaluation.single import read_row
from groupwise.evaluator.matching import Matching
from tests.paths import EXAMPLES, ROOT

FILE = EXAMPLES / "judging.py"
TRUTH = {"q": [[{"id": "a", "text": "the mill closed"}], [{"id": "b", "text": "a river"}]]}
pytestmark = pytest.mark.usefixtures("nothing_added")
RUN = {"q": [{"id": "x", "text": "closed is the mill"}, {"id": "y", "text": "a town"}]}


@pytest.fixture
def asked() -> list[tuple[str, str]]:
    """What a judge was asked; the matcher is registered under its name."""
    calls: list[tuple[str, str]] = []
    example = runpy.run_path(str(FILE))

    def judge(alternative: str, result: str) -> float:
        calls.append((alternative, result))
        score: float = example["share_of_words"](alternative, result)
        return score

    judged = {"judge": staticmethod(judge), "name": "counting"}
    counting: Any = type("Counting", (example["JudgedMatcher"],), judged)
    add_matcher("counting", counting)
    return calls


def recall(cache: Path, run: Any = RUN, **options: Any) -> float | None:
    matching = {"type": "counting", "cache": str(cache), **options}
    return evaluate(TRUTH, run, metrics="recall", matching=matching).scores["recall"]


def test_no_pair_of_texts_is_asked_about_twice(asked: list[Any], tmp_path: Path) -> None:
    cache = tmp_path / "deep" / "answers"
    assert recall(cache, threshold=0.8) == 0.5
    assert len(asked) == len({*asked}) == len(list(cache.iterdir())) == 4
    assert recall(cache, threshold=0.5) == 1.0
    assert len(asked) == 4
    changed = {"q": [{"id": "x", "text": "closed is the mill"}, {"id": "y", "text": "a river"}]}
    assert recall(cache, changed, threshold=0.8) == 1.0
    assert asked[4:] == [("the mill closed", "a river"), ("a river", "a river")]
    recall(tmp_path / "elsewhere")
    assert len(asked) == 10


def test_evidence_has_the_scores_below_the_threshold(asked: list[Any], tmp_path: Path) -> None:
    matching = Matching.parse({"type": "counting", "cache": str(tmp_path), "threshold": 0.8})
    (found,) = matching.find_evidence(read_row(TRUTH["q"], RUN["q"]))
    assert [(one.hit, one.met, one.overlap) for one in found] == [
        ((1, 0, 0), True, 1.0),
        ((2, 0, 0), False, 0.0),
        ((1, 1, 0), False, 0.0),
        ((2, 1, 0), False, 0.5),
    ]
    assert len(asked) == 4


def test_a_result_without_a_text_is_an_error(asked: list[Any], tmp_path: Path) -> None:
    with pytest.raises(ExtensionError, match="the matcher 'counting': no text of 'a' or 'x'"):
        recall(tmp_path, {"q": ["x"]})
    assert asked == []


def test_the_command_line_takes_it_as_a_plugin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("truth.json").write_text(json.dumps(TRUTH), "utf-8")
    Path("run.json").write_text(json.dumps(RUN), "utf-8")
    words = ["evaluate", "truth.json", "run.json", "--plugin", str(FILE), "--match", "judged"]
    words += ["--match-option", "threshold=0.8", "-m", "recall", "--format", "json"]
    assert run_command(words) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["scores"] == {"recall": 0.5}
    assert report["matching"] == {"type": "judged", "threshold": 0.8, "cache": "answers"}


def test_the_page_shows_the_code_of_the_file() -> None:
    source = FILE.read_text("utf-8")
    page = (ROOT / "docs/how-to/matching.md").read_text("utf-8")
    for statement in ast.parse(source).body[1:]:
        assert (ast.get_source_segment(source, statement) or "?") in page
