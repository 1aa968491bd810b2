"""Build hook: compiles the walk over ids. Without a C compiler the package runs on its fallback."""

import os
import platform
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

MODULE = "_compiled"
SOURCES = "evaluator/native"


class CompiledWalk(BuildHookInterface):
    """Adds the compiled module to wheels; editable installs get it beside its source."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the module and tag the wheel for this platform, if there is a compiler."""
        if not is_wanted():
            return
        root, editable = Path(self.root), version == "editable"
        self._folder = tempfile.TemporaryDirectory()
        folder = root / "evaluator/native" if editable else Path(self._folder.name)
        built = compiled(root / SOURCES, folder, debuggable=editable)
        if not built.exists():
            self.app.display_warning("no C compiler: groupwise is built without its compiled part")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        if not editable:
            build_data["force_include"][str(built)] = f"groupwise/evaluator/native/{built.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        if is_wanted():
            self._folder.cleanup()


def is_wanted() -> bool:
    """Whether this Python can use the module, and no pure-Python wheel was asked for."""
    threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    asked = os.environ.get("GROUPWISE_PURE") in (None, "", "0")
    return asked and not threaded and platform.python_implementation() == "CPython"


def compiled(sources: Path, folder: Path, *, debuggable: bool) -> Path:
    """Compile the module into a folder; return its path, where no file is if that failed.

    What debuggers read names the folder of the sources; without it, the bytes are the same from
    every folder.
    """
    files = sorted(map(str, sources.glob("*.c")))
    flags = [] if debuggable or os.name == "nt" else ["-g0"]
    extension = Extension(
        MODULE, files, include_dirs=[str(sources)], extra_compile_args=flags, optional=True
    )
    command = build_ext(Distribution({"ext_modules": [extension]}))
    command.build_lib = str(folder)
    with tempfile.TemporaryDirectory() as objects:
        command.build_temp = objects
        command.ensure_finalized()
        built = Path(command.get_ext_fullpath(MODULE))
        built.unlink(missing_ok=True)
        command.run()
    return built
