"""A browser for pages: headless Chromium.

It is Debian's, driven by its path; the driver comes with the extra ``peers``. Without them the
tests of the browser are skipped.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
Open = Callable[..., AbstractContextManager[Any]]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium, only as long as its tests run: the driver keeps an event loop running."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("chromium is not installed")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield launched
        launched.close()


class Watched:
    """A page in the browser, with what it said, asked for and failed at."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.requests: list[str] = []
        self.messages: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.messages.append(message.text))
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.on("dialog", lambda dialog: self.messages.append(dialog.message))


@pytest.fixture
def visit(browser: Any) -> Open:
    """Opens a file or an address; options are those of a context, such as ``color_scheme``."""

    @contextmanager
    def open_page(place: Path | str, **options: Any) -> Iterator[Watched]:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | options)
        watched = Watched(context.new_page())
        watched.page.goto(place.as_uri() if isinstance(place, Path) else place)
        yield watched
        context.close()

    return open_page
