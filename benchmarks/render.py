"""Writes the page and its charts from stored results, without measuring."""

from pathlib import Path

from benchmarks.pages import build_page, read_stores
from benchmarks.plots import draw_growth
from benchmarks.workloads import complete


def write_pages(results: Path, docs: Path) -> None:
    """Write docs/explanation/performance.md and docs/pictures/growth-*.svg."""
    for path, content in list_pages(results, docs).items():
        with complete(path) as file:
            file.write(content)


def list_pages(results: Path, docs: Path) -> dict[Path, str]:
    """Return each file with its content."""
    stores = read_stores(results)
    charts = draw_growth(stores["growth"]) if "growth" in stores else {}
    pictures = {docs / "pictures" / f"{name}.svg": chart for name, chart in charts.items()}
    return {docs / "explanation" / "performance.md": build_page(stores), **pictures}
