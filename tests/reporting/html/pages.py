"""Pages as tests read them: the tags with their attributes, and the text."""

from html.parser import HTMLParser
from typing import NamedTuple

RAW = ("style", "script", "title")


class Tag(NamedTuple):
    name: str
    attributes: dict[str, str]


class Page(HTMLParser):
    """What a page holds: tags in their order, the text that is read, and the raw texts.

    ``shape`` has the tags outside charts and the names of their attributes: what data must not
    change. ``drawn`` has the tags of charts, whose number depends on the length of texts.
    """

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[Tag] = []
        self.raw: dict[str, list[str]] = {name: [] for name in RAW}
        self._parts: list[str] = []
        self._inside: str | None = None
        self._svg = 0
        self.drawn: set[str] = set()
        self.shape: list[tuple[str, tuple[str, ...]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(Tag(tag, {name: value or "" for name, value in attrs}))
        self._inside = tag if tag in RAW else None
        self._svg += tag == "svg"
        if self._svg:
            self.drawn.add(tag)
        else:
            self.shape.append((tag, tuple(sorted(name for name, _ in attrs))))

    def handle_endtag(self, tag: str) -> None:
        self._svg -= tag == "svg"
        if tag == self._inside:
            self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.raw[self._inside].append(data)
        else:
            self._parts.append(data)

    @property
    def cells(self) -> str:
        """The text, with a space between all parts of it."""
        return " ".join(" ".join(self._parts).split())

    @property
    def text(self) -> str:
        return " ".join("".join(self._parts).split())

    def find(self, name: str, **wanted: str) -> list[Tag]:
        return [
            tag
            for tag in self.tags
            if tag.name == name and all(tag.attributes.get(k) == v for k, v in wanted.items())
        ]
