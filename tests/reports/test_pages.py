"""Pages in a browser: no errors, no requests, axe without violations, the keyboard reaches all."""

from pathlib import Path

import pytest

from autograder.messages import Messages
from autograder.reports import class_page, html
from reports.examples import EVIL, LINEAR

sync_api = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")
CHROMIUM = Path("/usr/bin/chromium")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="needs Debian's chromium")
NAMES = ["handout", "solution", "sensitivity", "leak", "dead", "class"]


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def pages(graded, grading, tmp_path_factory):
    """(name, language) → address of a page."""
    folder = tmp_path_factory.mktemp("pages")
    rows = [{"name": f"s{i}", "status": "partial", "report": (LINEAR, EVIL)[i % 2]}
            for i in range(30)]
    found = {}
    for language in ("en", "zh"):
        messages = Messages(language)
        texts = {name: html.render(g, grading, messages) for name, g in graded.items()}
        texts["class"] = class_page.render(
            rows, messages, before={"submissions": []}, doubts=[("a.zip", "it is damaged")])
        for name, text in texts.items():
            path = folder / f"{name}.{language}.html"
            path.write_text(text, encoding="utf-8")
            found[name, language] = path.as_uri()
    return found


@pytest.fixture
def opened(browser, pages):
    """Opens a page; at the end of the test it must have logged nothing and asked for nothing."""
    contexts, trouble = [], []

    def open_page(name, language="en", width=1000, scheme="light"):
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("request", lambda request: trouble.append(request.url)
                if not request.url.startswith("file:") else None)
        page.goto(pages[name, language])
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert trouble == []


def violations(page, **options):
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    found = axe.Axe().run(
        page, options={"resultTypes": ["violations"], **options}).response["violations"]
    return [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in found]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_nothing(opened, name, language):
    assert violations(opened(name, language)) == []


@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_nothing_in_the_dark(opened, name):
    """Only colours change."""
    assert violations(opened(name, scheme="dark"), runOnly=["color-contrast"]) == []


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", NAMES)
def test_a_narrow_screen_needs_no_sideways_scrolling(opened, name, language):
    page = opened(name, language, width=320)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("name", ["handout", "class"])
def test_the_keyboard_reaches_everything_that_acts(opened, name):
    page = opened(name)
    wanted = page.evaluate("""() => {
        window.reached = new Set();
        document.addEventListener('focusin', e => window.reached.add(e.target));
        const all = document.querySelectorAll('a[href], button, summary, input, select');
        return [...all].filter(e => e.checkVisibility()).length; }""")
    for _ in range(wanted + 60):
        page.keyboard.press("Tab")
    left = page.evaluate("""() => [...document.querySelectorAll(
        'a[href], button, summary, input, select')].filter(
        e => e.checkVisibility() && !window.reached.has(e)).map(e => e.outerHTML.slice(0, 90))""")
    assert wanted > 0
    assert left == []


def test_the_class_table_filters_and_sorts(opened):
    page = opened("class")
    page.fill("#filter", "s2")
    assert page.inner_text("#shown") == "11 / 30"
    page.fill("#filter", "")
    header = page.locator("#class th").first
    header.locator("button").click()
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "descending"
    assert page.inner_text("#class tbody th >> nth=0") == "s29"


def test_the_class_table_reads_without_a_script(browser, pages):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(pages["class", "en"])
    assert page.locator("#class tbody tr").count() == 30
    assert not page.locator("#tools").is_visible()
    context.close()


def test_a_page_prints(opened):
    assert opened("handout").pdf(format="A4")[:4] == b"%PDF"
