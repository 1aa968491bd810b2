"""`python -m showcase`: run the story; compare its page with docs/showcase.md, or write it."""

import argparse
import difflib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "showcase.md"
FOLDER = Path("build") / "showcase"


def main() -> int:
    """Run the story; return 1 if its page is not the one in docs."""
    options = _options()
    from showcase.story import tell  # noqa: PLC0415  (after the help, which needs no retrievers)

    page = tell(options.folder, say=print)
    (options.folder / "showcase.md").write_text(page, "utf-8")
    print("Look at these in a browser: report.html, comparison.html in", options.folder)
    if options.write:
        PAGE.write_text(page, "utf-8")
        return 0
    return _compare(page)


def _compare(page: str) -> int:
    """Say how the page differs from that of the documentation."""
    known = PAGE.read_text("utf-8").splitlines(keepends=True)
    found = page.splitlines(keepends=True)
    differences = [*difflib.unified_diff(known, found, "docs/showcase.md", "this run")]
    sys.stdout.writelines(differences)
    if not differences:
        print("Every number is that of docs/showcase.md.")
    return 1 if differences else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m showcase", description=__doc__)
    add = parser.add_argument
    add("--folder", type=Path, default=FOLDER, help=f"where files go (default: {FOLDER})")
    add("--write", action="store_true", help="write docs/showcase.md")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
