"""A copy of groupwise as users install it, in an environment of its own.

A checkout is imported through links to its folders, which takes longer.
"""

import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIBRARIES = "libraries.pth"


def install(folder: Path) -> str:
    """Install groupwise into a new environment beside the libraries of this one.

    Returns:
        The interpreter of the environment.

    Raises:
        CalledProcessError: The package cannot be built.
    """
    subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", folder], check=True)
    paths = {"base": str(folder), "platbase": str(folder)}
    target = Path(sysconfig.get_path("purelib", "venv", paths))
    words = ("install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target")
    subprocess.run([sys.executable, "-m", "pip", *words, target, ROOT], check=True)
    # As pip does for users, but not where PYTHONDONTWRITEBYTECODE is set.
    subprocess.run([sys.executable, "-m", "compileall", "-q", target / "groupwise"], check=True)
    # A line of a .pth file adds a folder, but not what the .pth files in it add.
    (target / LIBRARIES).write_text(sysconfig.get_path("purelib"))
    return str(Path(sysconfig.get_path("scripts", "venv", paths), "python"))
