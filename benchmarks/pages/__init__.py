"""The page about the suite, docs/explanation/performance.md, written from stored results alone."""

from collections.abc import Callable
from pathlib import Path

from benchmarks.pages.files import show_files
from benchmarks.pages.fixed import show_fixed_costs
from benchmarks.pages.growth import show_growth
from benchmarks.pages.memory import show_memory
from benchmarks.pages.objects import show_objects
from benchmarks.pages.opening import show_opening
from benchmarks.pages.promises import show_promises
from benchmarks.pages.rerun import RERUN
from benchmarks.pages.scale import show_scale
from benchmarks.store import RESULTS, Store, read_store

Stores = dict[str, Store]
PARTS: dict[str, Callable[[Store], str]] = {
    "objects": show_objects,
    "files": show_files,
    "starts": show_fixed_costs,
    "memory": show_memory,
    "scale": show_scale,
    "growth": show_growth,
    "acceptance": show_promises,
}


def build_page(stores: Stores) -> str:
    """Return the page; a section that was not measured is left out."""
    parts = [_show(name, stores) for name in PARTS if name in stores]
    return "\n".join([show_opening(stores), *parts, RERUN])


def _show(name: str, stores: Stores) -> str:
    """Return a section, and where it was measured, if that is not as in the first one."""
    store = stores[name]
    text = PARTS[name](store)
    if store.setting == next(iter(stores.values())).setting:
        return text
    heading, _, rest = text.partition("\n")
    where = (
        f"Measured apart from the rest: {store.setting['machine']}; {store.setting['versions']}."
    )
    return f"{heading}\n\n{where}\n{rest}"


def read_stores(folder: Path = RESULTS) -> Stores:
    """Read the results of all sections that were measured, in the order of the page."""
    paths = {name: folder / f"{name}.json" for name in ("agreement", *PARTS)}
    order = sorted(paths, key=lambda name: name == "agreement")
    return {name: read_store(paths[name]) for name in order if paths[name].exists()}
