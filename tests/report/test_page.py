"""The page: what it says, and how it behaves in a real browser."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from support.commands import invoke

from likewise.io.tables import read_table
from likewise.report import content, make_report
from likewise.report.page import draw, write_report
from likewise.report.run import read_run

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
in_browser = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")


def test_nothing_is_loaded_from_anywhere(page_file):
    text = page_file.read_text()
    assert not re.search(r"""(src|href)\s*=\s*["'](?!#)""", re.sub(r"&[a-z#0-9]+;", "", text))
    assert "@import" not in text
    assert "default-src 'none'" in text


def test_values_from_the_table_are_escaped(page_file):
    text = page_file.read_text()
    data = text.split('id="data">')[1].split("</script>")[0]
    assert "<" not in data
    assert json.loads(data)["points"][0]["id"].startswith("<img")
    assert text.count("<script") == 2  # the data and the script, nothing that was smuggled in
    assert "<img" not in text


@in_browser
def test_only_the_pages_own_script_may_run(browser, page_file, tmp_path):
    """Even if something could be smuggled in, the browser would not run it."""
    assert "script-src 'unsafe-inline'" not in page_file.read_text()
    smuggled = "<script>document.title = 'hacked'</script></body>"
    other = tmp_path / "other.html"
    other.write_text(page_file.read_text().replace("</body>", smuggled))
    page = opened(browser, other)
    assert page.title() != "hacked"
    assert any("Content Security Policy" in line for line in page.told)
    assert page.locator("circle.person").count() == 90  # the page's own did run


def test_it_says_what_the_certificate_says(folder, page_file):
    certificate = json.loads((folder / "run" / "certificate.json").read_text())
    text = page_file.read_text()
    assert f"{certificate['pairs_checked']:,} pairs checked" in text
    assert "yes, proven" in text
    run = read_run(folder / "run")
    unfair = replace(run, certificate=replace(run.certificate, is_fair=False))
    assert "yes, proven" not in draw(content.gather(unfair))


def summary(text):
    """The box with the certificate's figures, in words."""
    return " ".join(
        re.sub(r"<[^>]+>", " ", text.split('id="summary"')[1].split("</section>")[0]).split()
    )


def test_how_much_dearer_it_is_than_the_cheapest(folder):
    """Cost 143,807, proven at least 40,302: that is up to 257 % more, not 72 %."""
    run = read_run(folder / "run")
    proof = replace(run.certificate, objective=143_807.0, lower_bound=40_302.0)
    text = draw(content.gather(replace(run, certificate=proof)))
    assert "at most 257% more expensive than the cheapest fair assignment" in summary(text)
    assert "143,807 in squared distance, proven at least 40,302" in text
    nothing = replace(run.certificate, objective=1.0, lower_bound=0.0)
    assert "not known" in summary(draw(content.gather(replace(run, certificate=nothing))))


def test_objective_and_cost_are_told_apart(folder):
    run = read_run(folder / "run")
    proof = replace(run.certificate, objective=143_807.0, lower_bound=40_302.0, cost=379.219)
    text = draw(content.gather(replace(run, certificate=proof)))
    assert "<dt>objective</dt><dd>143,807 in squared distance, proven at least 40,302</dd>" in text
    assert "<dt>cost</dt><dd>379.2, the square root of the objective</dd>" in text
    older = replace(run, certificate=replace(proof, cost=None))
    assert "<dt>cost</dt>" not in draw(content.gather(older))


