"""Charts as files, for notebooks, and on axes of matplotlib."""

from pathlib import Path
from typing import Any

import pytest

from groupwise import OptionError, OutputError
from groupwise.evaluator.reporting.charts import CHARTS, build_figure
from groupwise.evaluator.reporting.charts.chart import Chart
from groupwise.evaluator.reporting.charts.figure import Axis, Column, Estimate, Line, Segment
from tests.reporting.charts.data import SUBJECTS, SVG, comparison, parse, report

EVERY = pytest.mark.parametrize("chart", CHARTS, ids=[chart.name for chart in CHARTS])


@EVERY
def test_a_plot_is_written_and_shown(chart: Chart, tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    plot = SUBJECTS[chart.of]().plot(chart.name, path)
    assert path.read_text("utf-8") == plot.svg == str(plot) == plot._repr_svg_()
    assert plot.svg.startswith("<svg ")
    assert plot.svg.endswith("</svg>\n")
    assert parse(plot.svg).find(f"{SVG}style") is not None
    assert repr(plot) == f"Plot('{chart.name}')"
    assert [*tmp_path.iterdir()] == [path]


def test_a_width_can_be_chosen() -> None:
    assert parse(report().plot("curve", width=900).svg).get("width") == "900"


@pytest.mark.parametrize(("options", "message"), [
    ({"path": "curve.png"}, r"curve.png: expected a name that ends in .svg; for PNG"),
    ({"path": "curve"}, r"ends in .svg"),
    ({"path": "curve.svg", "ax": 1}, "both path and ax"),
    ({"ax": "axes"}, "ax: expected axes of matplotlib, got 'axes'"),
    ({"width": 10}, "width: expected 200 to 4000 pixels, got 10"),
    ({"width": "wide"}, "width: expected 200 to 4000 pixels, got 'wide'"),
    ({"width": float("nan")}, "width: expected"),
])  # fmt: skip
def test_what_cannot_be_plotted_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        report().plot("curve", **options)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="nowhere"):
        comparison().plot("intervals", tmp_path / "nowhere" / "chart.svg")


@pytest.mark.nightly
@EVERY
def test_axes_of_matplotlib_have_the_same_data(chart: Chart, tmp_path: Path) -> None:
    matplotlib: Any = pytest.importorskip("matplotlib", reason="needs matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415  (optional)

    subject = SUBJECTS[chart.of]()
    drawing, ax = plt.subplots()
    assert subject.plot(chart.name, ax=ax) is ax
    figure = build_figure(subject, chart.name)
    lines = [mark for mark in figure.marks if isinstance(mark, Line)]
    drawn = {line.get_label(): [*zip(*line.get_data(), strict=True)] for line in ax.lines}
    for line in lines:
        assert drawn[line.name] == line.points
    bars = {tuple(map(float, (*patch.get_xy(), patch.get_width(), patch.get_height())))
            for patch in ax.patches}  # fmt: skip
    for mark in figure.marks:
        if isinstance(mark, Column):
            assert (mark.left, 0.0, mark.right - mark.left, mark.value) in bars
        if isinstance(mark, Segment):
            found = [
                bar for bar in bars if bar[0] == mark.start and bar[2] == mark.end - mark.start
            ]
            assert found
    dots = [float(container[0].get_xdata()[0]) for container in ax.containers
            if container.__class__.__name__ == "ErrorbarContainer"]  # fmt: skip
    assert dots == [mark.value for mark in figure.marks if isinstance(mark, Estimate)]
    assert ax.get_title() == figure.title
    assert ax.get_xlim() == (figure.x.low, figure.x.high)
    if not isinstance(figure.y, Axis):
        assert [label.get_text() for label in ax.get_yticklabels()] == [
            row.text for row in figure.y
        ]
    drawing.savefig(tmp_path / "chart.png")
    plt.close(drawing)
