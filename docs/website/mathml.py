"""Formulas as MathML, which browsers draw without a script, a font or a request."""

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def write_inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula inside a line."""
    translator.body.append(convert(node.astext()))
    raise nodes.SkipNode


def write_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on a line of its own, which scrolls if it is wider than the page."""
    formula = convert(node.astext(), is_block=True)
    translator.body.append(f'<div class="formula">{formula}</div>\n')
    raise nodes.SkipNode


def convert(formula: str, *, is_block: bool = False) -> str:
    r"""Return the MathML of a formula; docutils knows ``\ldots``, but not ``\dots``."""
    known = " ".join(formula.split()).replace(r"\dots", r"\ldots")
    return str(tex2mathml(known, as_block=is_block))


def setup(app: Sphinx) -> dict[str, bool]:
    """Make it a renderer of formulas, to be chosen by name."""
    app.add_html_math_renderer("mathml", (write_inline, None), (write_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
