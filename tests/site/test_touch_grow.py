"""Grow it yourself: its arithmetic is the library's; it can be used by mouse, by touch and by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from touchable.scripts import SOURCE, files, joined

from tests.site.browser import opened
from tests.site.drawn_tables import PROGRAMS, Drawn, draw_table, of_library
from tests.site.limits import READ_AT
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
FEATURES = ["color", "stem", "knock", "texture", "navel", "touch"]
LIKE_ID3 = ["texture", "stem", "color", "touch", "touch"]
OTHERS = ["texture", "touch", "navel", "color", "knock", "touch"]
THREE = "Your tree: 3 leaves, on average 1.00 questions per melon. If you stop here, 3 of 17 wrong."
LAPTOP = 560  # px: with title and status, what a laptop shows at once
HEADER, TOP = 50, 250  # px: the header of a page, near the top
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
    "see why": "04_id3.html",
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
    for name in ("touch", "arithmetic"):
        page.add_script_tag(content=joined(files(SOURCE)[name]))
    answers = page.evaluate(ANSWERS, [table.in_script() for table in drawn])
    compared = [(table, found, p) for table, found in zip(drawn, answers, strict=True) for p in PROGRAMS]
    compared = [(table, found, program) for table, found, program in compared if table.takes(program)]
    assert len(compared) > 2 * DRAWN
    assert [line for one in compared for line in differences(*one)] == []


def widget(page: Page, address: str) -> Locator:
    """Open a page and return its widget."""
    page.goto(address)
    page.evaluate(
        "() => document.querySelector('[data-touch=grow]').closest('details')?.setAttribute('open', '')"
    )
    start_widgets(page)
    return page.locator("[data-touch=grow]")


def unfold(box: Locator, *folds: str) -> None:
    """Open folds of the widget."""
    for fold in folds:
        if box.locator(fold).get_attribute("open") is None:
            box.locator(f"{fold} > summary").click()


def follow(box: Locator, program: str) -> None:
    """Ask what a program asks until nothing is left to ask."""
    unfold(box, ".grow-more")
    for _ in range(40):
        box.get_by_role("group", name="Programs").get_by_role("button", name=program, exact=True).click()
        box.locator(".grow-why button").click()
        if box.locator(".grow-asked").count():
            return
    raise AssertionError("the tree does not end")


@pytest.mark.parametrize(("path", "program"), [(path, p) for path, names in CHAPTERS.items() for p in names])
def test_who_follows_a_program_grows_its_tree(page: Page, site: str, path: str, program: str) -> None:
    box = widget(page, site + path)
    follow(box, program)
    unfold(box, ".grow-end")
    end = box.locator(".grow-end")
    rows = [row.split("\t") for row in end.locator("tr").all_inner_texts()]
    theirs = next(row for row in rows if row[0] == f"{program} same as yours")
    assert rows[1][1:5] == theirs[1:5]


def feature(box: Locator, name: str) -> Locator:
    return box.locator(".grow-feature", has_text=name)


def ask(box: Locator, names: list[str]) -> None:
    """Ask questions at the nodes where one comes."""
    for name in names:
        box.locator(".touch-title").hover()  # a mouse that has not moved asks nothing
        feature(box, name).click()


def test_it_opens_with_nothing_tried_and_nothing_to_take_back(page: Page, site: str) -> None:
    box = widget(page, f"{site}{FIRST}")
    assert box.locator(".grow-node").count() == 1
    assert "try" not in box.locator(".grow-node").inner_text()
    assert box.locator(".grow-guide").is_visible()
    assert box.locator(".grow-feature").all_inner_texts() == FEATURES
    for name in ("Take back", "Start again"):
        assert not box.get_by_role("button", name=name).is_visible()
    assert box.locator("table").filter(visible=True).count() == 0


def test_by_mouse_pointing_shows_and_pressing_asks(page: Page, site: str) -> None:
    box = widget(page, f"{site}chapters/04_id3.html")
    feature(box, "texture").hover()
    page.wait_for_timeout(300)  # a mouse that rests
    assert "= 0.381 bits" in box.locator(".grow-counted").inner_text()
    assert box.locator(".grow-node.ghost").count() == 3
    assert "try: texture?" in box.locator(".grow-node").first.inner_text()
    assert "No question yet" in box.locator(".grow-said").inner_text()
    feature(box, "texture").click()
    assert "texture?" in box.locator(".grow-node").first.inner_text()
    assert "try" not in box.locator(".grow-node").first.inner_text()
    said = box.locator(".grow-said").inner_text()
    assert said == THREE
    assert "= 0.381 bits" in box.locator(".grow-counted").inner_text()  # of the question that led here
    box.get_by_role("button", name="Take back").click()
    assert not box.get_by_role("button", name="Take back").is_visible()
    assert box.locator(".grow-node:focus").count() == 1
    assert "No question yet" in box.locator(".grow-said").inner_text()


def test_by_touch_one_tap_asks(browser: Browser, site: str) -> None:
    with opened(browser, 390, has_touch=True) as visit:
        box = widget(visit.page, f"{site}chapters/04_id3.html")
        feature(box, "texture").tap()
        assert box.locator(".grow-node.ghost").count() == 0
        assert box.locator(".grow-said").inner_text() == THREE
        box.locator(".grow-node", has_text="slightly blurry").tap()
        assert "texture is slightly blurry: which question?" in box.locator(".grow-place").inner_text()
        assert visit.complaints == []


def test_by_keyboard_focus_shows_and_enter_asks(page: Page, site: str) -> None:
    box = widget(page, f"{site}chapters/04_id3.html")
    page.keyboard.press("Shift")
    feature(box, "color").focus()
    page.keyboard.press("Tab")
    assert "stem" in box.locator(".grow-counted").inner_text()
    page.keyboard.press("Enter")
    assert "3 leaves" in box.locator(".grow-said").inner_text()
    assert feature(box, "stem").evaluate("(button) => button === document.activeElement")


def test_what_happens_is_said_politely_and_a_node_says_all_of_its_path(page: Page, site: str) -> None:
    box = widget(page, f"{site}{FIRST}")
    assert box.locator("[aria-live=polite]").count() == 3
    ask(box, ["texture", "stem"])
    place = box.locator(".grow-place")
    assert place.text_content() == "texture is clear, stem is slightly curled: which question?"
    assert box.locator(".grow-place .visually-hidden").text_content() == "texture is clear, "


def test_a_question_with_one_answer_says_so_and_asks_nothing(page: Page, site: str) -> None:
    box = widget(page, f"{site}{FIRST}")
    ask(box, ["texture"])
    feature(box, "texture").click(force=True)
    assert feature(box, "texture").inner_text().split("\n") == ["texture", "one answer"]
    assert feature(box, "texture").get_attribute("aria-disabled") == "true"
    assert box.locator(".grow-said").inner_text() == THREE


def test_a_threshold_is_dragged(page: Page, site: str) -> None:
    box = widget(page, f"{site}chapters/06_c45.html")
    feature(box, "density").click()
    assert "2 leaves" in box.locator(".grow-said").inner_text()  # with its best threshold
    box.locator(".grow-node").first.click()
    assert not box.locator(".grow-features").is_visible()
    before = box.locator(".grow-formula").first.inner_text()
    slider = box.locator("input[type=range]")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert box.locator(".grow-formula").first.inner_text() != before
    cut = slider.get_attribute("aria-valuetext")
    assert f"density \u2264 {cut}" in box.locator(".grow-counts-table").inner_text()
    assert f"density \u2264 {cut}?" in box.locator(".grow-node").first.inner_text()
    assert slider.evaluate("(slider) => slider === document.activeElement")


def test_names_change_sides(page: Page, site: str) -> None:
    box = widget(page, f"{site}chapters/08_cart.html")
    feature(box, "color").click()
    box.locator(".grow-node").first.click()
    group = box.get_by_role("group", name="The first group of color")
    before = box.locator(".grow-formula").first.inner_text()
    group.get_by_role("button", name="dark").click()
    assert box.locator(".grow-formula").first.inner_text() != before
    assert box.locator(".grow-node").count() == 3


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
    feature(box, "color").hover()
    page.wait_for_timeout(300)
    assert "color" in box.locator(".grow-counts-table").inner_text()
    box.get_by_role("button", name="C4.5", exact=True).click()
    assert box.locator(".grow-counts-table").count() == 0
    assert box.locator(".grow-rows th.asked").all_text_contents() == ["texture"]


@pytest.mark.parametrize(("program", "name"), [("ID3", "gain"), ("C4.5", "gain ratio"), ("CART", "decrease")])
def test_the_number_on_a_question_has_a_name(page: Page, site: str, program: str, name: str) -> None:
    box = widget(page, f"{site}{FIRST}")
    unfold(box, ".grow-more")
    worths = box.locator(".grow-worth")
    box.get_by_role("button", name=program, exact=True).click()
    assert all(text.startswith(f"{name} 0.") for text in worths.all_inner_texts())
    feature(box, "texture").hover()
    page.wait_for_timeout(300)
    assert [text for text in worths.all_inner_texts() if text] == ["gain 0.381"]  # no other is left


def test_every_term_leads_to_its_chapter(page: Page, site: str) -> None:
    box = widget(page, f"{site}{FIRST}")
    found: dict[str, str] = {}
    note = "(box) => Object.fromEntries([...box.querySelectorAll('a')].map((a) => [a.textContent, a.href]))"
    unfold(box, ".grow-more", ".grow-end")
    for program in ("ID3", "C4.5", "CART"):
        box.get_by_role("button", name=program, exact=True).click()
        found |= box.evaluate(note)
    follow(box, "ID3")
    found |= box.evaluate(note)
    assert {word: address.removeprefix(f"{site}chapters/") for word, address in found.items()} == TERMS


def test_a_page_has_no_link_to_itself(page: Page, site: str) -> None:
    box = widget(page, f"{site}chapters/04_id3.html")
    box.get_by_role("button", name="ID3", exact=True).click()
    assert box.locator(".grow-why a").all_inner_texts() == ["gain"]


@pytest.mark.parametrize(("path", "is_open"), [(FIRST, False), ("chapters/04_id3.html", True)])
def test_the_sum_is_folded_where_no_formula_is_known(page: Page, site: str, path: str, is_open: bool) -> None:
    box = widget(page, site + path)
    ask(box, ["texture"])
    assert box.locator(".grow-formula").first.is_visible() is is_open
    box.locator(".grow-more > summary").click()
    ask(box, ["stem"])
    assert box.locator(".grow-formula").first.is_visible() is not is_open  # it stays as one wants it


@pytest.mark.parametrize("path", [FIRST, *CHAPTERS])
def test_no_table_is_open(page: Page, site: str, path: str) -> None:
    box = widget(page, site + path)
    for table in (".grow-rows", ".grow-compared"):
        assert not box.locator(table).is_visible()


def test_what_cannot_be_asked_has_no_buttons(page: Page, site: str) -> None:
    box = widget(page, f"{site}chapters/04_id3.html")
    panels = box.locator(".grow-features")
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
    assert empty.locator(":not(.grow-label)").all_inner_texts() == ["no melon:", "as above", "yes"]
    assert empty.evaluate("(card) => getComputedStyle(card).borderStyle") == "solid"
    assert box.locator(".grow-node.ghost").count() == 0


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_the_tree_that_is_shown_comes_into_view(browser: Browser, site: str, width: int) -> None:
    with opened(browser, width, has_touch=width < 600) as visit:
        page = visit.page
        box = widget(page, f"{site}{FIRST}")
        follow(box, "ID3")
        unfold(box, ".grow-end")
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
    unfold(box, ".grow-end")
    names = box.locator(".grow-compared button").all_inner_texts()[1:]
    assert len(names) >= 2
    for name in names:
        row = box.locator(".grow-compared tr", has=page.get_by_role("button", name=f"{name}: show this tree"))
        leaves, questions, wrong, _ = row.locator("td").all_inner_texts()
        row.get_by_role("button").click()
        said = box.locator(".grow-said").inner_text()
        assert f"{leaves} leaves, on average {questions} questions per melon, {wrong} of 17 wrong." in said


# The end: how many questions were asked


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (OTHERS, "You asked 6 questions, ID3 asks 5: see why."),
        (LIKE_ID3, "You asked 5 questions, the same as ID3: see why."),
    ],
)
def test_after_the_last_leaf_the_questions_are_counted(
    page: Page, site: str, names: list[str], said: str
) -> None:
    box = widget(page, f"{site}{FIRST}")
    ask(box, names[:-1])
    assert box.locator(".grow-asked").count() == 0
    ask(box, names[-1:])
    line = box.locator(".grow-asked")
    assert line.inner_text() == said
    assert box.locator(".grow-node.asks").count() == len(names)
    assert not box.locator(".grow-end").is_visible()  # the table comes when one wants it
    line.get_by_role("link").click()
    assert page.url == f"{site}chapters/04_id3.html"


@pytest.mark.parametrize(
    ("path", "program"), [("chapters/06_c45.html", "C4.5"), ("chapters/08_cart.html", "CART")]
)
def test_where_id3_reads_no_table_the_chapters_program_is_compared(
    page: Page, site: str, path: str, program: str
) -> None:
    box = widget(page, site + path)
    follow(box, program)
    number = box.locator(".grow-node.asks").count()
    assert box.locator(".grow-asked").inner_text() == f"You asked {number} questions, the same as {program}."


# Tree and questions, both in sight


def whole(page: Page, part: Locator) -> bool:
    """Say whether a part is on the screen as a whole, below the header."""
    box, size = part.bounding_box(), page.viewport_size
    return box["y"] >= HEADER and box["y"] + box["height"] <= size["height"]


@pytest.mark.parametrize(
    "path", [FIRST, "chapters/04_id3.html", "chapters/06_c45.html", "chapters/10_missing_values.html"]
)
def test_on_a_laptop_the_questions_stand_beside_the_tree(page: Page, site: str, path: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    box = widget(page, site + path)
    stage, side, play = (box.locator(part) for part in (".grow-stage", ".grow-side", ".grow-play"))
    page.evaluate("(top) => scrollBy(0, top)", box.bounding_box()["y"] - HEADER - 10)
    tall = play.bounding_box()["height"]
    assert tall < LAPTOP
    for name in ("texture", "stem"):
        ask(box, [name])
        tree, questions = stage.bounding_box(), side.bounding_box()
        assert tree["x"] + tree["width"] <= questions["x"]
        assert whole(page, stage)
        assert whole(page, side)
        assert play.bounding_box()["height"] == tall  # nothing moves


@pytest.mark.parametrize("width", [360, 390])
def test_on_a_phone_the_questions_stay_in_sight_below_the_tree(
    browser: Browser, site: str, width: int
) -> None:
    with opened(browser, width, has_touch=True, is_mobile=True) as visit:
        page = visit.page
        page.set_viewport_size({"width": width, "height": 844})
        box = widget(page, f"{site}{FIRST}")
        page.evaluate("() => scrollTo(0, 0)")
        for name in OTHERS[:-1]:
            assert all(whole(page, button) for button in box.locator(".grow-feature").all())
            feature(box, name).tap()
            changed = box.locator(".grow-node[aria-pressed=true]")
            assert whole(page, changed)
            side = box.locator(".grow-side").bounding_box()
            node = changed.bounding_box()
            assert node["y"] + node["height"] <= side["y"]
        feature(box, OTHERS[-1]).tap()
        assert whole(page, box.locator(".grow-asked"))
    assert visit.complaints == []


def axe(page: Page) -> list[str]:
    """List what axe finds in the widget."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(Axe().axe_script)
    found = page.evaluate("() => axe.run('[data-touch=grow]')")
    return [f"{rule['id']}: {rule['nodes'][0]['html'][:100]}" for rule in found["violations"]]


