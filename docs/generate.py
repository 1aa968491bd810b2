"""Write the generated pages, charts and the stub, or with --check list those that are stale."""  # noqa: INP001

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from generator.action import ci_page
from generator.api import api_page
from generator.charts import charts
from generator.cli import cli_page
from generator.file_schemas import file_schemas
from generator.files import files_page
from generator.formats import formats_page
from generator.limits import limits_page
from generator.metrics import metrics_page
from generator.policies import policies_page
from generator.rules import rules_page
from generator.seams import seams_page
from generator.stubs import metrics_stub

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs" / "reference"
GENERATED = "<!-- Written by docs/generate.py; run `make docs` to update it. -->\n\n"


PAGES = {
    "metrics": metrics_page,
    "rules": rules_page,
    "policies": policies_page,
    "limits": limits_page,
    "files": files_page,
    "formats": formats_page,
    "api": api_page,
    "seams": seams_page,
    "cli": cli_page,
}


def pages() -> Iterator[tuple[Path, str]]:
    """Every generated file with its content."""
    for name, page in PAGES.items():
        yield REFERENCE / f"{name}.md", _tidy(GENERATED + page())
    for name, schema in file_schemas().items():
        content = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        yield REFERENCE / "schemas" / f"{name}.schema.json", content
    for name, chart in charts().items():
        yield ROOT / "docs" / "pictures" / f"{name}.svg", chart
    yield ROOT / "docs" / "how-to" / "ci.md", ci_page()
    yield ROOT / "groupwise" / "metrics.pyi", metrics_stub()


def _tidy(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


def stale() -> list[tuple[Path, str]]:
    """The files that would change if they were written now."""
    return [
        (path, content)
        for path, content in pages()
        if not path.exists() or path.read_text("utf-8") != content
    ]


def main() -> int:
    """Write the stale files, or list them."""
    found = stale()
    check = "--check" in sys.argv[1:]
    for path, content in found:
        what = "not current" if check else "written"
        sys.stdout.write(f"{what}: {path.relative_to(ROOT)}\n")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")
    return int(check and bool(found))


if __name__ == "__main__":
    sys.exit(main())
