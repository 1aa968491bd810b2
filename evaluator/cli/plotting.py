"""Charts on the command line: ``--plot CHART=FILE``."""

# ruff: noqa: PLC0415  (charts are imported when one is asked for)

import os
import re
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from groupwise.evaluator.cli.arguments import CommandParser, argument, split_names
from groupwise.evaluator.cli.output import check_target, is_file, list_inputs
from groupwise.evaluator.cli.usage import UsageError

if TYPE_CHECKING:
    from groupwise.evaluator.reporting.charts.chart import Kind
    from groupwise.schemas import Report
    from groupwise.schemas.comparison import Comparison

SPELLING = re.compile(r"(?P<chart>[\w-]+)(?:\((?P<options>.*)\))?=(?P<file>.+)")
CHART_NAMES = {"report": "curve, distribution, missed", "comparison": "intervals, differences"}
EXAMPLES = {
    "report": "curve=curve.svg, or 'distribution(metric=ndcg@10)=scores.svg'",
    "comparison": "intervals=runs.svg, or 'differences(a=old,b=new)=queries.svg'",
}
NUMBERS = ("k",)
"""The options of charts that are numbers."""
LONGEST = 9


class Request(NamedTuple):
    """A chart to write to a file."""

    chart: str
    options: dict[str, Any]
    file: str


def add_plot_option(parser: CommandParser, of: "Kind") -> None:
    """Add ``--plot``."""

    @argument
    def parse_plot(text: str) -> Request:
        return _parse(text, of)

    parser.add_argument(
        "--plot", action="append", type=parse_plot, default=[], metavar="CHART=FILE",
        help=f"write a chart ({CHART_NAMES[of]}) as SVG, such as {EXAMPLES[of]}; may be repeated",
    )  # fmt: skip


def _parse(text: str, of: "Kind") -> Request:
    """Return the chart, its options and the file that a text spells.

    Raises:
        ValueError: There is no such chart, it does not take an option, or the file is no SVG.
    """
    from groupwise.evaluator.reporting.charts import find_chart
    from groupwise.evaluator.reporting.charts.plots import check_path

    match = SPELLING.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"expected CHART=FILE, such as {EXAMPLES[of]}; got {text!r}")
    chart = find_chart(match["chart"], of)
    options = _parse_options(match["options"] or "")
    chart.check_options(options)
    check_path(match["file"])
    return Request(chart.name, options, match["file"])


def _parse_options(text: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for setting in split_names(text) if text.strip() else ():
        name, sign, value = (part.strip() for part in setting.partition("="))
        if not (name and sign and value):
            raise ValueError(f"expected options such as metric=ndcg@10, got {setting!r}")
        options[name] = _parse_number(name, value) if name in NUMBERS else value
    return options


def _parse_number(name: str, value: str) -> int:
    if not (value.isascii() and value.isdecimal() and int(value[:LONGEST]) > 0):
        raise ValueError(f"{name}: expected a whole number from 1 on, got {value!r}")
    return int(value[:LONGEST])


def check_plots(words: Namespace) -> None:
    """Raise a usage error for charts that cannot be written, before any work is done."""
    taken = [words.output] if is_file(words.output) else []
    for request in words.plot:
        check_target("--plot", request.file, list_inputs(words))
        if any(_are_same(request.file, other) for other in taken):
            raise UsageError(f"--plot {request.file}: another output has the same name")
        if request.chart != "curve" and not getattr(words, "per_query", True):
            needed = f"--plot {request.chart} needs the scores of each query"
            raise UsageError(f"{needed}; it goes without --no-per-query")
        taken.append(request.file)


def _are_same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def ask_for_charts(requests: Sequence[Request]) -> dict[str, Any]:
    """Return the parts of a report that charts show, so that they are computed with it."""
    asked: dict[str, Any] = {}
    for request in requests:
        k = request.options.get("k")
        if request.chart == "curve":
            from groupwise.evaluator.reporting.charts.curve import DEPTH

            asked["curve"] = max(asked.get("curve", 0), k or DEPTH)
        elif request.chart == "missed":
            from groupwise.evaluator.evaluation.explanations import Request as Explained

            asked["explain"] = Explained(k=k, worst=1)
    return asked


def write_plots(subject: "Report | Comparison", requests: Sequence[Request]) -> None:
    """Write each chart to its file.

    Raises:
        UsageError: There is no such metric or run in the results.
    """
    from groupwise.evaluator.errors import OptionError, UnknownMetric

    for request in requests:
        try:
            subject.plot(request.chart, request.file, **request.options)
        except (OptionError, UnknownMetric) as error:
            raise UsageError(f"--plot {request.chart}: {error}") from None
