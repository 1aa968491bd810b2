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
WIDTH = 1100
PICTURES = {"report.png": ("body", 1270), "report-queries.png": ("#queries", 900)}
"""Each file, the element at the top of the picture, and the height in pixels."""


def main(report: str) -> None:
    """Write each picture."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for name, (element, height) in PICTURES.items():
            page = browser.new_page(viewport={"width": WIDTH, "height": height})
            page.goto(Path(report).resolve().as_uri())
            _unfold_one(page)
            page.locator(element).first.evaluate("element => element.scrollIntoView()")
            page.screenshot(path=FOLDER / name)
        browser.close()


def _unfold_one(page: Page) -> None:
    """Open a query, so that a ranking is seen."""
    page.locator("tr.more summary").nth(2).evaluate("summary => summary.click()")


if __name__ == "__main__":
    main(sys.argv[1])
