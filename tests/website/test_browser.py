"""The site in headless Chromium: on a phone and on a screen, in light and dark."""

from pathlib import Path
from typing import Any

import pytest

from tests.browsing import PHONE, Open, list_violations
from tests.paths import ROOT
from tests.website.crawler import list_pages

LOOKED_AT = [
    "index", "map", "tutorial", "topics/score", "how-to/which-retriever", "reference/metrics",
    "reference/api", "reference/cli", "explanation/performance", "notebooks/which-retriever",
    "project/changelog", "repository/evaluator/metrics/autorag.py",
]  # fmt: skip
CHECKED = [
    "index", "topics/score", "how-to/which-retriever", "reference/metrics", "reference/files",
    "notebooks/which-retriever", "search", "genindex",
]  # fmt: skip
"""One of each kind, for what takes long."""
SCREENSHOTS = ROOT / "build" / "screenshots"
SCREEN = {"viewport": {"width": 1280, "height": 900}}
SIZES: dict[str, dict[str, Any]] = {"390": PHONE, "1280": SCREEN}
WIDTH = "() => document.documentElement.scrollWidth"


def list_names(site: Path) -> list[str]:
    return [path.relative_to(site).with_suffix("").as_posix() for path in list_pages(site)]


@pytest.mark.parametrize("width", SIZES)
def test_no_page_fails_asks_for_more_or_is_too_wide(
    visit: Open, address: str, site: Path, width: str
) -> None:
    with visit(f"{address}index.html", **SIZES[width]) as opened:
        for name in list_names(site) if width == "390" else LOOKED_AT:
            opened.page.goto(f"{address}{name}.html")
            assert opened.page.evaluate(WIDTH) == int(width), name
            assert opened.messages == [], name
        assert len(opened.requests) > len(LOOKED_AT)
        assert [url for url in opened.requests if not url.startswith(address)] == []


@pytest.mark.parametrize(("word", "found"), [
    ("remap", "how-to/after-re-chunking.html"),
    ("ndcg", "reference/metrics.html"),
    ("bootstrap", "explanation/statistics.html"),
])  # fmt: skip
def test_a_search_finds_the_page(visit: Open, address: str, word: str, found: str) -> None:
    with visit(f"{address}index.html") as opened:
        page = opened.page
        page.locator("input[name=q]").first.fill(word)
        page.keyboard.press("Enter")
        page.locator("#search-results .search-summary", has_text="found").wait_for()
        links = page.locator("#search-results li a").evaluate_all("all => all.map(a => a.href)")
        assert address + found in [link.partition("#")[0] for link in links[:10]]
        assert not any("/repository/" in link for link in links)
        page.locator(f"#search-results li a[href*='{found}']").first.click()
        page.locator("article h1").first.wait_for()
        assert page.url.startswith(address + found)
        assert opened.messages == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", SIZES)
def test_pages_look_as_they_should(visit: Open, address: str, scheme: str, width: str) -> None:
    """Screenshots for people go to build/screenshots."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    for name in LOOKED_AT:
        with visit(f"{address}{name}.html", color_scheme=scheme, **SIZES[width]) as opened:
            ground = opened.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
            brightness = sum(map(int, ground.strip("rgb()").split(",")))
            assert (brightness > 600) is (scheme == "light")
            shot = SCREENSHOTS / f"{name.replace('/', '-')}-{width}-{scheme}.png"
            assert opened.page.screenshot(path=shot).startswith(b"\x89PNG")


def test_light_and_dark_are_chosen_by_a_button(visit: Open, address: str) -> None:
    ground = "() => getComputedStyle(document.body).backgroundColor"
    with visit(f"{address}index.html", color_scheme="light") as opened:
        before = opened.page.evaluate(ground)
        seen = {before}
        for _ in range(2):
            opened.page.locator("button.theme-toggle:visible").click()
            seen.add(opened.page.evaluate(ground))
        assert len(seen) == 2


def test_wide_tables_scroll_by_themselves(visit: Open, address: str) -> None:
    with visit(f"{address}reference/files.html", **PHONE) as opened:
        wide = opened.page.locator(".table-wrapper").evaluate_all(
            "all => all.filter(box => box.scrollWidth > box.clientWidth)"
            ".map(box => getComputedStyle(box).overflowX)"
        )
        assert wide
        assert {*wide} == {"auto"}


@pytest.mark.parametrize("look", ["light", "dark", "phone"])
def test_axe_finds_no_serious_violation(visit: Open, axe: str, address: str, look: str) -> None:
    options: dict[str, Any] = PHONE if look == "phone" else {"color_scheme": look}
    for name in CHECKED:
        with visit(f"{address}{name}.html", **options) as opened:
            assert list_violations(opened.page, axe) == [], name


def test_pages_are_read_without_script(visit: Open, address: str) -> None:
    with visit(f"{address}reference/metrics.html", java_script_enabled=False) as opened:
        assert opened.page.locator("article h1").is_visible()
        assert opened.page.locator("article math").first.is_visible()
        assert opened.page.locator(".sidebar-tree a").first.is_visible()
