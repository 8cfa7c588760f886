"""Whether the site that ``make docs`` has built is whole.

    python -m tests.site [docs/_build/html]

Every link within it leads somewhere, every picture has a text, and no page loads anything from
elsewhere. In a real browser, if there is one: nothing is wider than a phone, and axe-core finds
nothing to object to in WCAG A and AA, in the light and in the dark.
"""

import shutil
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

ROOT = Path(__file__).resolve().parents[1]
LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}
SHOWN = (
    "index",
    "first-steps",
    "guide/similarity",
    "gallery/index",
    "gallery/boundary_points",
    "how-it-works/certificate",
    "reference/clustering",
    "reference/command-line",
)
WIDTHS = (1300, 400)
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}


@dataclass
class Page(HTMLParser):
    """What a page links to, loads and shows."""

    path: Path
    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    pictures_without_text: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        self.ids |= {found[name] for name in ("id", "name") if found.get(name)}
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        if found.get(LOADED.get(tag, "")):
            self.loaded.append(found[LOADED[tag]])
        if tag == "img" and not found.get("alt", "").strip():
            self.pictures_without_text.append(found.get("src", ""))


def problems_of_pages(site: Path) -> list[str]:
    """What is wrong with the pages as they are written."""
    pages = {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}
    found = []
    for page in pages.values():
        name = page.path.relative_to(site)
        found += [f"{name}: {each} has no text" for each in page.pictures_without_text]
        found += [f"{name}: loads {each}" for each in page.loaded if urlparse(each).netloc]
        found += [f"{name}: {each} leads nowhere" for each in page.links + page.loaded
                  if not leads_somewhere(each, page, pages)]  # fmt: skip
    return found


def leads_somewhere(link: str, page: Page, pages: dict[Path, Page]) -> bool:
    """Links to other places are for ``make links``."""
    if urlparse(link).scheme or urlparse(link).netloc:
        return True
    where, place = urldefrag(link)
    target = (page.path.parent / unquote(urlparse(where).path)).resolve() if where else page.path
    if not target.exists():
        return False
    other = pages.get(target.resolve())
    return not place or other is None or unquote(place) in other.ids


def problems_in_a_browser(site: Path, chromium: str) -> list[str]:
    """What is wrong with some pages as they are seen."""
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    axe, found = Axe(), []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for width in WIDTHS:
            for scheme in ("light", "dark"):
                page = browser.new_page(
                    viewport={"width": width, "height": 900}, color_scheme=scheme
                )
                for name in SHOWN:
                    seen = f"{name} ({width} px, {scheme})"
                    page.goto((site / f"{name}.html").resolve().as_uri())
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    if wide > width:
                        found.append(f"{seen}: {wide} px wide")
                    for rule in axe.run(page, options=RULES).response["violations"]:
                        where = [node["target"] for node in rule["nodes"]][:3]
                        found.append(f"{seen}: {rule['id']} at {where}")
                page.close()
        browser.close()
    return found


def main() -> int:
    """Print what is wrong; the exit code says whether anything is."""
    site = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "_build" / "html"
    found = problems_of_pages(site)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("Chromium is not installed: the pages were not looked at in a browser")
    else:
        found += problems_in_a_browser(site, chromium)
    print("\n".join(found) or "the site is whole")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
