"""Mathematics as MathML, which browsers draw themselves: no script, no fonts, no server elsewhere.

TeX is translated when the site is built (latex2mathml). The TeX stays in the page as a label, so
that it can be searched, and read aloud where a reader does not know MathML.
"""

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def inline(self: HTML5Translator, node: nodes.math) -> None:
    """A formula in a sentence."""
    self.body.append(convert(node.astext(), display="inline"))
    raise nodes.SkipNode


def display(self: HTML5Translator, node: nodes.math_block) -> None:
    """A formula of its own; it scrolls where the page is too narrow for it."""
    self.body.append(self.starttag(node, "div", CLASS="math", TABINDEX="0"))
    self.body.append(convert(node.astext(), display="block"))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
