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
    "chapters/07_missing_values.html": ["C4.5"],
    "chapters/09_cart.html": ["CART"],
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
    theirs = next(row for row in rows if row[0] == f"{program} (yours)")
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
    assert "3 leaves, 1.00 questions for a melon, 3 of 17 wrong" in box.locator(".grow-said").inner_text()
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
    box = widget(page, f"{site}chapters/09_cart.html")
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
    assert box.locator(".grow-counts-table, .grow-do").count() == 0
