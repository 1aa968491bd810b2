"""A figure: what a chart shows, in the units of its data, whatever draws it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True)
class Axis:
    """A numeric axis: its label, its ends, and its ticks with their texts."""

    label: str
    low: float
    high: float
    ticks: Sequence[tuple[float, str]]
    is_log: bool = False


@dataclass(frozen=True)
class Row:
    """A row of an axis of names, from top to bottom; a heading has no marks."""

    text: str
    note: str = ""
    is_heading: bool = False


@dataclass(frozen=True)
class Line:
    """A line through points, with its name at its end."""

    role: str
    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Column:
    """A bar from the horizontal axis to a value, from left to right."""

    role: str
    left: float
    right: float
    value: float
    name: str = ""


@dataclass(frozen=True)
class Segment:
    """A part of the bar of a row."""

    role: str
    row: int
    start: float
    end: float
    name: str = ""


@dataclass(frozen=True)
class Estimate:
    """A dot in a row, and the interval around it, if it is known."""

    role: str
    row: int
    value: float
    low: float | None
    high: float | None
    name: str = ""


@dataclass(frozen=True)
class Guide:
    """A dashed line across the figure at a value of an axis, with a text."""

    axis: Literal["x", "y"]
    at: float
    text: str


Mark: TypeAlias = Line | Column | Segment | Estimate


@dataclass(frozen=True)
class Figure:
    """What a chart shows.

    Attributes:
        title: What it is about.
        summary: What it says, in a sentence or two; also for people who do not see it.
        x: The horizontal axis.
        y: The vertical axis: numbers, or rows.
        marks: What is drawn.
        guides: Lines to read it by.
        legend: What each role stands for, where names beside the marks do not say it.
    """

    title: str
    summary: str
    x: Axis
    y: Axis | Sequence[Row]
    marks: Sequence[Mark]
    guides: Sequence[Guide] = ()
    legend: Sequence[tuple[str, str]] = ()
