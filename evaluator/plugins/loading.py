"""Load plugins: modules that declare metrics, formats, matchers, rules or report forms.

Importing a module registers what it declares. The command line imports the modules named
with ``--plugin``; those that installed packages list under the entry point group ``groupwise`` are
imported when a name is unknown or a list is asked for, and not before: searching all packages takes
longer than most evaluations.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import SourceFileLoader
from threading import RLock
from types import ModuleType, TracebackType

from groupwise.evaluator.errors import PluginError

GROUP = "groupwise"
SECTION = b"[groupwise]"
PACKAGES = (".dist-info", ".egg-info")
FILES = "groupwise_plugins"
"""Plugin files are imported under this name and theirs, so that they shadow no other module."""

_lock = RLock()
_loaded: dict[str, None] = {}
_searched = False


def load_plugin(plugin: str) -> None:
    """Import a plugin: a module by its name, or a file by its path.

    Raises:
        PluginError: It cannot be found, or importing it fails.
    """
    with _lock, _explain_failure(f"plugin {plugin!r}"):
        name = _import_file(plugin) if plugin.endswith(".py") else _import_name(plugin)
        _loaded[name] = None


def list_loaded() -> list[str]:
    """Return the plugins that were loaded, so that another process can load them in this order."""
    files = f"{FILES}."
    return [str(sys.modules[name].__file__) if name.startswith(files) else name for name in _loaded]


@contextmanager
def _explain_failure(plugin: str) -> Iterator[None]:
    """Raise one PluginError for whatever a plugin raises while it is imported."""
    try:
        yield
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        raise PluginError(f"{plugin} cannot be loaded: {reason}") from error


def _import_name(name: str) -> str:
    """Import a module, also from the current folder, as ``python -m`` does."""
    with _current_folder_on_path():
        import_module(name)
    return name


@contextmanager
def _current_folder_on_path() -> Iterator[None]:
    here = os.getcwd()  # noqa: PTH109  (here and below: pathlib is slow to load)
    if here in sys.path:
        yield
        return
    sys.path.append(here)
    try:
        yield
    finally:
        sys.path.remove(here)


def _import_file(path: str) -> str:
    """Run a file as a module, unless that was done before."""
    name = f"{FILES}.{os.path.basename(path).removesuffix('.py')}"  # noqa: PTH119
    full = os.path.realpath(path)
    if name in sys.modules and sys.modules[name].__file__ == full:
        return name
    sys.modules.setdefault(FILES, ModuleType(FILES))  # pickle imports it before its modules
    module = sys.modules[name] = ModuleType(name)
    module.__file__ = full
    try:
        SourceFileLoader(name, full).exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return name


def load_installed() -> bool:
    """Import the plugins of all installed packages; return False if that was done before.

    Raises:
        PluginError: Importing one of them fails; the message names its package.
    """
    global _searched  # noqa: PLW0603
    with _lock:
        if _searched:
            return False
        if any(map(_may_hold_plugins, sys.path)):
            _load_entry_points()
        _searched = True
        return True


def _may_hold_plugins(folder: str) -> bool:
    """Whether a folder may have packages with plugins; importing ``importlib.metadata`` costs more.

    Anything else on the path, such as an archive, may.
    """
    try:
        with os.scandir(folder or ".") as entries:
            packages = [entry.path for entry in entries if entry.name.endswith(PACKAGES)]
    except OSError:
        return os.path.exists(folder)  # noqa: PTH110
    return any(map(_mentions_group, packages))


def _mentions_group(package: str) -> bool:
    try:
        with open(f"{package}/entry_points.txt", "rb") as file:  # noqa: PTH123
            return SECTION in file.read()
    except OSError:
        return False


def _load_entry_points() -> None:
    from importlib.metadata import entry_points  # noqa: PLC0415  (slow, and seldom needed)

    for point in entry_points(group=GROUP):
        package = f" of {point.dist.name} {point.dist.version}" if point.dist else ""
        with _explain_failure(f"the plugin {point.name!r}{package}"):
            point.load()
            _loaded[point.module] = None


def plugin_in(traceback: TracebackType | None) -> str | None:
    """Return the innermost place in a plugin that an exception passed through."""
    place = None
    while traceback is not None:
        frame = traceback.tb_frame
        module = frame.f_globals.get("__name__", "")
        if any(module == name or module.startswith(f"{name}.") for name in _loaded):
            place = f"{frame.f_code.co_filename}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return place
