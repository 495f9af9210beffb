"""What a reader opens, hides and answers: remembered, and the same on a website that is opened as files."""

from __future__ import annotations

import re
from time import sleep
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup

from tests.site.browser import opened
from tests.site.served import BUILT, pages
from tests.site.touch import start_widgets

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHAPTERS = [name for name in pages() if re.match(r"chapters/\d\d_", name)]
OPENED = [name for name in pages() if name != "404.html"]  # whose links begin at the root of a server
CODE = ".bd-article div.cell_input"
FOLDED_CODE = "details.hide.above-input"
CHOICES = "div.question details.choice"
# What a browser does that is told to block all cookies, also those of this site.
BLOCKED = """for (const name of ["localStorage", "sessionStorage"]) {
    const get = () => { throw new DOMException("Access is denied for this document.", "SecurityError"); };
    Object.defineProperty(window, name, { get, configurable: true });
}"""


def shown(page: Page, selector: str) -> int:
    """Count the elements that can be seen."""
    return page.locator(selector).filter(visible=True).count()


def test_one_choice_shows_all_code_or_none_and_stays(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        page = visit.page
        visit.go(site + CHAPTERS[3])
        before = shown(page, CODE)
        assert 5 < before < page.locator(CODE).count()
        page.get_by_label("Code shown").focus()
        page.keyboard.press("ArrowDown")
        opened_up = shown(page, CODE)
        assert opened_up > before
        visit.go(site + CHAPTERS[4])
        assert page.locator(FOLDED_CODE).count() == page.locator(f"{FOLDED_CODE}[open]").count() > 0
        page.get_by_label("Code shown").select_option("No code")
        visit.go(site + CHAPTERS[3])
        assert shown(page, CODE) == shown(page, FOLDED_CODE) == 0
        assert shown(page, ".bd-article figure .picture") > 5
        page.get_by_label("Code shown").select_option("Some code")
        assert shown(page, CODE) == before
    assert visit.complaints == []


CHOOSE = "(list, value) => { list.value = value; list.dispatchEvent(new Event('change')); }"  # moves nothing
SCROLL = "(share) => scrollTo({ top: share * document.body.scrollHeight, behavior: 'instant' })"
# The top of the text that begins nearest to the middle of the window, of those in sight, if there are any.
MIDDLE = """() => {
    const far = (node) => Math.abs(node.getBoundingClientRect().top - innerHeight / 2);
    const kinds = ":is(p, li, h2, h3, h4):not(:is(figure, summary, [data-touch]) *)";
    const texts = [...document.querySelectorAll(`.bd-article ${kinds}`)];
    const shown = (node) => node.getClientRects().length && !node.closest("details:not([open])");
    const box = (node) => node.getBoundingClientRect();
    const inSight = (node) => box(node).bottom >= 60 && box(node).top < innerHeight; // below the header
    const seen = texts.filter(shown).filter((node, _, all) => inSight(node) || !all.some(inSight));
    window.middle ??= seen.sort((a, b) => far(a) - far(b))[0];
    return window.middle.getBoundingClientRect().top;
}"""


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("name", CHAPTERS[3:6])
def test_what_one_reads_stays_in_its_place_when_all_code_opens(
    browser: Browser, site: str, name: str, width: int, share: float
) -> None:
    with opened(browser, width) as visit:
        page = visit.page
        visit.go(site + name)
        start_widgets(page)
        page.evaluate(SCROLL, share)
        page.wait_for_timeout(300)
        before = page.evaluate(MIDDLE)
        for choice in ("all", "none", "some"):
            page.locator(".code-choice").evaluate(CHOOSE, choice)
            page.wait_for_timeout(100)
            assert page.evaluate(MIDDLE) == pytest.approx(before, abs=2)
    assert visit.complaints == []


@pytest.mark.parametrize("late", [False, True], ids=["at once", "scripts come late"])
@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize(
    "address",
    [
        "chapters/06_c45.html#figure-6-9",
        "chapters/06_c45.html#check-yourself",
        "chapters/08_cart.html#exercises",
        "chapters/14_cost_complexity.html#check-yourself",
        "intro.html#the-map",
    ],
)
def test_a_link_to_a_place_ends_there(
    browser: Browser, site: str, address: str, width: int, late: bool
) -> None:
    with opened(browser, width) as visit:
        if late:
            visit.page.route("**/_static/touch/*.js", lambda route: (sleep(0.4), route.continue_()))
        visit.go(site + address)
        visit.page.wait_for_timeout(3000)
        assert 0 <= visit.page.locator(f"#{address.split('#')[1]}").bounding_box()["y"] <= 160
    assert visit.complaints == []


def test_folded_code_gets_its_colors_when_it_opens(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        page = visit.page
        visit.go(site + CHAPTERS[3])
        code = page.locator(f".cell:not(.imports) > {FOLDED_CODE} pre").filter(has_text=" = ").first
        before = code.text_content()
        assert code.locator("span").count() == 0
        code.evaluate("(code) => { code.closest('details').open = true; }")
        code.locator("span.o").first.wait_for()
        assert "=" in code.locator("span.o").all_text_contents()
        assert code.text_content() == before
    assert visit.complaints == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_who_comes_from_elsewhere_to_a_section_is_told_where_it_is(
    browser: Browser, site: str, theme: str
) -> None:
    with opened(browser, 1280, theme) as visit:
        page = visit.page
        visit.go(site + CHAPTERS[3] + "#check-yourself")
        said = page.locator(".arrived")
        assert "Decision Trees by Counting" in said.inner_text()
        assert "What do you ask next, and when do you stop?" in said.inner_text()
        color = "(node) => getComputedStyle(node).color"
        assert said.locator("button").evaluate(color) == said.evaluate(color)
        assert "Figure" not in said.inner_text()
        said.get_by_role("button", name="Close").click()
        assert said.count() == 0
        page.reload()
        assert said.count() == 0
        visit.go(f"{site}reference/glossary.html")
        link = page.locator(f".bd-article a[href*='{CHAPTERS[3]}#']").first
        with page.expect_navigation():
            link.evaluate("(link) => link.click()")
        assert "#" in page.url
        assert page.locator(".opening > p").count() > 0
        assert said.count() == 0
    assert visit.complaints == []


def test_a_browser_that_blocks_storage_does_all_but_remember(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        page = visit.page
        page.add_init_script(BLOCKED)
        visit.go(site + CHAPTERS[4])
        page.locator(CHOICES).first.locator("summary").click()
        assert "1 of" in page.locator("p.score").first.inner_text()
        before = shown(page, CODE)
        page.get_by_label("Code shown").select_option("All code")
        assert shown(page, CODE) > before
        page.locator("button.theme-switch-button").filter(visible=True).first.click()
        assert page.evaluate("document.documentElement.dataset.theme") != "auto"
        page.keyboard.press("Control+k")
        page.locator("dialog.book-search input").fill("gini")
        page.locator("dialog.book-search li a").first.wait_for()
    assert visit.complaints == []


def test_paper_is_white_for_those_who_read_in_the_dark(browser: Browser, site: str) -> None:
    with opened(browser, 1280, "dark") as visit:
        visit.go(site + CHAPTERS[0])
        visit.page.emulate_media(media="print")
        style = "([name, of]) => getComputedStyle(document.querySelector(name))[of]"
        assert visit.page.evaluate(style, ["body", "backgroundColor"]) == "rgb(255, 255, 255)"
        inks = {visit.page.evaluate(style, [f".bd-article {name}", "color"]) for name in ("p", "h2", "td")}
        assert inks == {"rgb(31, 41, 51)"}


FLOATS = """() => [...document.querySelectorAll('.bd-article .cell > *')]
  .filter((part) => getComputedStyle(part).float !== 'none').map((part) => part.parentElement.id)"""


@pytest.mark.parametrize("name", CHAPTERS)
def test_on_paper_a_cell_stands_in_the_text(browser: Browser, site: str, name: str) -> None:
    with opened(browser, 1440) as visit:
        visit.go(site + name)
        visit.page.emulate_media(media="print")
        assert visit.page.evaluate(FLOATS) == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_question_has_one_right_answer(name: str) -> None:
    questions = BeautifulSoup((BUILT / name).read_text(encoding="utf-8"), "html.parser").select(
        "div.question"
    )
    assert len(questions) >= 2
    assert {len(question.select("details.choice.right")) for question in questions} == {1}
    assert min(len(question.select("details.choice.wrong")) for question in questions) >= 1


def test_a_quiz_counts_what_is_right_and_remembers_it(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        page = visit.page
        visit.go(site + CHAPTERS[1])
        total = page.locator("div.question").count()
        page.locator(f"{CHOICES}.right > summary").first.focus()
        page.keyboard.press("Enter")
        page.locator("div.question").nth(1).locator("details.choice.wrong > summary").first.click()
        said = page.locator(".question ~ .score [role=status]").inner_text()
        assert said == f"2 of {total} answered, 1 right at the first try."
        colors = page.evaluate(
            f"""() => ["right", "wrong"].map((kind) => {{
                const style = getComputedStyle(document.querySelector(`{CHOICES}.${{kind}}[open]`));
                return style.borderLeftColor + style.backgroundColor;
            }})"""
        )
        assert colors[0] != colors[1]
        page.reload()
        assert page.locator(".question ~ .score [role=status]").inner_text() == said
    assert visit.complaints == []


@pytest.mark.parametrize("name", OPENED)
def test_a_page_opened_as_a_file_complains_of_nothing(browser: Browser, name: str) -> None:
    with opened(browser, 1280) as visit:
        visit.go((BUILT / name).as_uri())
        assert len(visit.requests) > 1
    assert visit.complaints == []


def test_an_address_that_is_none_shows_the_way_back(browser: Browser, site: str) -> None:
    with opened(browser, 390) as visit:
        page = visit.page
        answer = page.goto(site + "chapters/no_such_chapter/at_all.html")
        assert answer is not None
        assert answer.status == 404
        assert "no page" in page.locator("#not-found h1").inner_text().lower()
        page.get_by_role("link", name="first page").click()
        assert page.url == site + "intro.html"
