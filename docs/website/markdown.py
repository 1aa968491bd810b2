"""What a Markdown file or a notebook links to."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

PARSER = MarkdownIt("commonmark").enable("table")


def list_links(text: str) -> list[str]:
    """Return the targets of links in a Markdown text that lead to files."""
    found = (token.attrGet("href") for token in _walk(PARSER.parse(text)))
    return [link for link in map(str, filter(None, found)) if is_local(link)]


def is_local(link: str) -> bool:
    """Return whether a link leads to a file, and not to a heading or another site."""
    return not link.startswith(("#", "mailto:")) and "://" not in link


def _walk(tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _walk(token.children or [])


def read_text(path: Path) -> str:
    """Return the Markdown of a file; of a notebook, that of its cells."""
    text = path.read_text("utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
    return "\n\n".join("".join(cell["source"]) for cell in cells)
