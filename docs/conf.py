"""How the site is built: `make docs`. Nothing in it is loaded from elsewhere when it is read."""

import sys
from pathlib import Path

import likewise

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "likewise"
author = "The likewise developers"
release = likewise.__version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "sphinxcontrib.bibtex",
    "accessible",
    "command_reference",
    "mathml",
]
exclude_patterns = [
    "_build",
    "_ext",
    "notebooks",
    "gallery/*.ipynb",
    "gallery/*.py",
    "gallery/*.zip",
]
nitpicky = True
nitpick_ignore = [("py:class", "n"), ("py:class", "k")]  # shapes that open a docstring: (n, k)
suppress_warnings = ["config.cache"]  # a function in the settings below is no reason to worry

# -- pages in Markdown, mathematics as MathML (see _ext/mathml.py)
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
bibtex_bibfiles = ["references.bib"]
bibtex_reference_style = "author_year"

# -- the reference, from the code
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_param = False  # types are said in words
napoleon_use_rtype = False
napoleon_custom_sections = [("Attributes", "params_style")]
copybutton_exclude = ".linenos, .gp, .go"  # what is copied can be run
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True


def same_look(_settings: object, _script: object) -> None:
    """The gallery's figures look like the report's and the reproduction's."""
    from cycler import cycler
    from matplotlib import rcParams

    from likewise.drawing.colors import palette
    from likewise.experiments.figures import style

    with style():
        look = rcParams.copy()
    rcParams.update(look)  # until the next script, before which all is reset
    rcParams["axes.prop_cycle"] = cycler(color=palette(8))


sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "ExampleTitleSortKey",
    "reset_modules": ("matplotlib", same_look),
    "image_srcset": ["2x"],
    "abort_on_example_error": True,
    "remove_config_comments": True,
    "show_memory": False,
    "write_computation_times": False,
    "show_signature": False,
    "download_all_examples": True,
}

# -- the look
html_theme = "furo"
html_title = "likewise"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/mark.svg"
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_theme_options = {
    "source_view_link": "",
    "light_css_variables": {
        "color-brand-primary": "#00558a",
        "color-brand-content": "#00558a",
        "color-brand-visited": "#5b4a8a",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7cc4f0",
        "color-brand-content": "#7cc4f0",
        "color-brand-visited": "#b9a8e6",
    },
}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
