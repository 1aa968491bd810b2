"""What the pages of a folder link to and load, read with the parser of the standard library."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
ELSEWHERE = re.compile(r"^(?:[a-z][a-z+.-]*:|//)", re.IGNORECASE)
IN_STYLES = re.compile(r"""(?:url\(\s*|@import\s+)["']?([^"')\s]+)""")
LINKS_LOADED = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect"}


@dataclass
class Page(HTMLParser):
    """The anchors, links and resources of a page."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    resources: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def __hash__(self) -> int:
        return id(self)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.ids |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "link" and LINKS_LOADED & set(found.get("rel", "").split()):
            self.resources.append(found["href"])
        if LOADED.get(tag) in found:
            self.resources.append(found[LOADED[tag]])
        self.resources += IN_STYLES.findall(found.get("style", ""))


@cache
def read_page(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text("utf-8"))
    return page


def list_pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def list_broken(site: Path) -> list[str]:
    """Links and resources of the site that lead to no file, or to no heading of it."""
    return [
        f"{path.relative_to(site)}: {link}"
        for path in list_pages(site)
        for link in [*read_page(path).links, *read_page(path).resources]
        if not ELSEWHERE.match(link) and not _leads_somewhere(site, path, link)
    ]


def follow(site: Path, path: Path, link: str) -> tuple[Path, str]:
    """The file and the anchor that a link of a page leads to."""
    address, anchor = urldefrag(link)
    target = (path.parent / unquote(urlsplit(address).path)).resolve() if address else path
    return (target / "index.html" if target.is_dir() else target), unquote(anchor)


def _leads_somewhere(site: Path, path: Path, link: str) -> bool:
    target, anchor = follow(site, path, link)
    if not target.is_file() or not target.is_relative_to(site.resolve()):
        return False
    return not anchor or target.suffix != ".html" or anchor in read_page(target).ids


def list_loaded_from_elsewhere(site: Path) -> Iterator[str]:
    """Scripts, styles, pictures and fonts that pages and style sheets load from other sites."""
    for path in list_pages(site):
        for resource in read_page(path).resources:
            if ELSEWHERE.match(resource) and not resource.startswith("data:"):
                yield f"{path.relative_to(site)}: {resource}"
    for path in sorted(site.rglob("*.css")):
        for resource in IN_STYLES.findall(path.read_text("utf-8")):
            if ELSEWHERE.match(resource) and not resource.startswith("data:"):
                yield f"{path.relative_to(site)}: {resource}"


def list_reached(site: Path) -> set[Path]:
    """The pages that links lead to from the first, one after the other."""
    waiting = [(site / "index.html").resolve()]
    reached = set(waiting)
    for path in waiting:
        for link in read_page(path).links:
            if not ELSEWHERE.match(link):
                target, _ = follow(site, path, link)
                if target.suffix == ".html" and target.is_file() and target not in reached:
                    reached.add(target)
                    waiting.append(target)
    return reached
