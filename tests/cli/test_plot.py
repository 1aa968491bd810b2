"""Charts as files: ``--plot CHART=FILE``."""

import json
from pathlib import Path

import pytest

from groupwise.evaluator.cli.plotting import CHART_NAMES
from groupwise.evaluator.reporting.charts import list_charts
from tests.cli.conftest import Groupwise, Write
from tests.reporting.charts.data import ground_truth, names, numbers, parse, run, texts

SVG = "<svg "


@pytest.fixture
def files(write: Write) -> list[str]:
    return [write("t.json", ground_truth()), write("r.json", run()), write("s.json", run(3))]


def test_charts_are_written_beside_the_report(groupwise: Groupwise, files: list[str]) -> None:
    words = ("--plot", "curve=c.svg", "--plot", "distribution=d.svg", "--plot", "missed(k=2)=m.svg")
    done = groupwise("evaluate", *files[:2], "-m", "recall@5", "--format", "json", *words)
    assert (done.code, done.err) == (0, "")
    assert {"curve", "explanation"} & {*json.loads(done.out)} == set()
    assert all(Path(f"{name}.svg").read_text("utf-8").startswith(SVG) for name in "cdm")
    assert "Groups missed at k = 2, by reason" in texts(Path("m.svg").read_text("utf-8"))


def test_what_was_asked_for_stays_in_the_report(groupwise: Groupwise, files: list[str]) -> None:
    words = ("--curve", "4", "--explain", "2", "--plot", "curve=c.svg", "--plot", "missed=m.svg")
    done = groupwise("evaluate", *files[:2], "--format", "json", *words)
    report = json.loads(done.out)
    assert (len(report["curve"]["recall"]), len(report["explanation"]["queries"])) == (4, 2)
    shown = numbers(names(Path("c.svg").read_text("utf-8")), r"recall at (\d+): .*")
    assert max(int(k) for (k,) in shown) == 4


def test_data_from_a_pipe_is_read_once(groupwise: Groupwise, files: list[str]) -> None:
    words = ("--plot", "curve=c.svg", "--plot", "missed=m.svg", "-q")
    done = groupwise("evaluate", "-", files[1], *words, stdin=Path(files[0]).read_bytes())
    assert (done.code, done.err) == (0, "")
    assert parse(Path("c.svg").read_text("utf-8")) is not None
    assert Path("m.svg").exists()


def test_comparisons_have_charts(groupwise: Groupwise, files: list[str]) -> None:
    words = ("--plot", "intervals=i.svg", "--plot", "differences(a=s,b=r,metric=NDCG)=d.svg", "-q")
    done = groupwise("compare", *files, "-m", "recall@5,ndcg", "--permutations", "50", *words)
    assert (done.code, done.err) == (0, "")
    title = parse(Path("d.svg").read_text("utf-8"))[0].text
    assert title == "ndcg by query: r minus s"
    assert Path("i.svg").read_text("utf-8").startswith(SVG)


@pytest.mark.parametrize(("plot", "message"), [
    ("curve", "expected CHART=FILE, such as curve=curve.svg"),
    ("curve=", "expected CHART=FILE"),
    ("curve=c.png", "c.png: expected a name that ends in .svg"),
    ("curve=-", "expected a name that ends in .svg"),
    ("pie=c.svg", "no chart 'pie' of a report; choose from curve, distribution, missed"),
    ("curve(metric=ndcg)=c.svg", "the chart 'curve' has no option metric=; it takes: k="),
    ("curve(k=0)=c.svg", "k: expected a whole number from 1 on, got '0'"),
    ("curve(k=²)=c.svg", "k: expected a whole number from 1 on"),
    ("missed(k)=c.svg", "expected options such as metric=ndcg@10, got 'k'"),
    ("curve=nowhere/c.svg", "there is no folder 'nowhere'"),
    ("distribution(metric=ndgc)=c.svg", "metric: no score 'ndgc'; did you mean 'ndcg'?"),
    ("distribution=t.svg", "would overwrite the input"),
])  # fmt: skip
def test_what_cannot_be_drawn_is_a_usage_error(
    groupwise: Groupwise, files: list[str], plot: str, message: str
) -> None:
    Path("t.svg").symlink_to("t.json")
    done = groupwise("evaluate", *files[:2], "--plot", plot)
    assert done.code == 2
    assert message in done.err
    assert not Path("c.svg").exists()
    assert Path("t.json").read_text("utf-8").startswith("[")


def test_outputs_differ(groupwise: Groupwise, files: list[str]) -> None:
    words = ("--plot", "curve=c.svg", "--plot", "missed=./c.svg")
    done = groupwise("evaluate", *files[:2], *words)
    assert (done.code, "another output has the same name" in done.err) == (2, True)
    done = groupwise("evaluate", *files[:2], "--plot", "missed=c.svg", "--no-per-query")
    assert (done.code, "goes without --no-per-query" in done.err) == (2, True)


def test_a_report_is_no_chart(groupwise: Groupwise, files: list[str]) -> None:
    for words in (("evaluate", *files[:2]), ("compare", *files)):
        done = groupwise(*words, "-o", "c.svg")
        assert done.code == 2
        assert "no format has the suffix '.svg'" in done.err
        assert "--plot CHART=FILE writes charts" in done.err


def test_the_help_names_every_chart(groupwise: Groupwise) -> None:
    for command, of in (("evaluate", "report"), ("compare", "comparison")):
        known = ", ".join(chart.name for chart in list_charts(of))  # type: ignore[arg-type]
        assert CHART_NAMES[of] == known
        assert known in " ".join(groupwise(command, "--help").out.split())