def test_it_says_who_was_compared_with_whom(folder, page_file, tmp_path):
    everybody = page_file.read_text()
    assert "any two people differ by at most" in " ".join(everybody.split())
    assert "(everybody with everybody)" in summary(everybody)
    done = invoke(
        "fit", folder / "people.csv", "-k", 2, "--features", "income", "--n-neighbors", 7,
        "--out", tmp_path / "run",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    some = make_report(tmp_path / "run", tmp_path / "r.html").read_text()
    assert "any two people" not in some
    assert "(each person with the 7 nearest others, ties included)" in summary(some)
    assert "Nothing is promised of other pairs." in some


def test_numbers_are_written_as_people_write_them(page_of_many):
    cells = re.findall(r"<td[^>]*>([^<]+)</td>", page_of_many.read_text())
    assert sum(bool(re.fullmatch(r"\d\d\d?,\d{3}", cell)) for cell in cells) > 10  # incomes
    assert [cell for cell in cells if re.search(r"\d[eE][+-]?\d", cell)] == []


@pytest.mark.parametrize(
    "more", [["--p", "inf"], ["--group-tolerance", "0.5"], ["--similarity", "local", "--p", "1"]]
)
def test_reports_of_other_runs(folder, tmp_path, more):
    protected = read_table(folder / "people.csv").columns[-1]
    done = invoke(
        "fit", folder / "people.csv", "-k", 2, "--features", "income", "--protected", protected,
        "--out", tmp_path / "run", *more,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "In short" in make_report(tmp_path / "run", tmp_path / "r.html").read_text()


@pytest.fixture
def browser():
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield chromium
        chromium.close()


def opened(browser, page_file, **options):
    page = browser.new_page(viewport={"width": 900, "height": 1200}, **options)
    page.told = []
    page.asked = []
    page.on("console", lambda message: page.told.append(message.text))
    page.on("pageerror", lambda error: page.told.append(str(error)))
    page.on("request", lambda request: page.asked.append(request.url))
    page.goto(Path(page_file).as_uri())
    return page


@in_browser
def test_in_chromium(browser, page_file, tmp_path):
    page = opened(browser, page_file)
    assert page.told == []
    assert page.asked == [Path(page_file).as_uri()]
    assert page.evaluate("window.hacked") is None
    assert page.locator("circle.person").count() == 90
    assert "90 of 90" in page.locator("#status").inner_text()
    # hover
    page.locator("circle.person").first.dispatch_event("pointerover")
    assert "% cluster" in page.locator("#tip").inner_text()
    # filter by group: values are compared as text, whatever they look like
    choices = page.locator("[data-filter='0'] option")
    assert choices.count() == 4
    page.select_option("[data-filter='0']", index=1)
    shown = page.locator("circle.person:not([hidden])").count()
    assert 0 < shown < 90
    assert f"{shown} of 90" in page.locator("#status").inner_text()
    page.select_option("[data-filter='0']", index=0)
    page.fill("#find", "script>7")
    assert page.locator("circle.person:not([hidden])").count() == 11  # 7, 70 to 79
    page.fill("#find", "")
    # keyboard alone
    page.locator("#people").focus()
    page.keyboard.press("ArrowRight")
    first = page.locator("#tip").inner_text()
    page.keyboard.press("ArrowRight")
    assert page.locator("#tip").inner_text() != first
    assert page.locator("#status").inner_text() == page.locator("#tip").inner_text()
    page.keyboard.press("Escape")
    assert not page.locator("#tip").is_visible()
    page.screenshot(path=tmp_path / "light.png", full_page=True)
    assert (tmp_path / "light.png").stat().st_size > 50_000
    assert page.told == []


@in_browser
def test_readable_in_the_dark_and_on_paper(browser, page_file, tmp_path):
    light = opened(browser, page_file, color_scheme="light")
    dark = opened(browser, page_file, color_scheme="dark")
    colors = "[getComputedStyle(document.body).color, getComputedStyle(document.body).background]"
    assert light.evaluate(colors) != dark.evaluate(colors)
    assert contrast(dark) > 7
    assert contrast(light) > 7
    dark.screenshot(path=tmp_path / "dark.png")
    light.pdf(path=tmp_path / "paper.pdf", format="A4")
    assert (tmp_path / "paper.pdf").read_bytes().startswith(b"%PDF")
    light.emulate_media(media="print")
    assert not light.locator(".controls").is_visible()


def contrast(page):
    """Of text on its background, as WCAG counts it."""
    text, paper = page.evaluate(
        "['color', 'backgroundColor'].map(name => getComputedStyle(document.body)[name])"
    )

    def light(color):
        channels = [int(number) / 255 for number in re.findall(r"\d+", color)[:3]]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    bright, dim = sorted([light(text), light(paper)], reverse=True)
    return (bright + 0.05) / (dim + 0.05)


@in_browser
def test_for_screen_readers(browser, page_file, page_of_many):
    """axe-core's rules for WCAG A and AA, in light and dark."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for file in (page_file, page_of_many):
        for scheme in ("light", "dark"):
            page = opened(browser, file, color_scheme=scheme, bypass_csp=True)
            found = axe.run(page)
            assert found.violations_count == 0, found.generate_report()


# what is cut off at the right: wider than the screen, or beyond it; tables may be scrolled
CUT_OFF = """
  (width) => [...document.querySelectorAll("h1, h2, p, caption, figcaption, .fact, li, label, dd")]
    .filter((each) => each.scrollWidth > each.clientWidth + 1
      || each.getBoundingClientRect().right > width)
    .map((each) => each.outerHTML.slice(0, 100))
"""


@in_browser
@pytest.mark.parametrize("width", [360, 400])
def test_on_a_small_screen(browser, page_file, page_of_many, width):
    for file in (page_file, page_of_many):
        page = browser.new_page(viewport={"width": width, "height": 700})
        page.goto(Path(file).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(CUT_OFF, width) == []


@in_browser
def test_what_is_written_in_drawings_can_be_read_on_a_small_screen(browser, page_of_many):
    page = browser.new_page(viewport={"width": 400, "height": 700})
    page.goto(page_of_many.as_uri())
    sizes = "[...document.querySelectorAll('svg text')].map(e => e.getBoundingClientRect().height)"
    assert min(page.evaluate(sizes)) > 10  # pixels


@in_browser
def test_outliers_are_at_the_edge_of_the_map(browser, content_of_many, tmp_path):
    at = content_of_many.projection
    seen = replace(at, outside=at.outside.copy(), points=at.points.copy())
    seen.outside[3], seen.points[3] = True, (1.0, 0.4)  # whoever is drawn: chance
    write_report(replace(content_of_many, projection=seen), tmp_path / "r.html")
    page = opened(browser, tmp_path / "r.html")
    assert page.locator("circle.outside").count() == seen.outside.sum()
    page.locator("circle[data-number='3']").dispatch_event("pointerover")
    assert "outside the picture" in page.locator("#tip").inner_text()
    assert page.told == []
