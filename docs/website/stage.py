"""The pages of the site, put into one folder for Sphinx.

Pages are copied from docs/ as they are. Files elsewhere in the repository that a page links to
become pages too, so that no link leads off the site. ``origins.json`` says which file each page is
from; the extension ``links`` resolves links with it, as the repository does.
"""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from docs.website import sidebar, sources
from docs.website.landing import write_landing
from docs.website.map import Topic
from docs.website.markdown import list_links, read_text

ORIGINS = "origins.json"
NAMED = {
    "docs/website/landing.md": "index",
    "docs/index.md": "map",
    "README.md": "project/readme",
    "CHANGELOG.md": "project/changelog",
    "CONTRIBUTING.md": "project/contributing",
    "SECURITY.md": "project/security",
}
PAGES = (".md", ".ipynb")
SERVED = PurePosixPath("docs/reference/schemas")
"""A folder that is on the site as it is."""
ASIDE = "---\norphan: true\nno-search: true\n---\n\n"
"""Pages beside the site: found by a link, but neither in the sidebar nor by a search."""


def stage(root: Path, folder: Path, topics: list[Topic]) -> None:
    """Write everything that Sphinx reads into an empty folder."""
    pages = find_pages(root)
    for path, name in pages.items():
        _write(folder, name, path, _read_page(root, path, topics))
    for name, text in sidebar.write_topics(topics):
        _write(folder, name, "docs/index.md", text)
    shutil.copytree(root / "docs" / "pictures", folder / "pictures")
    origins = {name: path for path, name in pages.items()}
    origins |= {name: "docs/index.md" for name, _ in sidebar.write_topics(topics)}
    (folder / ORIGINS).write_text(json.dumps(origins, indent=1), "utf-8")


def find_pages(root: Path) -> dict[str, str]:
    """Return the name of the page of every file that has one, by the path of the file."""
    pages = dict(NAMED)
    for path in sorted((root / "docs").rglob("*")):
        if path.suffix in PAGES and path.is_file():
            pages.setdefault(path.relative_to(root).as_posix(), _name(path, root / "docs"))
    waiting = list(pages)
    for path in waiting:
        for linked in _list_linked(root, path):
            if linked not in pages and not is_served(linked):
                pages[linked] = f"repository/{linked.removeprefix('.').removesuffix('.md')}"
                waiting.append(linked)
    return pages


def is_served(path: str) -> bool:
    """Return whether a file of the repository is on the site as it is."""
    return PurePosixPath(path).is_relative_to(SERVED)


def resolve(path: str, link: str) -> str:
    """Return the path in the repository that a link of a file leads to, without its anchor."""
    target = link.partition("#")[0]
    return os.path.normpath(PurePosixPath(path).parent / target).replace(os.sep, "/")


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).with_suffix("").as_posix()


def _list_linked(root: Path, path: str) -> Iterator[str]:
    if path.endswith(PAGES):
        for link in list_links(read_text(root / path)):
            if (root / resolve(path, link)).exists():
                yield resolve(path, link)


def _read_page(root: Path, path: str, topics: list[Topic]) -> str:
    if not path.endswith(PAGES):
        return ASIDE + sources.render(root, path)
    text = (root / path).read_text("utf-8")
    if NAMED.get(path) == "index":
        return write_landing(text, root / "docs" / "showcase.md") + sidebar.write_contents(topics)
    is_aside = path == "README.md" or (not path.startswith("docs/") and path not in NAMED)
    return ASIDE + text if is_aside else text


def _write(folder: Path, name: str, path: str, text: str) -> None:
    suffix = ".ipynb" if path.endswith(".ipynb") else ".md"
    page = folder / f"{name}{suffix}"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, "utf-8")
