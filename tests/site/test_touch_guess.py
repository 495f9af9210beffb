"""Guess first: by mouse, by touch and by keyboard, right numbers are right and slips are named, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dtlib.datasets import load_loan
from dtlib.homework import check_answer
from tests.site.browser import opened, settled
from tests.site.served import BUILT
from tests.site.test_touch_threshold import cut_or_hard_to_reach
from tests.site.touch import widget_of
from tools.pdf.folds import open_others
from tools.pdf.pages import read

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

SHOW_ME = "details.show-me > summary"
CHAPTER, NONE = "chapters/03_information_gain.html", "chapters/12_overfitting.html"
GUESS = "div.guess"
COMPUTED, TYPED = f"{GUESS} >> nth=0", f"{GUESS} >> nth=1"  # gain(owns_house) is 0.41997, H(D|color) 0.889
RIGHT = "Right: 0.4200 to four digits."
SAID = {  # of the first guess
    "0.42": RIGHT,
    ".420": RIGHT,
    "0,420": RIGHT,
    " 0.41997 ": RIGHT,
    "0.41997309402197": RIGHT,
    "420/1000": RIGHT,
    "0.971": "0.971 is not right. Another quantity: this is H(D).",
    "−0.420": "−0.420 is not right. The sign is wrong.",
    "-.42": "−.42 is not right. The sign is wrong.",
    "0.551": "0.551 is not right. Another quantity: this is H(D|owns_house).",
    "4.20": "4.20 is not right. The decimal point is shifted, or a zero lost.",
    "0.4": "0.4 is right as far as it goes. Write at least two digits.",
    "0.3": "0.3 is too small.",
    "0.777": "0.777 is too large.",
    "1": "1 is too large.",
    "19/54": "19/54 is too small.",
    **dict.fromkeys(
        ["", "-", "abc", "1/0", "1,234.5", "0.4.2"], "Write a number, such as 0.25, −1.5 or 1/4."
    ),
}
WATCH = """(box) => {
    window.said = [];
    const status = box.querySelector("[role=status]");
    const note = () => said.push(status.textContent);
    new MutationObserver(note).observe(status, { childList: true, characterData: true });
}"""


def field(found: Locator) -> Locator:
    """Return the field of a guess by its label, the only one there."""
    return found.get_by_label("Your guess")


def answer(found: Locator, typed: str) -> str:
    """Type a number, press Enter, and return what is said."""
    field(found).fill(typed)
    field(found).press("Enter")
    return found.get_by_role("status").inner_text()


def folded(page: Page) -> list[bool]:
    """Say of each guess whether its answer is folded."""
    return page.locator(f"{GUESS} details.show-me").evaluate_all("folds => folds.map((fold) => !fold.open)")


def test_what_is_typed_is_judged_as_it_is_meant(browser: Browser, site: str) -> None:
    with widget_of(browser, site + CHAPTER, COMPUTED) as (page, found):
        assert field(found).get_attribute("inputmode") == "decimal"
        assert {typed: answer(found, typed) for typed in SAID} == SAID
        assert folded(page) == [True, True]
        other = page.locator(TYPED)
        assert answer(other, "0.89") == answer(other, "0.8887") == "Right: 0.889 to three digits."
        mean = "That is the plain mean of the branches. Each counts with its share of the melons."
        assert answer(other, "0.880") == f"0.880 is not right. {mean}"
        assert answer(other, "0.8796") == f"0.8796 is not right. {mean}"
        assert answer(other, "0.5") == "0.5 is too small."
        assert found.get_by_role("status").inner_text() == SAID["0.4.2"], "each guess speaks for itself"


def test_the_page_says_of_a_number_what_the_library_says(browser: Browser, site: str) -> None:
    frame = load_loan().frame
    with widget_of(browser, site + CHAPTER, COMPUTED) as (_, found):
        for typed in (
            f"{k / 1000:.{d}f}" for d, step in ((2, 70), (3, 43), (4, 97)) for k in range(-400, 1100, step)
        ):
            (told,) = check_answer({"gain(owns_house)": typed}, frame, "approved").findings
            size = "small" if float(typed) < 0.42 else "large"
            shown = typed.replace("-", "−")
            wanted = f"{shown} is not right. {told.explanation[:1].upper()}{told.explanation[1:]}."
            if told.slip == "unexplained":
                wanted = f"{shown} is too {size}."
            assert answer(found, typed) == (RIGHT if told.is_right else wanted)


def test_by_keyboard_one_tries_again_and_everything_is_said_once(browser: Browser, site: str) -> None:
    with widget_of(browser, site + CHAPTER, COMPUTED) as (page, found):
        status = found.get_by_role("status")
        assert status.inner_text() == ""
        found.evaluate(WATCH)
        field(found).focus()
        for typed in ("0.971", "0.42"):
            page.keyboard.type(typed)  # what was wrong is selected, and goes
            assert field(found).input_value() == typed
            page.keyboard.press("Enter")
        assert page.evaluate("said") == [SAID["0.971"], RIGHT]
        assert page.evaluate("location.search") == ""
        assert page.evaluate("Object.keys(localStorage).filter((key) => /guess/.test(key))") == []
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Check"
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert folded(page) == [False, True]
        assert found.get_by_text("The branch of the owners is pure").is_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("colors", ["none", "active"])
def test_on_a_phone_it_can_be_read_and_touched(browser: Browser, site: str, theme: str, colors: str) -> None:
    phone = {"has_touch": True, "is_mobile": True, "theme": theme, "forced_colors": colors}
    with widget_of(browser, site + CHAPTER, COMPUTED, 390, **phone) as (page, found):
        before = found.bounding_box()["height"]
        field(found).fill("0.42")
        found.get_by_role("button", name="Check").tap()
        assert found.get_by_role("status").inner_text() == RIGHT
        assert found.bounding_box()["height"] == pytest.approx(before, abs=1)
        sizes = [part.bounding_box()["height"] for part in found.locator("button, input").all()]
        assert min(sizes) >= 40
        borders = found.locator("input").evaluate("box => getComputedStyle(box).borderTopWidth")
        assert borders == "1px"
        for typed in ("0.42", "0.971", "?"):
            answer(found, typed)
            assert cut_or_hard_to_reach(found) == []
        found.locator(SHOW_ME).tap()
        settled(page)
        assert cut_or_hard_to_reach(found) == []


def test_without_scripts_and_on_paper_there_is_the_question_and_the_answer(
    browser: Browser, site: str
) -> None:
    with opened(browser, 1280, java_script_enabled=False) as visit:
        visit.page.goto(site + CHAPTER)
        found = visit.page.locator(COMPUTED)
        assert found.get_by_text("How many bits is the question about the house worth?").is_visible()
        assert found.locator("form").count() == 0
        assert found.inner_text().endswith("Show me")
        found.locator(SHOW_ME).click()
        assert found.get_by_text("The branch of the owners is pure").is_visible()
    with widget_of(browser, site + CHAPTER, COMPUTED) as (page, found):
        page.emulate_media(media="print")
        assert not found.locator("form").is_visible()
        assert not found.locator(SHOW_ME).is_visible()
        assert found.get_by_text("How many bits is the question about the house worth?").is_visible()
        assert found.locator("details.show-me > p").bounding_box()["height"] > 10


def test_in_the_pdf_the_answer_stands_below_the_question() -> None:
    page = read(BUILT, CHAPTER.removesuffix(".html"), "")
    open_others(page)
    found = page.article.select_one(GUESS)
    words = [" ".join(part.get_text().split()) for part in found.find_all(["p", "form", "input"])]
    assert words[0].endswith("How many bits is the question about the house worth? (three digits)")
    assert sum(word.startswith("0.420 bits.") for word in words) == 1
    assert found.select_one(".show-me > p.summary").get_text() == "Show me"  # the style for print hides it


def test_a_page_without_a_guess_asks_for_nothing_of_it(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        visit.go(site + NONE)
        assert visit.page.locator(GUESS).count() == 0
        assert "Your guess" not in visit.page.evaluate(
            "fetch('../_static/bundle.js').then((file) => file.text())"
        )
    assert visit.complaints == []
