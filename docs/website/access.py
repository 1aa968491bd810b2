"""What the theme leaves out for people who use a keyboard or a screen reader."""

from typing import Any

from sphinx.application import Sphinx

HEADING = 'role="heading"'
AFTER_THE_THEME = 900


def give_levels(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], *_: Any) -> None:
    """Give the captions of the sidebar, which are headings, a level."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace(HEADING, f'{HEADING} aria-level="2"')


def setup(app: Sphinx) -> dict[str, bool]:
    """Change every page; the script lets the keyboard scroll what is wide."""
    app.connect("html-page-context", give_levels, priority=AFTER_THE_THEME)
    app.add_js_file("scroll.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
