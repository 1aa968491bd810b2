"""Files and folders of the repository as pages, for links that lead to them."""

import re
from pathlib import Path

LANGUAGES = {".py": "python", ".json": "json", ".yml": "yaml", ".yaml": "yaml", ".toml": "toml"}


def render(root: Path, path: str) -> str:
    """Return a page that shows a file, or lists a folder."""
    target = root / path
    return f"# `{path}`\n\n{_list(target) if target.is_dir() else _quote(target)}"


def _quote(path: Path) -> str:
    text = path.read_text("utf-8")
    longest = max(map(len, re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{LANGUAGES.get(path.suffix, 'text')}\n{text.rstrip()}\n{fence}\n"


def _list(folder: Path) -> str:
    """Return the files and folders of a folder; pages are linked."""
    names = [child.name + "/" * child.is_dir() for child in sorted(folder.iterdir())]
    shown = [name for name in names if name.endswith((".md", ".py", "/")) and name[0] not in "._"]
    linked = {name for name in shown if name.endswith(".md")}
    return "\n".join(f"- [{n}]({folder.name}/{n})" if n in linked else f"- `{n}`" for n in shown)
