"""Views of notebooks in the browser: hostile text runs nothing; colours are those of the page."""

from pathlib import Path

import pytest

from tests.browsing import Open
from tests.reporting.html.hostile import SIGNS
from tests.reporting.test_notebook import SAMPLES

PAGE = '<!doctype html><meta charset="utf-8"><title>views</title><body style="{style}">{views}'
COLOURS = {"light": "background:#fff;color:#000", "dark": "background:#111;color:#eee"}
CELLS = "cells => cells.map(getComputedStyle).map(found => [found.color, found.backgroundColor])"


@pytest.fixture(scope="module")
def views() -> str:
    return "".join(str(build(sign)._repr_html_()) for sign in SIGNS for build in SAMPLES.values())


def test_views_of_hostile_data_run_nothing(visit: Open, views: str, tmp_path: Path) -> None:
    path = tmp_path / "views.html"
    path.write_text(PAGE.format(style="", views=views), "utf-8")
    with visit(path) as opened:
        page = opened.page
        for cell in page.locator("td:visible, strong:visible").all()[::40]:
            cell.hover()
        assert page.evaluate("() => window.ran") is None
        assert opened.requests == [path.as_uri()]
        assert opened.messages == []
        assert page.locator("script, img, a, style, svg").count() == 0
        text = page.locator("body").inner_text()
        assert [sign for sign in SIGNS if sign.isprintable() and sign not in text] == []


def test_this_page_would_run_what_is_not_escaped(visit: Open, tmp_path: Path) -> None:
    path = tmp_path / "raw.html"
    path.write_text(PAGE.format(style="", views=SIGNS[0]), "utf-8")
    with visit(path) as opened:
        assert opened.page.evaluate("() => window.ran") == 1


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", COLOURS)
def test_views_take_the_colours_of_the_page(
    visit: Open, views: str, scheme: str, tmp_path: Path
) -> None:
    path = tmp_path / "views.html"
    path.write_text(PAGE.format(style=COLOURS[scheme], views=views), "utf-8")
    with visit(path) as opened:
        (own,) = opened.page.locator("body").evaluate_all(CELLS)
        found = opened.page.locator("td, th, div, pre, strong").evaluate_all(CELLS)
        assert len(found) > 500
        assert {colour for colour, _ in found} == {own[0]}
        assert {ground for _, ground in found} == {"rgba(0, 0, 0, 0)"}
