"""What theme and gallery leave out for people who do not see, or use no mouse.

Pictures and links of the gallery's index get the titles of their stories as texts, captions of the
navigation their level as headings, and whatever scrolls by itself can be reached by the keyboard.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx

THUMBNAIL = re.compile(
    r'(<div class="sphx-glr-thumbcontainer"[^>]*><img )alt=""([^>]*>\s*<p><a )'
    r'(class=.*?<div class="sphx-glr-thumbnail-title">)([^<]*)',
    re.DOTALL,
)
PLAIN = (
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    ("<pre>", '<pre tabindex="0">'),
    ('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
)


def mended(page: str) -> str:
    """The page with all of it."""
    for without, with_it in PLAIN:
        page = page.replace(without, with_it)
    return THUMBNAIL.sub(_with_text, page)


def _with_text(found: re.Match[str]) -> str:
    """The link has a text already, but the gallery's style hides it."""
    before, link, rest, title = found.groups()
    return f'{before}alt="{title}"{link}aria-label="{title}" {rest}{title}'


def mend_all(app: Sphinx, problem: Exception | None) -> None:
    if problem is None and app.builder.format == "html":
        for path in Path(app.outdir).rglob("*.html"):
            page = path.read_text(encoding="utf-8")
            path.write_text(mended(page), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", mend_all, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
