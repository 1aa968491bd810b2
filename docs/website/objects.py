"""The public names as objects: in the index, in searches, and for links from other sites.

The page of public names is generated from signatures and docstrings, and is read in the repository
as well. This finds the names in its headings, so that nothing is said twice.
"""

import inspect
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.domains.python import PythonDomain
from sphinx.transforms import SphinxTransform

import groupwise

PAGE = "reference/api"


class PublicNames(SphinxTransform):
    """Registers the headings of the page that are public names."""

    default_priority = 500  # before the index is collected

    def apply(self, **_: Any) -> None:
        """Look at each heading that is code."""
        if self.env.docname != PAGE:
            return
        for section in self.document.findall(nodes.section):
            title = section.next_node(nodes.title)
            if title is not None and title.next_node(nodes.literal) is not None:
                self._register(section, title.astext().removeprefix("groupwise."))

    def _register(self, section: nodes.section, name: str) -> None:
        value = find_object(name)
        if value is None:
            return
        kind, anchor = tell_kind(value), section["ids"][0]
        domain = self.env.get_domain("py")
        assert isinstance(domain, PythonDomain)  # noqa: S101
        domain.note_object(f"groupwise.{name}", kind, anchor, location=section)
        entry = ("single", f"{name} ({kind})", anchor, "", None)
        section.insert(1, addnodes.index(entries=[entry]))


def find_object(name: str) -> Any:
    """Return the object that a dotted name of the package stands for, or None."""
    value: Any = groupwise
    for part in name.split("."):
        value = getattr(value, part, None)
    return value


def tell_kind(value: Any) -> str:
    """Return what Sphinx calls an object."""
    if inspect.isclass(value):
        return "exception" if issubclass(value, Exception) else "class"
    if inspect.ismodule(value):
        return "module"
    return "method" if inspect.ismethod(value) else "function"


def setup(app: Sphinx) -> dict[str, bool]:
    """Let Sphinx apply it to the page."""
    app.add_transform(PublicNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
