"""Links as the repository has them: a path relative to the file, to a page, a file or a folder."""

import json
import os
from pathlib import Path, PurePosixPath
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.osutil import relative_uri

from docs.website.markdown import is_local
from docs.website.stage import ORIGINS, is_served, resolve

ROOT = Path(__file__).parents[2]
logger = logging.getLogger(__name__)


class RepositoryLinks(SphinxTransform):
    """Leads links to the page of the file that they name in the repository."""

    default_priority = 210

    def apply(self, **_: Any) -> None:
        """Resolve each link and picture of the page against the file that the page is from."""
        origins = json.loads((Path(self.env.srcdir) / ORIGINS).read_text("utf-8"))
        self.path = origins[self.env.docname]
        self.pages = {path: name for name, path in reversed(origins.items())}
        for image in list(self.document.findall(nodes.image)):
            self._place(image)
        kinds = (addnodes.pending_xref, addnodes.download_reference)
        for kind in kinds:
            for link in list(self.document.findall(kind)):
                if link.get("reftype") == "myst":
                    self._lead(link)

    def _place(self, image: nodes.image) -> None:
        """Name a picture from the root of the site."""
        if is_local(image["uri"]):
            path = resolve(self.path, image["uri"])
            image["uri"] = "/" + path.removeprefix("docs/")

    def _lead(self, link: nodes.Element) -> None:
        target, anchor = self._read_target(link)
        if not is_local(target):
            return
        path = resolve(self.path, target)
        if path in self.pages:
            link.replace_self(self._refer(link, self.pages[path], anchor))
        elif is_served(path) and (ROOT / path).is_file():
            link.replace_self(self._serve(link, path))
        else:
            logger.warning("nothing is at %s", path, location=link, type="links")

    def _read_target(self, link: nodes.Element) -> tuple[str, str]:
        """Return what the page says: the path and the anchor, also where a page was found."""
        if link.get("refdomain") == "doc":
            folder = PurePosixPath(self.env.docname).parent
            page = self.env.doc2path(link["reftarget"], base=False)
            return os.path.relpath(page, folder), link["reftargetid"] or ""
        target, mark, anchor = link["reftarget"].partition("#")
        return target or mark, anchor

    def _refer(self, link: nodes.Element, name: str, anchor: str) -> addnodes.pending_xref:
        """Return a reference to a page; the other pages are resolved when all are read."""
        return addnodes.pending_xref(
            "", *link.children, refdomain="doc", reftarget=name, reftargetid=anchor or None,
            refdoc=self.env.docname, reftype="myst", refexplicit=link["refexplicit"],
        )  # fmt: skip

    def _serve(self, link: nodes.Element, path: str) -> nodes.reference:
        """Return a link to a file that is on the site as it is."""
        address = relative_uri(f"{self.env.docname}.html", path.removeprefix("docs/"))
        return nodes.reference("", "", *link.children, refuri=address, internal=True)


def setup(app: Sphinx) -> dict[str, bool]:
    """Let Sphinx apply it to every page."""
    app.add_transform(RepositoryLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
