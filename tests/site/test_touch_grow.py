"""Grow it yourself: its arithmetic is the library's; it can be used by mouse, by touch and by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from touchable.scripts import SOURCE, joined

from tests.site.browser import opened
from tests.site.drawn_tables import PROGRAMS, Drawn, draw_table, of_library
from tests.site.touch import start_widgets

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

DRAWN = 400
CHAPTERS = {
    "chapters/04_id3.html": ["ID3", "C4.5", "CART"],
    "chapters/06_c45.html": ["C4.5"],
    "chapters/10_missing_values.html": ["C4.5"],
    "chapters/08_cart.html": ["CART"],
}
FIRST = "intro.html"
GINI = "Gini\N{RIGHT SINGLE QUOTATION MARK}s impurity"
HEADER, TOP, ROW = 50, 250, 60  # px: the header of a page, near the top, a row of buttons
TERMS = {
    "entropy": "02_entropy.html",
    "gain": "03_information_gain.html",
    "gain ratio": "05_gain_ratio.html",
    GINI: "07_impurity.html",
    "ID3": "04_id3.html",
    "C4.5": "06_c45.html",
    "CART": "08_cart.html",
    "Price": "13_price_per_leaf.html",
    "learned too much by heart": "12_overfitting.html",
}
ANSWERS = """(drawn) => {
    const programs = Object.entries(window.touch.arithmetic.programs);
    const answers = ({ table, rows }) => programs.map(([name, program]) => [name, program(table, rows)]);
    return drawn.map((one) => Object.fromEntries(answers(one)));
}"""


def same(ours: dict[str, Any] | None, line: dict[str, Any], program: str) -> bool:
    """Whether the script and the library measure the same; what cannot be asked is worth nothing."""
    gain = 0.0 if ours is None else ours["decrease" if program == "CART" else "gain"]
    if ours is None or np.isnan(line["gain"]):
        return gain < 1e-10 and not (line["split"] and line["gain"] > 1e-10)
    ratio = program != "C4.5" or ours["ratio"] is None or abs(ours["ratio"] - line["gain_ratio"]) < 1e-9
    return abs(gain - line["gain"]) < 1e-12 and ratio


def differences(drawn: Drawn, answers: dict[str, Any], program: str) -> list[str]:
    """Say where the script and the library differ about a table."""
    theirs, ours = of_library(drawn, program), answers[program]
    found = [
        f"{program} {line['feature']}: {mine} {line}"
        for mine, line in zip(ours["found"], theirs["lines"], strict=True)
        if not same(mine, line, program)
    ]
    if ours["feature"] != theirs["feature"]:
        found.append(f"{program} asks {ours['feature']}, the library {theirs['feature']}")
    elif theirs["split"] and ours["found"][ours["feature"]]["split"] != theirs["split"]:
        found.append(f"{program}: {ours['found'][ours['feature']]['split']}, the library {theirs['split']}")
    return found


def test_every_gain_and_every_choice_is_the_librarys(page: Page, site: str) -> None:
    drawn = [draw_table(np.random.default_rng(seed)) for seed in range(DRAWN)]
    page.goto(f"{site}404.html")
    page.add_script_tag(content=joined(SOURCE))
    answers = page.evaluate(ANSWERS, [table.in_script() for table in drawn])
    compared = [(table, found, p) for table, found in zip(drawn, answers, strict=True) for p in PROGRAMS]
    compared = [(table, found, program) for table, found, program in compared if table.takes(program)]
    assert len(compared) > 2 * DRAWN
    assert [line for one in compared for line in differences(*one)] == []


def widget(page: Page, address: str) -> Locator:
    """Open a page and return its widget."""
    page.goto(address)
    start_widgets(page)
    return page.locator("[data-touch=grow]")


def follow(box: Locator, program: str) -> None:
    """Ask what a program asks until nothing is left to ask."""
    for _ in range(40):
        box.get_by_role("button", name=program, exact=True).click()
        box.locator(".grow-why button").click()
        if box.locator(".grow-end").is_visible():
            return
    raise AssertionError("the tree does not end")


@pytest.mark.parametrize(("path", "program"), [(path, p) for path, names in CHAPTERS.items() for p in names])
def test_who_follows_a_program_grows_its_tree(page: Page, site: str, path: str, program: str) -> None:
    box = widget(page, site + path)
    follow(box, program)
    end = box.locator(".grow-end")
    rows = [row.split("\t") for row in end.locator("tr").all_inner_texts()]
    theirs = next(row for row in rows if row[0] == f"{program} same as yours")
    assert rows[1][1:5] == theirs[1:5]


def feature(box: Locator, name: str) -> Locator:
    return box.locator(".grow-feature", has_text=name)


def test_by_mouse_pointing_shows_and_pressing_asks(page: Page, site: str) -> None:
    box = widget(page, f"{site}chapters/04_id3.html")
    feature(box, "texture").hover()
    page.wait_for_timeout(300)  # a mouse that rests
    assert "= 0.381 bits" in box.locator(".grow-detail").inner_text()
    assert box.locator(".grow-node.ghost").count() == 3
    assert "no question yet" in box.locator(".grow-said").inner_text()
    feature(box, "texture").click()
    said = box.locator(".grow-said").inner_text()
    assert "3 leaves, on average 1.00 questions per melon. If you stop here" in said
    assert said.endswith(": 3 of 17 wrong.")
    box.get_by_role("button", name="Take back").click()
    assert box.get_by_role("button", name="Take back").is_disabled()
    assert "no question yet" in box.locator(".grow-said").inner_text()


def test_by_touch_the_first_tap_shows_and_the_second_asks(browser: Browser, site: str) -> None:
    with opened(browser, 390, has_touch=True) as visit:
        box = widget(visit.page, f"{site}chapters/04_id3.html")
        feature(box, "texture").tap()
        assert box.locator(".grow-node.ghost").count() == 3
        feature(box, "texture").tap()
        assert box.locator(".grow-node.ghost").count() == 0
        assert "3 leaves" in box.locator(".grow-said").inner_text()
        box.locator(".grow-node", has_text="slightly blurry").tap()
        assert "texture is slightly blurry: which question?" in box.locator(".grow-place").inner_text()
        assert visit.complaints == []


def test_by_keyboard_focus_shows_and_enter_asks(page: Page, site: str) -> None:
    box = widget(page, f"{site}chapters/04_id3.html")
    page.keyboard.press("Shift")
    feature(box, "color").focus()
    page.keyboard.press("Tab")
    assert "stem" in box.locator(".grow-detail").inner_text()
    page.keyboard.press("Enter")
    assert "4 leaves" not in box.locator(".grow-said").inner_text()
    assert "3 leaves" in box.locator(".grow-said").inner_text()


def test_a_threshold_is_dragged(page: Page, site: str) -> None:
    box = widget(page, f"{site}chapters/06_c45.html")
    feature(box, "density").click()
    slider = box.locator("input[type=range]")
    before = box.locator(".grow-formula").first.inner_text()
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert box.locator(".grow-formula").first.inner_text() != before
    assert "density ≤ " in box.locator(".grow-counts-table").inner_text()
    box.locator(".grow-do").click()
    assert "2 leaves" in box.locator(".grow-said").inner_text()


def test_names_change_sides(page: Page, site: str) -> None:
    box = widget(page, f"{site}chapters/08_cart.html")
    feature(box, "color").click()
    group = box.get_by_role("group", name="The first group of color")
    before = box.locator(".grow-formula").first.inner_text()
    group.get_by_role("button", name="dark").click()
    assert box.locator(".grow-formula").first.inner_text() != before
    assert box.locator(".grow-node.ghost").count() == 2


def test_a_second_press_without_moving_asks_nothing(page: Page, site: str) -> None:
    box = widget(page, f"{site}chapters/04_id3.html")
    feature(box, "texture").click()
    after = box.locator(".grow-said").inner_text()
    for _ in range(3):
        page.mouse.down()
        page.mouse.up()
    assert box.locator(".grow-said").inner_text() == after


def test_what_a_program_asks_stands_beside_no_other_question(page: Page, site: str) -> None:
    box = widget(page, f"{site}chapters/04_id3.html")
    assert "color" in box.locator(".grow-counts-table").inner_text()
    box.get_by_role("button", name="C4.5", exact=True).click()
    assert box.locator(".grow-counts-table").count() == 0
    assert box.locator(".grow-do").is_disabled()
    assert box.locator(".grow-rows th.asked").all_inner_texts() == ["texture"]


def test_the_number_on_a_question_has_a_name(page: Page, site: str) -> None:
    box = widget(page, f"{site}{FIRST}")
    measured, worths = box.locator(".grow-measured"), box.locator(".grow-worth")
    assert measured.inner_text() == "The number on a question: its gain in bits."
    box.get_by_role("button", name="C4.5", exact=True).click()
    assert measured.inner_text() == "The number on a question: its gain ratio."
    box.get_by_role("button", name="CART", exact=True).click()
    assert measured.inner_text() == f"The number on a question: by how much it lowers {GINI}."
    feature(box, "texture").hover()
    page.wait_for_timeout(300)
    assert measured.inner_text() == "The number on a question: its gain in bits."
    assert [text for text in worths.all_inner_texts() if text] == ["0.381"]  # none of CART's is left


def test_every_term_leads_to_its_chapter(page: Page, site: str) -> None:
    box = widget(page, f"{site}{FIRST}")
    found: dict[str, str] = {}
    note = "(box) => Object.fromEntries([...box.querySelectorAll('a')].map((a) => [a.textContent, a.href]))"
    found |= box.evaluate(note)
    for program in ("ID3", "C4.5", "CART"):
        box.get_by_role("button", name=program, exact=True).click()
        found |= box.evaluate(note)
    box.get_by_role("button", name="Compare with").click()
    found |= box.evaluate(note)
    assert {word: address.removeprefix(f"{site}chapters/") for word, address in found.items()} == TERMS


def test_a_page_has_no_link_to_itself(page: Page, site: str) -> None:
    box = widget(page, f"{site}chapters/04_id3.html")
    box.get_by_role("button", name="ID3", exact=True).click()
    assert box.locator(".grow-why a").all_inner_texts() == ["gain"]


@pytest.mark.parametrize(("path", "is_open"), [(FIRST, False), ("chapters/04_id3.html", True)])
def test_the_sum_is_folded_where_no_formula_is_known(page: Page, site: str, path: str, is_open: bool) -> None:
    box = widget(page, site + path)
    assert box.locator(".grow-formula").first.is_visible() is is_open
    box.locator(".grow-sums summary").click()
    feature(box, "stem").hover()
    page.wait_for_timeout(300)
    assert box.locator(".grow-formula").first.is_visible() is not is_open  # it stays as one wants it


def test_what_cannot_be_asked_has_no_buttons(page: Page, site: str) -> None:
    box = widget(page, f"{site}chapters/04_id3.html")
    panels = box.locator(".grow-panels")
    feature(box, "texture").click()
    box.locator(".grow-node", has_text="blurry").last.click()
    assert "all no, nothing is left to ask" in box.locator(".grow-place").inner_text()
    assert not panels.is_visible()
    box.locator(".grow-node.open").first.click()
    assert panels.is_visible()
    follow(box, "ID3")
    assert "Your tree is finished" in box.locator(".grow-place").inner_text()
    assert not panels.is_visible()


def test_an_empty_leaf_says_whose_answer_it_takes(page: Page, site: str) -> None:
    box = widget(page, f"{site}chapters/04_id3.html")
    follow(box, "ID3")
    empty = box.locator(".grow-node.empty")
    assert empty.count() == 1
    assert "no melon:" in empty.inner_text()
    assert "as above" in empty.inner_text()
    assert empty.evaluate("(card) => getComputedStyle(card).borderStyle") == "solid"
    assert box.locator(".grow-node.ghost").count() == 0


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_the_tree_that_is_shown_comes_into_view(browser: Browser, site: str, width: int) -> None:
    with opened(browser, width, has_touch=width < 600) as visit:
        page = visit.page
        box = widget(page, f"{site}{FIRST}")
        follow(box, "ID3")
        said = box.locator(".grow-said")
        theirs = box.get_by_role("button", name="CART: show this tree")
        theirs.scroll_into_view_if_needed()
        theirs.click()
        assert said.inner_text().startswith("The tree of CART: 7 leaves")
        assert HEADER <= said.bounding_box()["y"] < TOP
        back = box.get_by_role("button", name="Back to my tree")
        assert back.evaluate("(button) => button === document.activeElement")
        back.click()
        assert said.inner_text().startswith("Your tree: 9 leaves")
        assert HEADER <= said.bounding_box()["y"] < TOP
        assert box.locator(".grow-node:focus").count() == 1
        table = box.locator(".grow-compared")
        assert table.bounding_box()["width"] <= box.bounding_box()["width"]
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert visit.complaints == []


@pytest.mark.parametrize("path", CHAPTERS)
def test_what_is_said_of_a_programs_tree_is_what_the_library_counts(page: Page, site: str, path: str) -> None:
    box = widget(page, site + path)
    box.get_by_role("button", name="Compare with").click()
    names = box.locator(".grow-compared button").all_inner_texts()[1:]
    assert len(names) >= 2
    for name in names:
        row = box.locator(".grow-compared tr", has=page.get_by_role("button", name=f"{name}: show this tree"))
        leaves, questions, wrong, _ = row.locator("td").all_inner_texts()
        row.get_by_role("button").click()
        said = box.locator(".grow-said").inner_text()
        assert f"{leaves} leaves, on average {questions} questions per melon, {wrong} of 17 wrong." in said


def test_on_a_phone_the_button_stands_below_the_questions(browser: Browser, site: str) -> None:
    with opened(browser, 390, has_touch=True) as visit:
        box = widget(visit.page, f"{site}{FIRST}")
        asking = box.locator(".grow-do")
        feature(box, "texture").tap()
        last, table = box.locator(".grow-feature").last, box.locator(".grow-counts-table")
        assert 0 < asking.bounding_box()["y"] - last.bounding_box()["y"] < ROW
        assert asking.bounding_box()["y"] < table.bounding_box()["y"]
        asking.tap()
        assert "3 leaves" in box.locator(".grow-said").inner_text()
        assert box.locator(".grow-node[aria-pressed=true]").bounding_box()["y"] >= HEADER


def test_a_question_that_is_tried_says_so(page: Page, site: str) -> None:
    box = widget(page, f"{site}{FIRST}")
    root = box.locator(".grow-node").first
    assert "try: color?" in root.inner_text()
    feature(box, "texture").click()
    assert "texture?" in root.inner_text()
    assert "try" not in root.inner_text()
