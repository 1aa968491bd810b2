"""How marks look: a colour that colour-blind people tell apart, and a second sign beside it.

The colours are those of Okabe and Ito (2008), "Color universal design", darker or lighter where
they would not stand out from the background. Charts name them by class; without a stylesheet, the
attributes of the elements say the colours for a light background.
"""

from collections.abc import Iterable
from typing import NamedTuple


class Style(NamedTuple):
    """Colours on light and on dark ground, and what says the same without colour.

    Lines have different weights, so that one does not hide another that it covers.
    """

    light: str
    dark: str
    dash: str = ""
    weight: float = 2.0
    marker: str = "circle"
    hatch: str = ""


PAGE_STYLES = {
    "ink": Style("#1f2328", "#e6edf3"),
    "muted": Style("#57606a", "#9da7b3"),
    "grid": Style("#d8dee4", "#30363d"),
    "ground": Style("#ffffff", "#0d1117"),
    "recall": Style("#0072b2", "#56b4e9", weight=3.5),
    "complete": Style("#c44601", "#f5803e", dash="7 3", marker="square", weight=2.5),
    "precision": Style("#00795a", "#2fc998", dash="2 3", marker="triangle", weight=1.5),
    "score": Style("#0072b2", "#56b4e9"),
    "none": Style("#57606a", "#9da7b3", hatch="/"),
    "met": Style("#c5ced6", "#3d4650"),
    "beyond_k": Style("#0072b2", "#56b4e9", hatch="/"),
    "not_retrieved": Style("#c44601", "#f5803e"),
    "not_in_corpus": Style("#8a3f74", "#d98fc0", hatch="\\"),
    "gain": Style("#0072b2", "#56b4e9"),
    "loss": Style("#c44601", "#f5803e"),
    "run": Style("#0072b2", "#56b4e9"),
    "baseline": Style("#c44601", "#f5803e", marker="diamond"),
}
"""By role: of the parts of every chart, and of marks in pages."""

SERIES_STYLES = {
    "series_1": Style("#0072b2", "#56b4e9", weight=3.5),
    "series_2": Style("#c44601", "#f5803e", dash="7 3", marker="square"),
    "series_3": Style("#00795a", "#2fc998", dash="2 3", marker="triangle"),
    "series_4": Style("#8a3f74", "#d98fc0", dash="9 3 2 3", marker="diamond"),
    "series_5": Style("#57606a", "#9da7b3", dash="1 2", marker="square"),
    "series_6": Style("#8a5a00", "#e0b040", dash="12 4", marker="triangle"),
}
"""By role: lines of several series, in files of their own."""

STYLES = {**PAGE_STYLES, **SERIES_STYLES}

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


def build_stylesheet(roles: Iterable[str] = ()) -> str:
    """Return the rules for charts, dark or light, and printed.

    Args:
        roles: Roles beside those of charts in pages.
    """
    styles = {**PAGE_STYLES, **{role: STYLES[role] for role in sorted(roles)}}
    light = _declare({role: style.light for role, style in styles.items()})
    dark = _declare({role: style.dark for role, style in styles.items()})
    return f"""\
.gw-chart{{{light}font-family:{FONT};max-width:100%;height:auto}}
@media (prefers-color-scheme:dark){{.gw-chart{{{dark}}}}}
@media print{{.gw-chart{{{light}}}}}
{_colour_classes(styles)}
"""


def _declare(colours: dict[str, str]) -> str:
    return "".join(f"--gw-{role.replace('_', '-')}:{colour};" for role, colour in colours.items())


def _colour_classes(styles: dict[str, Style]) -> str:
    rules = []
    for role, style in styles.items():
        name = role.replace("_", "-")
        colour = f"var(--gw-{name},{style.light})"
        rules.append(f".gw-chart .gw-fill-{name}{{fill:{colour}}}")
        rules.append(f".gw-chart .gw-line-{name}{{stroke:{colour}}}")
    return "\n".join(rules)


STYLESHEET = build_stylesheet()
"""The rules for charts in a page."""


def fill(role: str) -> dict[str, str]:
    """Return the attributes that fill with the colour of a role."""
    return {"class": f"gw-fill-{role.replace('_', '-')}", "fill": STYLES[role].light}


def stroke(role: str, width: float = 1.0) -> dict[str, str]:
    """Return the attributes that draw a line in the colour of a role."""
    name = f"gw-line-{role.replace('_', '-')}"
    return {"class": name, "stroke": STYLES[role].light, "stroke-width": f"{width:g}"}
