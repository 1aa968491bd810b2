"""The machine and the versions a measurement was made with; nothing that tells whose it is."""

import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import TypedDict

PACKAGES = ("groupwise", "numpy", "orjson", "pydantic", "pytrec-eval-terrier", "ranx", "numba",
            "ir-measures", "AutoRAG")  # fmt: skip


class Setting(TypedDict):
    """Where something was measured."""

    machine: str
    versions: str


def describe_setting() -> Setting:
    """Describe the machine and the versions of Python and the packages."""
    return {"machine": describe_machine(), "versions": ", ".join(_list_versions())}


def describe_machine() -> str:
    """Name the processor, the number of processors, the memory and the system."""
    count = f"{os.cpu_count()} processors"
    system = f"{platform.system()} on {platform.machine()}"
    return ", ".join([*_processor(), count, *_memory(), system])


def versions() -> str:
    """Name Python and the packages that are installed, with their versions, in a sentence."""
    return f"Versions: {', '.join(_list_versions())}; {os.cpu_count()} processors."


def _list_versions() -> Iterator[str]:
    yield f"{platform.python_implementation()} {platform.python_version()}"
    for package in PACKAGES:
        part = _part() if package == "groupwise" else ""
        try:
            yield f"{package} {metadata.version(package)}{part}"
        except metadata.PackageNotFoundError:
            continue


def _part() -> str:
    """Whether groupwise has its compiled part; asked elsewhere, for this process stays small."""
    script = "from groupwise.evaluator.native import COMPILED; print(COMPILED)"
    said = subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.PIPE).stdout
    return " with its compiled part" if said.strip() == b"True" else " without its compiled part"


def _processor() -> Iterator[str]:
    information = Path("/proc/cpuinfo")
    if information.exists():
        lines = information.read_text("utf-8", "replace").splitlines()
        names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        yield from names[:1]
    elif platform.processor():
        yield platform.processor()


def _memory() -> Iterator[str]:
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        yield f"{size / 1e9:.0f} GB of memory"
