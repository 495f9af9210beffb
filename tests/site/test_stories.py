"""A story: each picture is in sight beside the words about it on a wide screen, and above them on a phone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.site.browser import opened
from tests.site.served import BUILT, pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

STORIES = [
    name
    for name in pages()
    if re.match(r"chapters/\d\d_", name)
    and (BUILT / name).is_file()
    and 'class="story-step' in (BUILT / name).read_text(encoding="utf-8")
]
# For each paragraph of a story: it is scrolled to the middle of the window, and then it is asked how much of
# the picture of its step can be seen below the header, and where it begins and ends from left to right.
READ = """() => [...document.querySelectorAll(".story-step")].flatMap((step) => {
    const picture = step.querySelector("figure.captioned svg");
    return [...step.querySelectorAll(":scope > .story-words > p")].map((words) => {
        const at = words.getBoundingClientRect();
        window.scrollTo({ top: at.top + at.height / 2 + scrollY - innerHeight / 2, behavior: "instant" });
        const box = picture.getBoundingClientRect(), read = words.getBoundingClientRect();
        const header = document.querySelector(".bd-header-article").getBoundingClientRect().bottom;
        const seen = Math.min(box.bottom, innerHeight) - Math.max(box.top, header);
        return { words: words.textContent.slice(0, 50), seen: seen / box.height,
            beside: box.left >= read.right, above: box.bottom <= read.top,
            inside: box.left >= 0 && box.right <= document.documentElement.clientWidth };
    });
})"""


def test_there_are_stories() -> None:
    assert len(STORIES) >= 5


@pytest.mark.parametrize("name", STORIES)
@pytest.mark.parametrize("width", [1440, 1920])
def test_the_picture_of_a_story_is_in_sight_while_its_words_are_read(
    browser: Browser, site: str, name: str, width: int
) -> None:
    with opened(browser, width) as visit:
        visit.go(site + name)
        found = visit.page.evaluate(READ)
    assert len(found) > 5
    assert [step for step in found if step["seen"] < 0.97 or not step["beside"] or not step["inside"]] == []
    assert visit.complaints == []


@pytest.mark.parametrize("name", STORIES)
def test_on_a_phone_a_story_is_a_series_of_figures(browser: Browser, site: str, name: str) -> None:
    with opened(browser, 390) as visit:
        visit.go(site + name)
        found = visit.page.evaluate(READ)
    assert [step for step in found if not step["above"] or not step["inside"]] == []
