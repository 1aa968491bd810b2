"""The tables of the page on CI: what the action takes and returns, from action.yml."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent.parent
TABLES = re.compile(
    r"(?s)(<!-- begin: written by docs/generate.py from action.yml -->\n).*?(<!-- end -->)"
)


def ci_page() -> str:
    """The page on CI, with its tables written anew."""
    page = (ROOT / "docs" / "how-to" / "ci.md").read_text("utf-8")
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    tables = "\n".join(["", *_inputs(action["inputs"]), "", *_outputs(action["outputs"]), "", ""])
    return TABLES.sub(lambda match: f"{match[1]}{tables}{match[2]}", page)


def _inputs(inputs: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "| input | default | what it is |"
    yield "|---|---|---|"
    for name, given in inputs.items():
        default = f"`{given['default']}`" if given.get("default") else ""
        value = "required" if given.get("required") else default
        yield f"| `{name}` | {value} | {given['description']} |"


def _outputs(outputs: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "| output | what it is |"
    yield "|---|---|"
    for name, given in outputs.items():
        yield f"| `{name}` | {given['description']} |"
