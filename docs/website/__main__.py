"""Build the site: stage its pages, then let Sphinx write HTML. Warnings are errors."""

import argparse
import os
import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import build_main

from docs.website.map import read_map
from docs.website.stage import SERVED, stage

ROOT = Path(__file__).parents[2]
CONFIGURATION = Path(__file__).parent
STRICT = ["--fail-on-warning", "--keep-going", "--nitpicky", "--fresh-env"]


def main(words: list[str] | None = None) -> int:
    """Build into a folder, which is emptied first; return the exit code of Sphinx."""
    parser = argparse.ArgumentParser(prog="python -m docs.website", description=__doc__)
    parser.add_argument("output", nargs="?", type=Path, default=ROOT / "build" / "site")
    output: Path = parser.parse_args(words).output.resolve()
    work = output.with_name(f"{output.name}-work")
    for folder in (output, work):
        shutil.rmtree(folder, ignore_errors=True)
    stage(ROOT, work / "pages", read_map(ROOT / "docs" / "index.md"))
    folders = ["--conf-dir", CONFIGURATION, "--doctree-dir", work / "doctrees"]
    shutil.copytree(ROOT / SERVED, output / SERVED.relative_to("docs"))
    code = build_main([*STRICT, "--quiet", *map(str, [*folders, work / "pages", output])])
    if code == 0:
        sys.stdout.write(f"the site is in {os.path.relpath(output)}; begin with index.html\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
