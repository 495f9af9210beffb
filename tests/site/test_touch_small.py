"""The small widgets of chapters 1, 2, 5 and 7: what is shown is what the library says."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from dtlib import ID3Classifier
from dtlib.datasets import load_loan
from dtlib.measures import classification_error, entropy, gini, impurity_decrease
from tests.site.browser import opened, settled
from tests.site.limits import WIDTHS
from tests.site.test_touch_boost import axe
from tests.site.test_touch_threshold import cut_or_hard_to_reach
from tests.site.touch import widget_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PAGES = {
    "rows": "chapters/01_what_a_tree_is.html",
    "halvings": "chapters/02_entropy.html",
    "luck": "chapters/05_gain_ratio.html",
    "impurities": "chapters/07_impurity.html",
}
MEASURES = (entropy, gini, classification_error)
SLIDERS = ("halvings", "luck", "impurities")


def widget(
    browser: Browser, site: str, name: str, width: int = 1280, **options: Any
) -> AbstractContextManager[tuple[Page, Locator]]:
    """Open the chapter of a widget and go to it."""
    return widget_of(browser, site + PAGES[name], f"[data-touch={name}]", width, **options)


def said(box: Locator) -> str:
    """Return what a widget says."""
    return (box.locator(".touch-says").text_content() or "").replace("\N{MINUS SIGN}", "-")


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_nothing_is_cut_off_and_axe_finds_nothing(
    browser: Browser, site: str, name: str, theme: str, width: int
) -> None:
    with widget(browser, site, name, width, theme=theme) as (page, box):
        assert box.locator("[aria-live=polite]").count() == 1
        assert cut_or_hard_to_reach(box) == []
        assert axe(page, f"[data-touch={name}]") == []


@pytest.mark.parametrize("name", PAGES)
def test_it_keeps_its_place(browser: Browser, site: str, name: str) -> None:
    with widget(browser, site, name) as (page, box):
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            settled(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert not box.evaluate("(box) => box.scrollWidth > box.clientWidth"), width


@pytest.mark.parametrize("name", PAGES)
def test_without_scripts_there_is_no_widget(browser: Browser, site: str, name: str) -> None:
    with opened(browser, 1280, java_script_enabled=False) as visit:
        visit.page.goto(site + PAGES[name])
        assert not visit.page.locator(f"[data-touch={name}]").is_visible()
        if name in SLIDERS:
            assert visit.page.locator(f"figure:has([data-touch={name}]) .cell_output svg").is_visible()


@pytest.mark.parametrize("name", SLIDERS)
def test_on_paper_the_picture_stays(browser: Browser, site: str, name: str) -> None:
    with widget(browser, site, name) as (page, box):
        page.emulate_media(media="print")
        assert not box.is_visible()
        assert page.locator(f"figure:has([data-touch={name}]) .cell_output svg").is_visible()


@pytest.mark.parametrize("name", SLIDERS)
def test_by_keys_the_words_change_and_the_height_stays(browser: Browser, site: str, name: str) -> None:
    with widget(browser, site, name, 390, has_touch=True, is_mobile=True) as (page, box):
        slider, height = box.get_by_role("slider").first, box.evaluate("(box) => box.clientHeight")
        slider.focus()
        found = []
        for key in ("Home", "ArrowRight", "End"):
            page.keyboard.press(key)
            found.append(said(box))
            assert box.evaluate("(box) => box.clientHeight") == pytest.approx(height, abs=1)
        assert len(set(found)) == 3
        slider.tap(position={"x": 8, "y": 20})
        assert said(box) != found[-1]


def test_every_surprise_and_mean_is_that_of_the_library(browser: Browser, site: str) -> None:
    with widget(browser, site, "halvings") as (_, box):
        slider = box.get_by_role("slider")
        for place in range(199):
            slider.fill(str(place))
            p, words = (place + 2) / 200, said(box)
            s = abs(np.log2(p))
            assert box.locator("output").text_content() == f"{p:.3f}: {s:.3f} bits"
            assert f"The surprise is {s:.3f} bits." in words
            if p < 1:
                assert f"entropy of {entropy([p, 1 - p]):.3f} bits" in words
            if s % 1 > 1e-6:
                assert f"{10 * (s % 1):.2f} lead to p" in words


def test_one_eighth_is_three_halvings(browser: Browser, site: str) -> None:
    with widget(browser, site, "halvings") as (_, box):
        assert "7.37 lead to p. The surprise is 0.737 bits." in said(box)
        box.get_by_role("slider").fill("23")
        assert said(box).startswith("3 halvings of 1 leave 0.125, which is p. The surprise is 3.000 bits.")


def test_luck_says_its_data(browser: Browser, site: str) -> None:
    with widget(browser, site, "luck") as (_, box):
        data = json.loads(box.locator("script").text_content() or "")
        judged = []
        for i, V in enumerate(data["values"]):
            box.get_by_role("slider").fill(str(i))
            words = said(box)
            assert words.startswith(f"{V} values on 100 rows")
            for number in (data["gain"]["mean"][i], data["formula"][i], data["ratio"]["mean"][i]):
                assert f"{number:.3f}" in words
            judged.append(next(word for word in ("about as", "more", "less") if f", {word}" in words))
        assert judged == ["about as"] * 3 + ["more"] * 3 + ["about as", "about as"] + ["less"] * 3


def test_every_decrease_is_that_of_the_library(browser: Browser, site: str) -> None:
    with widget(browser, site, "impurities") as (_, box):
        one, two = box.get_by_role("slider").all()
        unseen = 0
        for a in range(0, 51, 3):
            one.fill(str(a))
            for b in range(0, 51, 3):
                two.fill(str(b))
                table = [[a, 50 - a], [b, 50 - b]]
                H, G, E = (abs(impurity_decrease(table, of)) for of in MEASURES)
                shown = [float(cell) for cell in box.locator("tbody td:last-child").all_text_contents()]
                assert shown == pytest.approx([H / 2, G, E], abs=5.1e-4)
                blind = a != b and E < 1e-9
                assert ("The error does not see" in said(box)) == blind
                unseen += blind
        assert unseen > 50


def test_rows_fall_where_the_tree_sends_them(browser: Browser, site: str) -> None:
    loan = load_loan()
    tree, X, y = ID3Classifier().fit(loan.X, loan.y), loan.X.astype(str), loan.y.astype(str).copy()
    rng = np.random.default_rng(7)
    with widget(browser, site, "rows") as (_, box):
        for _ in range(100):
            row = int(rng.choice(X.index))
            column = str(rng.choice([*X.columns, "approved"]))
            values = list((loan.y if column == "approved" else loan.X[column]).cat.categories)
            value = str(rng.choice(values))
            box.locator(".rows-chip").get_by_text(str(row), exact=True).click()
            group = box.get_by_role("group", name=f"{column} of row {row}")
            group.get_by_role("button", name=value, exact=True).click()
            if column == "approved":
                y[row] = value
            else:
                X.loc[row, column] = value
            right = tree.predict(X.astype(loan.X.dtypes.to_dict())) == y
            best = pd.crosstab([X[A] for A in X], y).max(axis=1).sum()
            assert f"answers {right.sum()} of 15 rows right" in said(box)
            assert ("is right about more than" in said(box)) == (best < 15)
            assert (f"about more than {best}." if best < 15 else "right about all 15") in said(box)
            marked = box.locator(".rows-wrong").all_text_contents()
            assert sorted(map(int, marked)) == sorted(X.index[~right])


def test_two_rows_that_no_tree_tells_apart(browser: Browser, site: str) -> None:
    with widget(browser, site, "rows", 390, has_touch=True, is_mobile=True) as (_, box):
        box.get_by_role("button", name="row 5, no").tap()
        box.get_by_role("group", name="approved of row 5").get_by_role("button", name="yes").tap()
        words = said(box)
        assert "answers 14 of 15 rows right; it is wrong about 5." in words
        assert "different classes: 1 and 5. No tree tells them apart" in words
