"""Draw the pictures of the documentation: what `make pictures` runs.

    python docs/pictures/draw.py build/demo/report.html

opens a report in headless Chromium, driven by playwright, and writes PNG files beside this script.
"""

# ruff: noqa: INP001  (a script)

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).parent
PICTURES = {"report.png": ("body", 1100, 1270), "report-queries.png": ("#queries", 1280, 950)}
"""Each file, the element at the top of the picture, and its width and height in pixels."""


def main(report: str) -> None:
    """Write each picture."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for name, (element, width, height) in PICTURES.items():
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(Path(report).resolve().as_uri())
            _unfold_one(page)
            page.locator(element).first.evaluate("element => element.scrollIntoView()")
            page.screenshot(path=FOLDER / name)
        browser.close()


def _unfold_one(page: Page) -> None:
    """Open a query, so that a ranking is seen."""
    page.locator("tr.more summary").nth(1).evaluate("summary => summary.click()")


if __name__ == "__main__":
    main(sys.argv[1])
