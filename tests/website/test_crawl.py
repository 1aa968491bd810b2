"""A crawl of the site: every link and anchor leads somewhere, and nothing comes from elsewhere."""

from pathlib import Path

from tests.website.crawler import list_broken, list_loaded_from_elsewhere, list_pages, list_reached


def test_every_link_and_anchor_leads_somewhere(site: Path) -> None:
    assert len(list_pages(site)) > 100
    assert list_broken(site) == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    assert list(list_loaded_from_elsewhere(site)) == []


def test_every_page_is_reached_from_the_first(site: Path) -> None:
    reached = {*list_reached(site), (site / "search.html").resolve()}  # by the form
    assert [path for path in list_pages(site) if path.resolve() not in reached] == []


def test_the_crawler_finds_what_is_broken(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "style.css").write_text('@import "https://e.x/a.css"; p{background:url(//e.x/b)}')
    (tmp_path / "index.html").write_text(
        '<p id=here><a href="#here">1</a><a href="#nowhere">2</a><a href="deep/a.html#top">3</a>'
        '<a href="deep/">4</a><a href="b.html">5</a><a href="https://e.x/">6</a>'
        '<a href="../outside.html">7</a><img src="no.png"><script src="https://e.x/s.js"></script>'
        '<link rel="stylesheet" href="style.css"><i style="background: url(http://e.x/i)"></i>'
    )
    (tmp_path / "deep" / "a.html").write_text('<a name="top" href="../index.html#here">up</a>')
    (tmp_path / "lost.html").write_text("<p>")
    broken = ["#nowhere", "deep/", "b.html", "../outside.html", "no.png"]
    assert list_broken(tmp_path) == [f"index.html: {link}" for link in broken]
    assert list(list_loaded_from_elsewhere(tmp_path)) == [
        "index.html: https://e.x/s.js",
        "index.html: http://e.x/i",
        "style.css: https://e.x/a.css",
        "style.css: //e.x/b",
    ]
    names = {path.name for path in list_reached(tmp_path)}
    assert "a.html" in names
    assert "lost.html" not in names
