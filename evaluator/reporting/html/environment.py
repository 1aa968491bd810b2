"""The templates of pages: every text is sanitised and escaped, and nothing is loaded."""

# ruff: noqa: PLC0415  (jinja2 is an extra, imported when a page is rendered)

from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.reporting.charts.styles import STYLESHEET
from groupwise.evaluator.reporting.pivot import format_score
from groupwise.evaluator.text import capitalise, cut, plural, printable

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"
LONGEST_TEXT = 600


def render_page(name: str, **content: Any) -> str:
    """Return the page of a template, with its style and script; its policy allows no other."""
    environment = open_templates()
    style, script = f"{_read('page.css')}{STYLESHEET}", _read("page.js")
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src {_hash(style)}; script-src {_hash(script)}"
    )
    page = environment.get_template(name).render(
        **content, policy=policy, style=trust(style), script=trust(script)
    )
    return f"{page.rstrip()}\n"


@lru_cache(maxsize=1)
def open_templates() -> "Environment":
    """Return the environment of the templates."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
        finalize=sanitise, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters.update(
        passage=flatten, plural=plural, score=format_score, capitalised=capitalise
    )
    return environment


def sanitise(value: Any) -> Any:
    """Return a value of a template as it may be shown; what is HTML already stays as it is.

    Raises:
        TypeError: It is neither text nor a number, and nobody said how it is shown.
    """
    if hasattr(value, "__html__") or isinstance(value, int | float):
        return value
    if not isinstance(value, str):
        raise TypeError(f"expected text or a number in a page, got {type(value).__name__}")
    return printable(value)


def flatten(text: str) -> str:
    r"""Return a text on one line, cut if it is long.

    >>> flatten("two\n  lines")
    'two lines'
    """
    return cut(" ".join(text.split()), LONGEST_TEXT)


def trust(text: str) -> Any:
    """Return HTML of ours, which is not escaped again."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704  (a file of the package, or a chart, which escapes its texts)


def _read(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
