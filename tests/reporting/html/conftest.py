"""A browser for pages, and the pages that it opens.

Chromium is Debian's, driven by its path; axe-core comes from npm. ``.ci/run`` installs both, and
the driver with the extra ``browser``. Without them the tests of the browser are skipped.
"""

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from groupwise import compare, evaluate
from tests.paths import RETRIEVERS, ROOT
from tests.reporting.html.hostile import SIGNS, build

AXE = ROOT / "build" / "browser" / "node_modules" / "axe-core" / "axe.min.js"
GATES = ["recall@5 >= 0.9", "ndcg@10 >= 0.5"]
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


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed (npm install --prefix build/browser axe-core)")
    return AXE.read_text(encoding="utf-8")


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
    """Opens a file; options are those of a browser context, such as ``color_scheme``."""

    @contextmanager
    def open_file(path: Path, **options: Any) -> Iterator[Watched]:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | options)
        watched = Watched(context.new_page())
        watched.page.goto(path.as_uri())
        yield watched
        context.close()

    return open_file


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a shipped retriever."""
    report = evaluate(
        str(RETRIEVERS / "ground_truth.jsonl"), str(RETRIEVERS / "bm25.jsonl"),
        metrics=["recall@5", "ndcg@10", "first_hit"], profile="coverage", by="corpus", gates=GATES,
    )  # fmt: skip
    path = tmp_path_factory.mktemp("demo") / "report.html"
    report.to_html(path, worst=20)
    return path


@pytest.fixture(scope="session")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The comparison of three shipped retrievers."""
    runs = {name: str(RETRIEVERS / f"{name}.jsonl") for name in ("bm25", "fusion", "trigrams")}
    found = compare(str(RETRIEVERS / "ground_truth.jsonl"), runs, metrics=["recall@5", "ndcg@10"])
    path = tmp_path_factory.mktemp("comparison") / "comparison.html"
    found.to_html(path)
    return path


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report whose ids, queries, texts and labels would act on the page."""
    truth, run = [], []
    for number, sign in enumerate(SIGNS):
        truths, results = build(sign)
        truth.append({**truths[0], "metadata": {"type": sign}})
        run.append(results[0])
        truth.append({**truths[1], "id": f"{sign} {number}"})
        run.append({**results[1], "id": f"{sign} {number}"})
    report = evaluate(truth, run, metrics=["recall@1", "mrr"], by=["type", "label"])
    path = tmp_path_factory.mktemp("hostile") / "report.html"
    report.to_html(path, worst=len(SIGNS))
    return path


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of 10,000 queries with 100 results each."""
    chance = random.Random(7)  # noqa: S311
    truth, run = [], []
    for number in range(10_000):
        groups = [
            [f"doc-{chance.randrange(10**6):06}" for _ in range(chance.randint(1, 3))]
            for _ in range(chance.randint(1, 4))
        ]
        results = [f"doc-{chance.randrange(10**6):06}" for _ in range(100)]
        for group in groups:
            results[chance.randrange(100)] = chance.choice([group[0], results[0]])
        query = f"query-{number:05}"
        text = f"What is the answer to question number {number} about the things we store?"
        truth.append({"id": query, "query": text, "ground_truth": groups})
        run.append({"id": query, "results": list(dict.fromkeys(results))})
    path = tmp_path_factory.mktemp("many") / "report.html"
    evaluate(truth, run).to_html(path)
    return path
