"""SVG elements: text from data is made safe, numbers have two decimals at most."""

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from rich.cells import cell_len, set_cell_size

from groupwise.evaluator.reporting.charts.styles import FONT, STYLES, build_stylesheet, fill, stroke
from groupwise.evaluator.reporting.sanitise import xml_safe

TEXT_SIZE = 12
HATCH = 6
MARKER = 3.5
SHORTEST = 8
"""Names of fewer letters are cut at their end."""
WIDTH_OF_LETTER = 0.58
"""The width of a letter over the size of the text; wide ones count twice."""


def number(value: float) -> str:
    """Return a number with two decimals at most.

    >>> number(1.0), number(0.125), number(-0.001)
    ('1', '0.12', '0')
    """
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def measure(text: str, size: float = TEXT_SIZE) -> float:
    """Return about how wide a text is."""
    return cell_len(text) * size * WIDTH_OF_LETTER


def cut_to(text: str, width: float, size: float = TEXT_SIZE) -> str:
    """Return a text that fits a width, with an ellipsis if it is cut."""
    shown = xml_safe(text)
    if measure(shown, size) <= width:
        return shown
    cells = max(1, int(width / (size * WIDTH_OF_LETTER)))
    return f"{set_cell_size(shown, cells - 1).rstrip()}…"


def cut_middle(text: str, width: float, size: float = TEXT_SIZE) -> str:
    """Return a name that fits a width; both of its ends are kept, since names often differ there.

    >>> cut_middle("retriever-with-chunks-of-512", 80)
    'retrie…-512'
    """
    shown = xml_safe(text)
    cells = int(width / (size * WIDTH_OF_LETTER))
    if measure(shown, size) <= width or cells < SHORTEST:
        return cut_to(text, width, size)
    end = (cells - 1) * 2 // 5
    last = set_cell_size(shown[::-1], end)[::-1].lstrip()
    return f"{set_cell_size(shown, cells - 1 - end).rstrip()}…{last}"


def wrap(text: str, width: float, size: float = TEXT_SIZE) -> list[str]:
    """Return a text as lines that fit a width; words that do not are cut."""
    lines: list[str] = []
    for word in xml_safe(text).split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(cut_to(word, width, size))
    return lines


class Canvas:
    """A drawing that is filled element by element."""

    def __init__(self, width: float, height: float, title: str, summary: str) -> None:
        """Start a drawing of a size, with its name and description for screen readers."""
        self._root = Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "class": "gw-chart",
                "role": "img",
                "viewBox": f"0 0 {number(width)} {number(height)}",
                "width": number(width),
                "height": number(height),
                "font-family": FONT,
                "font-size": str(TEXT_SIZE),
            },
        )
        SubElement(self._root, "title").text = xml_safe(title)
        SubElement(self._root, "desc").text = xml_safe(summary)
        self._size = width, height

    def add_stylesheet(self, roles: Iterable[str]) -> None:
        """Add the rules that a page would have, those of further roles, and a background."""
        width, height = self._size
        SubElement(self._root, "style").text = build_stylesheet(roles)
        self.rectangle("ground", 0, 0, width, height)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        role: str = "ink",
        anchor: str = "start",
        full: str = "",
        **attributes: str,
    ) -> None:
        """Add a text; ``full`` is shown where a pointer rests on it."""
        place = {"x": number(x), "y": number(y), "text-anchor": anchor}
        given = {name.replace("_", "-"): value for name, value in attributes.items()}
        element = SubElement(self._root, "text", {**place, **fill(role), **given})
        element.text = xml_safe(text)
        if full:
            _name(element, full)

    def line(self, role: str, points: Sequence[tuple[float, float]], width: float = 1.0) -> None:
        """Add a line through points, dashed as its role is."""
        self.path(role, draw_line(points), width, STYLES[role].dash)

    def path(self, role: str, path: str, width: float = 1.0, dash: str = "") -> None:
        """Add a path that is not filled."""
        dashes = {"stroke-dasharray": dash} if dash else {}
        SubElement(self._root, "path", {"d": path, "fill": "none", **stroke(role, width), **dashes})

    def rectangle(
        self, role: str, x: float, y: float, width: float, height: float, name: str = ""
    ) -> None:
        """Add a filled rectangle, hatched as its role is."""
        place = {"x": x, "y": y, "width": max(width, 0.0), "height": max(height, 0.0)}
        attributes = {key: number(value) for key, value in place.items()}
        element = SubElement(self._root, "rect", {**attributes, **fill(role)})
        if name:
            _name(element, name)
        if STYLES[role].hatch and width > HATCH / 2 and height > HATCH / 2:
            hatch = draw_hatch(x, y, width, height, rising=STYLES[role].hatch == "/")
            self.path("ground", hatch, 1.2)

    def marker(self, role: str, x: float, y: float, name: str = "", size: float = MARKER) -> None:
        """Add the sign of a role at a point."""
        path = draw_marker(STYLES[role].marker, x, y, size)
        element = SubElement(self._root, "path", {"d": path, **fill(role)})
        if name:
            _name(element, name)

    def render(self) -> str:
        """Return the drawing as text."""
        return tostring(self._root, encoding="unicode", short_empty_elements=True)


def _name(element: Element, text: str) -> None:
    SubElement(element, "title").text = xml_safe(text)


def draw_line(points: Iterable[tuple[float, float]]) -> str:
    """Return the path through points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def draw_marker(kind: str, x: float, y: float, size: float) -> str:
    """Return the outline of a sign around a point."""
    corners = {
        "square": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        "triangle": [(0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
        "diamond": [(0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)],
    }.get(kind)
    if corners is not None:
        return draw_line((x + dx * size, y + dy * size) for dx, dy in corners) + "Z"
    radius, across = number(size), number(2 * size)
    start = f"M{number(x - size)} {number(y)}"
    return f"{start}a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0 -{across} 0Z"


def draw_hatch(x: float, y: float, width: float, height: float, *, rising: bool) -> str:
    """Return diagonal lines within a rectangle."""
    parts = []
    for step in range(1, int((width + height) / HATCH) + 1):
        offset = step * HATCH
        first = max(0.0, offset - height), min(offset, height)
        last = min(offset, width), max(0.0, offset - width)
        points = (first, last) if rising else tuple((dx, height - dy) for dx, dy in (first, last))
        parts.append(draw_line((x + dx, y + dy) for dx, dy in points))
    return "".join(parts)
