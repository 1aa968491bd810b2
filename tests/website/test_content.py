"""What the site shows: the landing page, all pages, formulas, notebooks, and public names."""

import re
import zlib
from html import unescape
from pathlib import Path

import groupwise
from tests.paths import ROOT
from tests.website.crawler import follow, read_page

DOCS = ROOT / "docs"


def read(path: Path) -> str:
    """The visible text of a page, on one line."""
    article = re.search(r"<article.*?</article>", path.read_text("utf-8"), re.DOTALL)
    assert article is not None
    return " ".join(unescape(re.sub(r"<[^>]+>", "", article[0])).split())


def test_the_first_screen_says_what_it_is_and_shows_a_failure(site: Path) -> None:
    text = read(site / "index.html")
    assert "against grouped ground truth" in text[:300]
    assert "A failure" in text[:600]
    assert "not retrieved" in text


def test_the_landing_page_says_what_the_showcase_found(site: Path) -> None:
    page = (DOCS / "showcase.md").read_text("utf-8")
    found = page.partition("**What was found**")[2].partition("## ")[0]
    said = [re.sub(r"[*`]", "", " ".join(line.split())) for line in found.split("\n- ")[1:]]
    assert len(said) > 2
    assert [line for line in said if line not in read(site / "index.html")] == []


def test_every_page_of_the_documentation_is_on_the_site(site: Path) -> None:
    sources = [*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")]
    names = {path.relative_to(DOCS).with_suffix(".html").as_posix() for path in sources}
    names -= {"website/landing.html", "index.html"}
    project = {f"project/{name}.html" for name in ("changelog", "contributing", "security")}
    found = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    assert names | project | {"index.html", "map.html"} <= found


def test_the_sidebar_leads_to_every_page(site: Path) -> None:
    """The sidebar of one page has all others, but those that are there for links only."""
    page = site / "tutorial.html"
    linked = {follow(site, page, link)[0] for link in read_page(page).links}
    missing = [
        path.relative_to(site).as_posix()
        for path in sorted(site.rglob("*.html"))
        if path.resolve() not in linked and path.name != "search.html"
    ]
    assert [name for name in missing if not name.startswith("repository/")] == [
        "project/readme.html"
    ]


def test_formulas_are_drawn(site: Path) -> None:
    source = (DOCS / "reference" / "metrics.md").read_text("utf-8")
    page = (site / "reference" / "metrics.html").read_text("utf-8")
    assert page.count('display="block"') == source.count("```math") > 30
    assert page.count("<math ") > source.count("```math") + 20
    assert "<merror" not in page
    assert "\\frac" not in page
    first = re.search(r'id="autorag-precision".*?(<math.*?</math>)', page, re.DOTALL)
    assert first is not None
    assert re.sub(r"<[^>]+>|\s", "", first[1]) == "|{ri\u2236i≤k,rimeetsagroup}|nk"


def test_public_names_are_objects_that_other_sites_can_link(site: Path) -> None:
    body = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    lines = zlib.decompress(body).decode().splitlines()
    objects = {line.split()[0]: line.split()[1:] for line in lines if " py:" in line}
    public = {f"groupwise.{name}" for name in groupwise.__all__ if name[0] != "_"}
    modules = {"groupwise.metrics", "groupwise.testing"}
    assert public - modules <= objects.keys()
    assert objects["groupwise.evaluate"][0] == "py:function"
    assert objects["groupwise.InputError"][0] == "py:exception"
    assert objects["groupwise.Report"][0] == "py:class"
    assert "evaluate (function)" in read_index(site)


def read_index(site: Path) -> str:
    return unescape(re.sub(r"<[^>]+>", "", (site / "genindex.html").read_text("utf-8")))


def test_a_link_to_a_file_shows_the_file(site: Path) -> None:
    page = site / "project" / "contributing.html"
    targets = [follow(site, page, link)[0] for link in read_page(page).links]
    rule = [path for path in targets if path.name == "rule.py.html"]
    assert rule
    source = (ROOT / "evaluator" / "validation" / "rules" / "rule.py").read_text("utf-8")
    assert " ".join(source.split())[:500] in read(rule[0])
    schema = site / "reference" / "schemas" / "run.schema.json"
    assert schema.read_bytes() == (DOCS / "reference" / "schemas" / schema.name).read_bytes()


def test_notebooks_are_pages(site: Path) -> None:
    for path in (DOCS / "notebooks").glob("*.ipynb"):
        text = read(site / "notebooks" / f"{path.stem}.html")
        assert "from groupwise import" in text
