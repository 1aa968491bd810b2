"""Pages in headless Chromium: what a person sees and does."""

from pathlib import Path
from typing import Any

import pytest

from groupwise import compare, evaluate
from tests.browsing import PHONE, Open
from tests.reporting.html.hostile import SIGNS

IN_FULL = 20
SCORES = ".queries tbody:not([hidden]) tr:not(.more) td:nth-of-type(4)"
KEYS = "cells => cells.map(cell => Number(cell.dataset.key))"
NOTHING = "–"  # noqa: RUF001


def values_of(page: Any, cells: str = SCORES) -> list[float]:
    return [float(text) for text in page.locator(cells).all_text_contents() if text != NOTHING]


@pytest.mark.parametrize("name", ["demo", "comparison"])
def test_nothing_is_requested_and_nothing_fails(
    visit: Open, name: str, request: pytest.FixtureRequest
) -> None:
    path: Path = request.getfixturevalue(name)
    with visit(path) as opened:
        opened.page.mouse.wheel(0, 20_000)
        opened.page.wait_for_timeout(50)
        assert opened.requests == [path.as_uri()]
        assert opened.messages == []


def test_the_policy_is_in_force(visit: Open, demo: Path) -> None:
    with visit(demo) as opened:
        opened.page.evaluate(
            "() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
            " document.body.append(s); const i = new Image(); i.src = 'http://127.0.0.1:9/x.png'; }"
        )
        opened.page.wait_for_timeout(100)
        assert opened.page.evaluate("() => window.ran") is None
        assert len([text for text in opened.messages if "Content Security Policy" in text]) >= 2


def test_columns_are_sorted_with_the_mouse(visit: Open, demo: Path) -> None:
    with visit(demo) as opened:
        page = opened.page
        head = page.locator(".queries thead th", has_text="recall@5")
        assert head.get_attribute("aria-sort") == "ascending"
        first = values_of(page)
        assert first == sorted(first)
        assert len(first) == IN_FULL
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == "descending"
        assert values_of(page) == sorted(first, reverse=True)
        assert page.locator(".queries [aria-sort]").count() == 1
        page.locator(".queries thead th", has_text="query").locator("button").click()
        ids = page.locator(".queries .id").all_text_contents()
        assert ids == sorted(ids)
        assert head.get_attribute("aria-sort") is None


def test_columns_are_sorted_with_the_keyboard(visit: Open, demo: Path) -> None:
    with visit(demo) as opened:
        page = opened.page
        page.locator("#search").focus()
        for _ in range(12):
            page.keyboard.press("Tab")
            if page.evaluate("() => document.activeElement.closest('th')?.textContent") == "met":
                break
        page.keyboard.press("Enter")
        shares = page.locator(".queries td.met").evaluate_all(KEYS)
        assert page.locator("th[aria-sort=ascending]").inner_text().strip().startswith("met")
        assert shares == sorted(shares)
        page.keyboard.press("Space")
        shares = page.locator(".queries td.met").evaluate_all(KEYS)
        assert shares == sorted(shares, reverse=True)


def test_queries_without_a_rank_stay_last(visit: Open, demo: Path) -> None:
    with visit(demo) as opened:
        button = opened.page.locator(".queries thead th", has_text="first_hit").locator("button")
        cells = opened.page.locator(".queries tbody tr:not(.more) td:nth-of-type(6)")
        for sign in (1, -1):
            button.click()
            texts = cells.all_text_contents()
            ranks = [sign * float(text) for text in texts if text != NOTHING]
            assert ranks == sorted(ranks)
            assert NOTHING not in texts[: len(ranks)]


def test_queries_are_filtered(visit: Open, demo: Path) -> None:
    with visit(demo) as opened:
        page = opened.page
        items = page.locator(".queries tbody, .compact tbody tr").all_text_contents()
        wanted = [text for text in items if "pubmed-2" in text.lower()]
        assert 1 < len(wanted) < 100
        page.locator("#search").fill("PubMed-2")
        page.locator("#shown", has_text=f"{len(wanted)} of 250 found").wait_for()
        assert page.locator("#rest").get_attribute("open") is not None
        left = ".queries tbody:not([hidden]), .compact tbody tr:not([hidden])"
        assert page.locator(left).all_text_contents() == wanted
        page.locator("#search").fill("")
        page.locator("#state").select_option("complete")
        page.locator("#shown", has_text=" of 250 found").wait_for()
        page.wait_for_timeout(200)
        met = page.locator(".queries tbody:not([hidden]) td.met").all_text_contents()
        assert all(text.split(" of ")[0] == text.split(" of ")[1] for text in met)
        page.locator("#state").select_option("not_retrieved")
        missed = page.locator(".queries tbody:not([hidden]) .first").all_text_contents()
        assert missed
        assert all("not retrieved" in text for text in missed)


def test_a_query_unfolds_by_mouse_and_keyboard(visit: Open, demo: Path) -> None:
    with visit(demo) as opened:
        page = opened.page
        fold = page.locator("tr.more details").first
        ranking = fold.locator(".ranking li")
        assert not ranking.first.is_visible()
        fold.locator("summary").click()
        assert ranking.first.is_visible()
        late = page.locator(".queries tbody").first.locator(".first .miss b").all_text_contents()
        ranks = ranking.evaluate_all("items => items.map(item => item.value)")
        assert ranks == [1, 2, 3, 4, 5, *sorted(int(rank) for rank in late if rank != NOTHING)]
        fold.locator("summary").focus()
        page.keyboard.press("Enter")
        assert not ranking.first.is_visible()
        page.keyboard.press("Space")
        assert ranking.first.is_visible()
        page.locator("#unfold").click()
        assert page.locator("tr.more details[open]").count() == IN_FULL
        page.locator("#unfold").click()
        assert page.locator("tr.more details[open]").count() == 0


