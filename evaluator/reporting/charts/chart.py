"""A chart: its declaration, and the errors of one whose data is not there."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from groupwise.evaluator.errors import InputError, OptionError, Problem
from groupwise.evaluator.reporting.charts.figure import Figure

Kind = Literal["report", "comparison"]


@dataclass(frozen=True)
class Chart:
    """A chart of a report or of a comparison.

    Attributes:
        name: What ``plot`` calls it.
        of: What it is a chart of.
        shows: What it shows, in a phrase.
        build: Returns the figure of a subject; its keyword-only arguments are the options.
    """

    name: str
    of: Kind
    shows: str
    build: Callable[..., Figure]

    @property
    def options(self) -> list[str]:
        """The names of the options that it takes."""
        parameters = inspect.signature(self.build).parameters.values()
        return [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]

    def check_options(self, given: dict[str, Any]) -> None:
        """Raise an OptionError for an option that the chart does not take."""
        for name in given:
            if name not in self.options:
                known = ", ".join(f"{each}=" for each in self.options) or "none"
                message = f"the chart {self.name!r} has no option {name}=; it takes: {known}"
                raise OptionError([Problem(message)])


def refuse(chart: str, reason: str) -> NoReturn:
    """Raise an error for a chart whose data is not there."""
    raise InputError([Problem(f"no chart {chart!r} of this data: {reason}")])