@pytest.mark.parametrize(("theme", "width"), READ_AT)
@pytest.mark.parametrize("names", [[], ["texture"], OTHERS])
def test_axe_finds_nothing_before_during_and_after(
    browser: Browser, site: str, theme: str, width: int, names: list[str]
) -> None:
    with opened(browser, width, theme) as visit:
        box = widget(visit.page, f"{site}{FIRST}")
        ask(box, names)
        unfold(box, ".grow-more", ".grow-end")
        assert axe(visit.page) == []
    assert visit.complaints == []


def test_a_tree_that_is_wide_is_drawn_smaller(page: Page, site: str) -> None:
    box = widget(page, f"{site}{FIRST}")
    large = box.locator(".grow-node").first.bounding_box()["height"]
    ask(box, OTHERS)
    assert box.locator(".grow-node").first.bounding_box()["height"] < large
    stage = box.locator(".grow-stage")
    assert stage.evaluate("(stage) => stage.scrollWidth <= stage.clientWidth")


def test_a_window_that_was_narrow_leaves_no_tall_stage(page: Page, site: str) -> None:
    box = widget(page, f"{site}{FIRST}")
    ask(box, OTHERS)
    stage = box.locator(".grow-stage")
    tall = stage.bounding_box()["height"]
    for width in (390, page.viewport_size["width"]):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(200)
    assert stage.bounding_box()["height"] == tall