def test_the_meaning_of_a_metric_is_shown_on_demand(visit: Open, demo: Path) -> None:
    with visit(demo) as opened:
        fold = opened.page.locator(".meaning").first
        assert not fold.locator("p").first.is_visible()
        fold.locator("summary").click()
        assert fold.locator("p").first.is_visible()


def test_the_page_is_read_without_script(visit: Open, demo: Path) -> None:
    with visit(demo, java_script_enabled=False) as opened:
        page = opened.page
        assert not page.locator(".controls").is_visible()
        assert page.locator(".queries tbody").first.is_visible()
        page.locator("tr.more summary").first.click()
        assert page.locator(".ranking li").first.is_visible()
        page.locator("#rest > summary").click()
        assert page.locator(".compact tbody tr").first.is_visible()


@pytest.mark.parametrize("name", ["demo", "comparison", "hostile"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_phone(
    visit: Open, name: str, scheme: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    with visit(request.getfixturevalue(name), color_scheme=scheme, **PHONE) as opened:
        page = opened.page
        assert page.evaluate("() => document.documentElement.scrollWidth") == 390
        ground = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
        brightness = sum(map(int, ground.strip("rgb()").split(",")))
        assert (brightness > 600) is (scheme == "light")
        assert page.screenshot(path=tmp_path / "phone.png").startswith(b"\x89PNG")


WIDER = "boxes => boxes.filter(box => box.scrollWidth > box.clientWidth).length"


def test_long_ids_hide_no_column(visit: Open, tmp_path: Path) -> None:
    long, path = "x" * 400, tmp_path / "long.html"
    evaluate({long: [[long], ["b"]]}, {long: [long]}, metrics="recall@5").to_html(path)
    with visit(path) as opened:
        opened.page.locator("tr.more summary").first.click()
        assert opened.page.locator(".scroll:has(.queries)").evaluate_all(WIDER) == 0
    runs = {"old": {long: [long]}, "new": {long: ["x"]}}
    compare({long: [[long]]}, runs, metrics="recall@5").to_html(path)
    with visit(path) as opened:
        assert opened.page.locator(".scroll:has(.changes)").evaluate_all(WIDER) == 0


def test_changes_and_gates_are_whole_on_a_phone(visit: Open, demo: Path, comparison: Path) -> None:
    for path, table in ((demo, ".gates"), (comparison, ".changes")):
        with visit(path, **PHONE) as opened:
            assert opened.page.locator(f".scroll:has({table})").evaluate_all(WIDER) == 0
            assert opened.page.locator(f"{table} thead th").first.is_visible()
            assert opened.page.locator(f"{table} tbody td").last.is_visible()


def test_print_leaves_out_controls_and_keeps_tables(visit: Open, demo: Path) -> None:
    with visit(demo, color_scheme="dark") as opened:
        page = opened.page
        page.emulate_media(media="print")
        assert not page.locator(".controls").is_visible()
        assert page.locator(".queries tbody").first.is_visible()
        ground = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
        assert ground == "rgb(255, 255, 255)"
        assert page.pdf().startswith(b"%PDF")


def test_tables_fit_on_paper(visit: Open, demo: Path, comparison: Path) -> None:
    """A4 at 96 pixels an inch is 794 pixels wide."""
    for path in (demo, comparison):
        with visit(path, viewport={"width": 794, "height": 1123}) as opened:
            opened.page.emulate_media(media="print")
            assert opened.page.evaluate("() => document.documentElement.scrollWidth") <= 794


def test_hostile_data_runs_nothing(visit: Open, hostile: Path) -> None:
    with visit(hostile) as opened:
        page = opened.page
        page.locator("#unfold").click()
        for cell in page.locator(".queries th.query, .first span, .ranking .result").all()[:60]:
            cell.hover()
        for button in page.locator(".queries thead button").all():
            button.click()
        page.locator("#search").fill("<script>")
        page.locator("#shown", has_text="of").wait_for()
        page.wait_for_timeout(100)
        assert page.evaluate("() => window.ran") is None
        assert opened.messages == []
        assert opened.requests == [hostile.as_uri()]
        assert page.locator("script").count() == 1
        page.locator("#search").fill("")
        shown = page.locator("main").text_content()
        assert all(sign in shown for sign in SIGNS if sign.isprintable())
        assert "\\x1b[31mred\\x1b]0;owned\\x07" in shown
        assert "a\\u202egnp.exe\\u2066" in shown


@pytest.mark.nightly
def test_ten_thousand_queries_are_small_and_painted_at_once(visit: Open, many: Path) -> None:
    assert many.stat().st_size < 5_000_000
    paints = []
    for _ in range(3):
        with visit(many) as opened:
            paints.append(
                opened.page.evaluate(
                    "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
                )
            )
    assert min(paints) < 1_000
    with visit(many) as opened:
        page = opened.page
        page.locator("#search").fill("query-0777")
        page.locator("#shown", has_text="10 of 10000 found").wait_for()
        page.locator("#search").fill("")
        page.locator("#shown", has_text="10000 of 10000 found").wait_for()
        rows = page.locator(".compact tbody tr:not([hidden])")
        assert rows.count() == 500
        page.locator(".compact thead button").first.click()
        ids = rows.locator("th").all_text_contents()
        assert ids == sorted(ids)
        page.get_by_role("button", name="Show 500 more of 9900").click()
        assert rows.count() == 1_000
