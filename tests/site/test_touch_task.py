"""Predict, then see: no widget opens on its answer, and what is said of a try is what the data say."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.site.browser import opened, settled
from tests.site.test_touch_threshold import cut_or_hard_to_reach
from tests.site.touch import widget_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page


class Case(NamedTuple):
    """A widget: where it stands, and of each task the place of the slider that answers it."""

    page: str
    place: str
    answers: tuple[int, ...]
    curve: str  # what is hidden

    def __str__(self) -> str:
        return self.place


DOTS = "circle.threshold-dot"
CASES = {
    "density": Case("06_c45", "#figure-6-2 .touch", (3,), DOTS),
    "sugar": Case("06_c45", "#figure-6-3 .touch", (4,), DOTS),
    "temperature": Case("06_c45", "[data-touch=threshold] >> nth=2", (10, 10), DOTS),
    "charge": Case("06_c45", "[data-touch=threshold] >> nth=3", (4, 4), DOTS),
    "gini": Case("08_cart", "[data-touch=threshold]", (7, 4), DOTS),
    "depth": Case("11_regression_trees", "#figure-11-7 .touch", (3,), "path.depth-fresh"),
    "melons": Case("13_price_per_leaf", "[data-touch=price]", (10, 22, 36), "path.price-border"),
    "tumors": Case("14_cost_complexity", "[data-touch=price]", (3, 9), "circle.price-corner"),
    "boost": Case("17_boosting", "#figure-17-3 .touch", (2, 14, 141), "path.boost-fresh"),
    "angle": Case("22_oblique_trees", "[data-touch=angle]", (111,), "path.angle-curve"),
}
cases = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
SPOKEN = """(box) => [...box.querySelectorAll("svg[aria-label], [aria-valuetext], p, td, text, math")]
    .filter((part) => part.checkVisibility({ visibilityProperty: true }))
    .map((part) => part.getAttribute("aria-label") ?? part.getAttribute("aria-valuetext") ?? part.textContent)
    .join(" | ")"""
LEFT = ("No try is left.", "One try is left.", "Two tries are left.")


def widget(
    browser: Browser, site: str, case: Case, width: int = 1280, **options: Any
) -> AbstractContextManager[tuple[Page, Locator]]:
    """Open the chapter of a widget and go to it."""
    return widget_of(browser, f"{site}chapters/{case.page}.html", case.place, width, **options)


def data(box: Locator) -> dict[str, Any]:
    """Return the data that the page brings."""
    found: dict[str, Any] = json.loads(box.locator("script").text_content() or "")
    return found


def slider(box: Locator) -> Locator:
    return box.get_by_role("slider").first


def press(box: Locator, name: str) -> str:
    """Press a button, and return what is said then."""
    box.get_by_role("button", name=name, exact=True).click()
    return said(box)


def said(box: Locator) -> str:
    return box.locator(".task-says").inner_text()


def asked(box: Locator) -> str:
    return box.locator(".touch-task").inner_text()


def guess(box: Locator, place: int) -> str:
    slider(box).fill(str(place))
    return press(box, "This one")


def is_hidden(box: Locator, case: Case) -> bool:
    """Say whether the answer is hidden: of dots that show a try, some others are."""
    return not all(part.is_visible() for part in box.locator(case.curve).all())


def go_to(box: Locator, number: int) -> None:
    """Begin a task of a widget anew."""
    while not box.get_by_role("button", name="Start again").is_visible():
        press(box, "Next")
    press(box, "Start again")
    for _ in range(number):
        press(box, "Next")


def faults(box: Locator) -> list[str]:
    """Say what is cut off or hard to reach; a tree scrolls, and a line is longer than its plane."""
    found = cut_or_hard_to_reach(box)
    drawn = box.get_attribute("data-touch") in ("price", "angle")
    return [fault for fault in found if not (drawn and fault.endswith("too wide"))]


def wrong_places(box: Locator, answer: int) -> list[int]:
    """Return three places that are far from the answer, and from each other."""
    last = int(slider(box).get_attribute("max") or 0)
    places = [*range(last, -1, -max(1, last // 7))]
    return sorted(places, key=lambda place: -abs(place - answer))[:3]


@cases
def test_it_does_not_open_on_the_answer(browser: Browser, site: str, case: Case) -> None:
    with widget(browser, site, case) as (_, box):
        for number, answer in enumerate(case.answers):
            assert slider(box).input_value() != str(answer)
            assert said(box) == "You have three tries."
            assert asked(box).endswith(".")
            assert is_hidden(box, case)
            first = press(box, "Show the answer")
            assert not is_hidden(box, case)
            assert slider(box).input_value() == str(answer)
            slider(box).fill("0")  # what is open stays open
            assert not is_hidden(box, case)
            assert press(box, "Show the answer") == first
            assert slider(box).input_value() == str(answer)
            last = number == len(case.answers) - 1
            assert press(box, "Start again" if last else "Next") == "You have three tries."
        assert is_hidden(box, case)


@cases
def test_three_tries_say_how_near(browser: Browser, site: str, case: Case) -> None:
    with widget(browser, site, case) as (_, box):
        answer = case.answers[0]
        places = wrong_places(box, answer)
        told = []
        for number, place in enumerate(places, 1):
            assert is_hidden(box, case)
            told.append(guess(box, place))
            assert LEFT[3 - number] in told[-1]
            if number < 3:
                assert press(box, "This one") == "You have tried this one."
        assert len(set(told)) == 3
        assert not is_hidden(box, case)
        assert slider(box).input_value() == str(places[-1])  # the reader's own place beside the answer
        mine = box.get_by_role("button", name="This one")
        assert mine.get_attribute("aria-disabled") == "true"
        mine.evaluate("button => button.click()")
        assert said(box) == told[-1]  # the tries are used
        assert told[-1].endswith(press(box, "Show the answer"))


@cases
def test_the_answer_is_right_and_next_leads_through_all_tasks(
    browser: Browser, site: str, case: Case
) -> None:
    with widget(browser, site, case) as (_, box):
        tasks = []
        for answer in case.answers:
            tasks.append(asked(box))
            assert guess(box, answer).startswith("Right. ")
            assert box.locator(".task-says.right").count() == 1
            assert not is_hidden(box, case)
            press(box, "Next" if len(tasks) < len(case.answers) else "Start again")
        assert len(set(tasks)) == len(case.answers)
        assert asked(box) == tasks[0]


@cases
def test_all_works_by_keyboard(browser: Browser, site: str, case: Case) -> None:
    with widget(browser, site, case) as (page, box):
        slider(box).focus()
        page.keyboard.press("Home")
        for _ in range(case.answers[0]):
            page.keyboard.press("ArrowRight")
        for name in ("This one", "Show the answer", "Next" if len(case.answers) > 1 else "Start again"):
            button = box.get_by_role("button", name=name, exact=True)
            for _ in range(6):
                page.keyboard.press("Tab")
                if button.evaluate("button => button === document.activeElement"):
                    break
            page.keyboard.press("Enter")
            focused = page.evaluate("document.activeElement.closest('.task-tools') !== null")
            assert focused, "a button that is pressed keeps the focus"
            if name == "This one":
                assert said(box).startswith("Right. ")
        assert is_hidden(box, case)
        assert said(box) == "You have three tries."


@cases
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_nothing_is_cut_off_and_axe_finds_nothing(
    browser: Browser, site: str, case: Case, theme: str, width: int
) -> None:
    with widget(browser, site, case, width, theme=theme) as (page, box):
        settled(page)
        status = box.locator(".task-says")
        assert (status.get_attribute("role"), status.get_attribute("aria-live")) == ("status", "polite")
        high = box.bounding_box()["height"]
        assert faults(box) == []
        guess(box, wrong_places(box, case.answers[0])[0])
        if "threshold" not in case.place:
            assert box.bounding_box()["height"] == pytest.approx(high, abs=1)
        assert faults(box) == []
        press(box, "Show the answer")
        assert faults(box) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert min(part.bounding_box()["height"] for part in box.get_by_role("button").all()) >= 40


# What is said of a try has the numbers of the data, at every place.


@pytest.mark.parametrize("name", ["density", "sugar", "temperature", "charge", "gini"])
def test_what_a_threshold_is_worth(browser: Browser, site: str, name: str) -> None:
    with widget(browser, site, CASES[name]) as (_, box):
        found = data(box)
        for number, judged in enumerate(found["measures"]):
            best, values = judged["best"], [f"{value:.3f}" for value in judged["values"]]
            assert values.count(values[best]) == 1
            for i, value in enumerate(values):
                go_to(box, number)
                told = guess(box, i).replace("\N{MINUS SIGN}", "-")
                assert told.startswith("Right. ") == (i == best)
                assert i == best or (value in told and values[best] in told)
                left, right = ("Its cut" in told and f"{side}, where" in told for side in ("left", "right"))
                assert (left, right) == (i > best, i < best)
            shown = press(box, "Show the answer")
            assert shown.startswith(f"The best threshold is {found['cuts'][best]['at']}: ")


def test_what_a_depth_misses(browser: Browser, site: str) -> None:
    with widget(browser, site, CASES["depth"]) as (_, box):
        found = data(box)
        for i, tree in enumerate(found["trees"]):
            told = guess(box, i)
            assert f"{tree['fresh']:.3f}" in told
            assert f"{found['trees'][found['best']]['fresh']:.3f}" in told
            assert ("too deep" in told, "not deep enough" in told) == (i > found["best"], i < found["best"])
            press(box, "Start again")


def test_what_a_number_of_trees_misses(browser: Browser, site: str) -> None:
    with widget(browser, site, CASES["boost"]) as (_, box):
        for number, sums in enumerate(data(box)["sums"]):
            best, least = sums["best"], min(sums["fresh"])
            for m in (1, best, 60, 150):
                go_to(box, number)
                told, error = guess(box, m - 1), sums["fresh"][m - 1]
                assert told.startswith("Right. ") == (error <= 1.01 * least)
                assert f"{least:.2f}" in told
                assert f"{error:.2f}" in told
                if not told.startswith("Right. "):
                    assert ("More trees" in told, "Fewer trees" in told) == (m < best, m > best)


def test_what_a_branch_costs(browser: Browser, site: str) -> None:
    with widget(browser, site, CASES["melons"]) as (_, box):
        found = data(box)
        trees, prices = found["trees"][:2], found["prices"]
        assert "0.000 + 9 · 0.000 = 0.000 bits" in box.locator(".price-said").inner_text()
        for i in (0, 4, 9, 10, 11, 12, 30):
            told, at = guess(box, i), prices[i]["at"]
            losses = [f"{tree['risk'] + tree['leaves'] * at:.3f}" for tree in trees]
            if 9 <= i <= 11:
                assert told.startswith("Right. ")
                assert f"{trees[1]['from']:.3f}" in told
            else:
                assert all(loss in told for loss in losses)
                assert ("higher" in told, "lower" in told) == (i < 10, i > 10)
            go_to(box, 0)


def test_what_a_tree_gets_wrong_when_held_out(browser: Browser, site: str) -> None:
    with widget(browser, site, CASES["tumors"]) as (_, box):
        found = data(box)
        cv = found["cv"]
        for number, best in enumerate((cv["least"], cv["chosen"])):
            for i, price in enumerate(found["prices"]):
                go_to(box, number)
                told, k = guess(box, i), price["k"]
                assert told.startswith("Right. ") == (k == best)
                assert (f"{cv['held'][k]:.4f}" if number else str(cv["wrong"][k])) in told


def test_while_a_branch_is_looked_for_the_tree_waits(browser: Browser, site: str) -> None:
    with widget(browser, site, CASES["melons"]) as (_, box):
        for place in (0, 15, 45):
            slider(box).fill(str(place))
            assert box.locator(".price-gone, .price-next").count() == 0
        press(box, "Show the answer")
        assert box.locator(".price-next").count() == 1
        assert box.locator(".price-gone").count() > 0


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("density", "0.262"),
        ("gini", "0.212"),
        ("depth", "0.134"),
        ("melons", "0.918"),
        ("tumors", "34"),
        ("boost", "13.86"),
        ("angle", "0.310"),
    ],
)
def test_the_answer_is_not_read_out_before(browser: Browser, site: str, name: str, number: str) -> None:
    with widget(browser, site, CASES[name]) as (_, box):
        assert number not in box.evaluate(SPOKEN)
        press(box, "Show the answer")
        assert number in box.evaluate(SPOKEN)


def test_a_direction_has_its_own_verdict(browser: Browser, site: str) -> None:
    with widget(browser, site, CASES["angle"]) as (_, box):
        found = data(box)
        turn, shift = box.get_by_role("slider").all()
        for degrees in (0, 60, 105, 120, 170):
            turn.fill(str(degrees))
            n = found["best"][degrees]
            good = sum(found["class"][int(row, 36)] for row in found["order"][degrees][:n])
            told = press(box, "This one")
            assert f"{found['gain'][n][good]:.3f}" in told
            assert ("more degrees" in told, "fewer degrees" in told) == (degrees < 111, degrees > 111)
            press(box, "Start again")
        turn.fill("111")
        shift.fill("1")
        assert "another cut gains more: 0.310" in press(box, "This one")


def test_without_scripts_the_pictures_stay(browser: Browser, site: str) -> None:
    with opened(browser, 1280, java_script_enabled=False) as visit:
        for case in CASES.values():
            visit.page.goto(f"{site}chapters/{case.page}.html")
            box = visit.page.locator(case.place)
            assert not box.is_visible()
            figure = visit.page.locator(f"figure:has({case.place.split(' >>')[0]})")
            if case.place.startswith("#figure"):
                assert visit.page.locator(f"{case.place.split()[0]} .cell_output svg").is_visible()
            elif figure.count() == 1:
                assert figure.locator(".cell_output svg").first.is_visible()
