"""A node of a picture, pressed, says its rows and works out its numbers: by mouse, touch and keyboard."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from dtlib.measures import entropy, gain_ratio, gini, impurity_decrease, information_gain, split_information
from tests.site.browser import opened, script
from tests.site.limits import HEIGHT, READ_AT, WIDTHS
from tests.site.served import BUILT
from tests.site.test_pages import violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHAPTER = "chapters/04_id3.html"
MANY = (CHAPTER, "chapters/06_c45.html", "chapters/08_cart.html", "chapters/14_cost_complexity.html")
ALONE = "chapters/25_larger_than_memory.html"  # a tree, and no other widget
IN_PARTS = "chapters/15_pessimistic_pruning.html"
PANEL = ".explained"
EVALUATE = script("evaluate.js")
CUT = script("cut.js")
MEASURES = {
    "entropy": lambda table: entropy(table[0]),
    "gini": lambda table: gini(table[0]),
    "gain": information_gain,
    "information": split_information,
    "ratio": gain_ratio,
    "decrease": lambda table: impurity_decrease(table, gini),
}
NAMES = {
    "Entropy": "entropy",
    "Gini index": "gini",
    "Gain": "gain",
    "Split information": "information",
    "Gain ratio": "ratio",
    "Decrease of Gini": "decrease",
}


@pytest.fixture
def chapter(page: Page, site: str) -> Page:
    """Open the chapter of ID3."""
    page.goto(site + CHAPTER)
    page.wait_for_load_state("load")
    return page


def card(page: Page, picture: int, node: int) -> Any:
    """Return a node of a picture."""
    return page.locator(f'svg[data-explained="{picture}"] [data-node="{node}"]')


def open_card(page: Page, picture: int, node: int) -> None:
    """Press a node, if need be in a side road, and wait until it says something."""
    node_of = card(page, picture, node)
    node_of.evaluate(
        "(node) => { for (let at = node; at; at = at.parentElement) if (at.open === false) at.open = true; }"
    )
    node_of.locator("rect").first.click()
    page.locator(PANEL).wait_for()


def told(name: str) -> dict[str, Any]:
    """Return what a page was given."""
    html = (BUILT / name).read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="explained">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def expected(picture: dict[str, Any], node: int) -> dict[str, float]:
    """Return the numbers of a node by the library."""
    n = picture["nodes"][node]["n"]
    below = [kid["n"] for kid in picture["nodes"] if kid.get("up") == node]
    if not sum(n):
        return {}
    found = {name: MEASURES[name]([n]) for name in ("entropy", "gini")}
    if below and "parts" not in picture:
        found |= {name: MEASURES[name](below) for name in ("gain", "information", "ratio", "decrease")}
    return found


# The numbers


def test_the_script_measures_what_the_library_measures(chapter: Page) -> None:
    open_card(chapter, 0, 0)
    rng = np.random.default_rng(0)
    tables = [rng.integers(0, 9, (rng.integers(2, 5), rng.integers(2, 4))) for _ in range(500)]
    tables = [table.tolist() for table in tables if (table.sum(axis=1) > 0).sum() > 1 and table[0].sum()]
    assert len(tables) > 400
    found = chapter.evaluate(
        """(tables) => tables.map((table) => {
            const measures = Object.entries(window.touch.explained.measures);
            return measures.map(([name, measure]) => {
                const x = measure(name === "entropy" || name === "gini" ? table[0] : table);
                return [name, x, window.touch.digits(x)];
            });
        })""",
        tables,
    )
    for table, lines in zip(tables, found, strict=True):
        assert [name for name, *_ in lines] == list(MEASURES)
        for name, value, shown in lines:
            assert value == pytest.approx(MEASURES[name](table), abs=1e-12)
            assert shown == f"{MEASURES[name](table):.3f}"


@pytest.mark.parametrize("name", MANY)
def test_every_node_shows_the_library_s_numbers_and_its_formulas_give_them(
    browser: Browser, site: str, name: str
) -> None:
    data = told(name)
    with opened(browser, 1280) as visit:
        visit.go(site + name)
        open_card(visit.page, 0, 0)
        for i, picture in enumerate(data["pictures"]):
            for node in range(len(picture["nodes"])):
                visit.page.evaluate(
                    "(card) => card.getAttribute('aria-expanded') || window.touch.explained(card)",
                    card(visit.page, i, node).element_handle(),
                )
                lines = visit.page.evaluate(EVALUATE)
                shown = {NAMES[line["name"]]: line["shown"] for line in lines if line["name"] in NAMES}
                assert shown == {key: f"{x:.3f}" for key, x in expected(picture, node).items()}
                for line in lines:
                    assert abs(line["value"] - float(line["shown"])) < 0.0007, line
    assert visit.complaints == []


def test_numbers_of_the_chapter(chapter: Page) -> None:
    """The root of the melons, as Zhou (2016) works it out in section 4.2.1, and a leaf."""
    open_card(chapter, 4, 0)
    words = chapter.locator(PANEL).inner_text()
    assert all(said in words for said in ("0.998 bits", "0.381 bits", "what ID3 compares", "Its 17 rows"))
    chapter.keyboard.press("Escape")  # it stands over what is below its node
    open_card(chapter, 4, 4)
    words = chapter.locator(PANEL).inner_text()
    assert "texture = clear, then stem = curled" in words
    assert "Probability of yes in this leaf" in words
    assert chapter.locator(f"{PANEL} tbody tr").count() == 5
    chapter.keyboard.press("Escape")
    open_card(chapter, 4, 11)
    assert "No training sample came here" in chapter.locator(PANEL).inner_text()


def test_of_parts_no_gain_is_said(page: Page, site: str) -> None:
    page.goto(site + IN_PARTS)
    pictures = told(IN_PARTS)["pictures"]
    [place] = [i for i, picture in enumerate(pictures) if picture.get("parts")]
    open_card(page, place, 0)
    words = page.locator(PANEL).inner_text()
    assert "0.962 bits" in words
    assert "weights, not whole rows" in words
    assert "Gain" not in words


def test_links_lead_to_the_formulas(chapter: Page, site: str) -> None:
    open_card(chapter, 0, 0)
    chapter.get_by_text("More measures").click()
    links = {a.inner_text(): a.get_attribute("href") for a in chapter.locator(f"{PANEL} a").all()}
    assert set(links) == {"(2.3)", "(7.1)", "(3.3)", "(5.7)", "(5.8)", "(7.10)"}
    for number, href in links.items():
        path, _, anchor = href.partition("#")
        assert anchor == f"equation-{number.strip('()').replace('.', '-')}"
        assert f'id="{anchor}"' in (BUILT / "chapters" / path).read_text(encoding="utf-8")
    chapter.locator(f"{PANEL} a", has_text="(3.3)").click()
    chapter.wait_for_url("**/03_information_gain.html#equation-3-3")


# Mouse, touch, keyboard


def test_the_mouse_opens_one_and_closes_it(chapter: Page) -> None:
    panel = chapter.locator(PANEL)
    open_card(chapter, 3, 1)
    assert card(chapter, 3, 1).get_attribute("aria-expanded") == "true"
    open_card(chapter, 3, 0)
    assert panel.count() == 1
    assert panel.get_attribute("aria-label") == "Node 0"
    card(chapter, 3, 0).locator("rect").first.click()
    assert panel.count() == 0
    open_card(chapter, 3, 0)
    panel.locator("button").click()
    assert panel.count() == 0
    assert chapter.evaluate("document.activeElement.dataset.node") == "0"
    open_card(chapter, 3, 0)
    chapter.mouse.click(1150, 850)  # on nothing
    assert panel.count() == 0


def test_a_link_in_it_shows_the_formula(chapter: Page) -> None:
    open_card(chapter, 0, 0)
    chapter.locator(f"{PANEL} a").first.hover()
    chapter.locator(".book-card").wait_for()
    chapter.keyboard.press("Escape")
    assert chapter.locator(PANEL).count() == 1
    chapter.keyboard.press("Escape")
    assert chapter.locator(PANEL).count() == 0


def test_the_keyboard_reaches_every_node(chapter: Page) -> None:
    card(chapter, 4, 0).focus()
    way = {"Down": 1, "Right": 2}, {"Down": 7, "Right": 8, "Left": 7, "Up": 2}, {"Left": 1}
    for key, node in (step for part in way for step in part.items()):
        chapter.keyboard.press(f"Arrow{key}")
        chapter.wait_for_function("(node) => document.activeElement.dataset.node === node", arg=str(node))
    chapter.keyboard.press("Enter")
    chapter.locator(PANEL).wait_for()
    assert chapter.evaluate("document.activeElement.className") == "explained noprint"
    chapter.keyboard.press("Tab")
    assert chapter.evaluate("document.activeElement.ariaLabel") == "Close"
    chapter.keyboard.press("Escape")
    assert chapter.locator(PANEL).count() == 0
    assert chapter.evaluate("document.activeElement.dataset.node") == "1"
    chapter.keyboard.press(" ")
    chapter.locator(PANEL).wait_for()
    tabs = chapter.evaluate("document.querySelectorAll('svg[data-explained] [tabindex=\"0\"]').length")
    assert tabs == len(told(CHAPTER)["pictures"])  # one stop of Tab for each picture


@pytest.fixture
def phone(browser: Browser, site: str) -> Iterator[Page]:
    """Open the chapter on a phone."""
    with opened(browser, 390, has_touch=True, is_mobile=True) as visit:
        visit.go(site + CHAPTER)
        yield visit.page
    assert visit.complaints == []


def test_a_touch_opens_and_a_touch_elsewhere_closes(phone: Page) -> None:
    card(phone, 0, 1).locator("rect").first.tap()
    panel = phone.locator(PANEL)
    panel.wait_for()
    box = panel.bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= 390 - box["width"]
    button = panel.locator("button").bounding_box()
    assert button is not None
    assert min(button["width"], button["height"]) >= 40
    phone.touchscreen.tap(4, box["y"] - 40)  # the edge of the page
    panel.wait_for(state="detached")


# What must not suffer


@pytest.mark.parametrize(("theme", "width"), READ_AT)
def test_axe_finds_nothing(browser: Browser, site: str, theme: str, width: int) -> None:
    with opened(browser, width, theme) as visit:
        visit.go(site + ALONE)
        open_card(visit.page, 0, 0)
        assert violations(visit.page) == []


def test_it_fits(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        visit.go(f"{site}chapters/08_cart.html")
        open_card(visit.page, 3, 3)
        for width in WIDTHS:
            visit.page.set_viewport_size({"width": width, "height": HEIGHT})
            assert visit.page.evaluate(CUT) == []
            box = visit.page.locator(PANEL).bounding_box()
            assert box is not None
            assert 0 <= box["x"] <= width - box["width"]


def test_the_script_comes_only_when_a_reader_comes_near(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        visit.go(site + ALONE)
        assert visit.page.locator(".touch-hint").count() == 1
        asked = len(visit.requests)
        assert not any("touch/touch.js" in request.url for request in visit.requests)
        card(visit.page, 0, 0).hover()
        visit.page.wait_for_function("!!window.touch?.explained")
        came = [request.url.rsplit("/", 1)[1] for request in visit.requests[asked:]]
        assert came == ["touch.js", "arithmetic.js", "explained.js"]


def test_without_scripts_the_picture_is_what_it_was(browser: Browser, site: str) -> None:
    with opened(browser, 1280, java_script_enabled=False) as visit:
        visit.page.goto(site + CHAPTER)
        assert visit.page.locator('svg[data-explained][role="img"]').count() == len(told(CHAPTER)["pictures"])
        assert visit.page.locator("[data-node][role], .touch-hint").count() == 0
