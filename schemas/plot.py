"""A chart that was drawn: shown by notebooks, or saved to a file."""

import os

from groupwise.schemas.binding import find_bound


class Plot:
    """A chart as SVG; a notebook shows it as it is.

    Attributes:
        chart: The name of the chart.
        svg: The text of an SVG file, dark or light as its surroundings are.
    """

    def __init__(self, chart: str, svg: str) -> None:
        self.chart = chart
        self.svg = svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the chart to a file whose name ends in ``.svg``, whole or not at all.

        Raises:
            OptionError: The name has another ending.
            OutputError: The file could not be written; what was there before is untouched.
        """
        find_bound("save_plot")(self, path)

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"Plot({self.chart!r})"
