"""How the documentation is built: `make docs`."""

import likewise

project = "likewise"
author = "The likewise developers"
release = likewise.__version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
html_theme = "furo"
html_title = "likewise"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = False
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
nitpicky = False
