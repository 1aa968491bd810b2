"""The map of all pages, docs/index.md, read as sections of links: what the sidebar shows."""

from dataclasses import dataclass
from pathlib import Path

from docs.website.markdown import list_links


@dataclass(frozen=True)
class Topic:
    """A heading of the map: its level, its title, and the lines up to the next heading."""

    level: int
    title: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """What stands below the heading."""
        return "\n".join(self.lines)

    @property
    def slug(self) -> str:
        """The title as part of an address."""
        return "-".join(self.title.lower().replace(",", "").split())

    @property
    def pages(self) -> list[str]:
        """The pages that it links, as paths below docs/, each once."""
        links = [link.partition("#")[0] for link in list_links(self.text)]
        return list(dict.fromkeys(link for link in links if link.endswith((".md", ".ipynb"))))


def read_map(path: Path) -> list[Topic]:
    """Return the headings of the map in order; the first is its title."""
    topics: list[Topic] = []
    for line in path.read_text("utf-8").splitlines():
        marks, _, title = line.partition(" ")
        if marks and not marks.strip("#"):
            topics.append(Topic(len(marks), title, ()))
        elif topics:
            last = topics.pop()
            topics.append(Topic(last.level, last.title, (*last.lines, line)))
    return topics
