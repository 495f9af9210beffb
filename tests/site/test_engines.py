"""Every page and widget in Firefox and WebKit, where they are there, beside Chromium: `make site-test`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.site.browser import script
from tests.site.engines import STARTS, Chromium, Engine, lacks
from tests.site.served import BUILT, pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Selenium warns of what it does itself.
pytestmark = pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning")

CUT, WALK = script("cut.js"), script("walk.js")
PLAYED = [name for name in pages() if "data-touch=" in (BUILT / name).read_text(encoding="utf-8")]
TREES = "chapters/04_id3.html"
# What stands in the article for a reader: formulas and widgets are looked at elsewhere.
TEXT = """() => {
    const shown = (node) => node.checkVisibility?.() ?? node.getClientRects().length > 0;
    const texts = (block) => [...block.childNodes].filter((node) => node.nodeType === 3);
    const own = (block) => texts(block).map((node) => node.data);
    const names = "h1, h2, h3, h4, p, li, td, th, summary, figcaption, pre";
    return [...document.querySelectorAll(`.bd-article :is(${names})`)]
        .filter((block) => !block.closest("[data-touch], .touch-hint") && shown(block))
        .flatMap(own).join(" ");
}"""
SETTLED = "async () => { await document.fonts.ready; await new Promise((done) => setTimeout(done, 200)); }"
LATER = "(time) => new Promise((done) => setTimeout(done, time))"


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Start an engine, or say what is missing."""
    lack = lacks(request.param)
    if lack:
        pytest.skip(f"not looked at in {request.param}: {lack}")
    with STARTS[request.param]() as found:
        yield found


@pytest.fixture(scope="module")
def chromium(browser: Browser) -> Iterator[Engine]:
    """Start the engine whose words are the standard."""
    engine = Chromium(browser)
    yield engine
    engine.windows.close()


STANDARD: dict[tuple[str, int, str], Any] = {}  # what Chromium has answered


def both(engine: Engine, chromium: Engine, address: str, width: int, what: str) -> tuple[Any, Any]:
    """Ask two engines the same on the same page."""
    if (address, width, what) not in STANDARD:
        STANDARD[address, width, what] = asked(chromium, address, width, what)
    return asked(engine, address, width, what), STANDARD[address, width, what]


def asked(engine: Engine, address: str, width: int, what: str) -> Any:
    """Show a page and ask."""
    engine.go(address, width)
    engine.ask(SETTLED)
    return engine.ask(what)


def plain(text: str) -> str:
    """Return a text without spaces and styles of letters."""
    return "".join(unicodedata.normalize("NFKC", text).split())


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("name", pages())
def test_a_page_says_the_same_and_nothing_is_cut_off(
    engine: Engine, chromium: Engine, site: str, name: str, width: int
) -> None:
    said, standard = both(engine, chromium, site + name, width, TEXT)
    assert plain(said) == plain(standard)
    assert engine.ask(CUT) == []
    assert engine.complaints == []


@pytest.mark.parametrize("name", PLAYED)
def test_widgets_say_the_same(engine: Engine, chromium: Engine, site: str, name: str) -> None:
    said, standard = both(engine, chromium, site + name, 1280, WALK)
    assert len(said) > 1
    assert said == standard
    assert engine.complaints == []


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize(
    "place", ["06_c45.html#figure-6-9", "06_c45.html#exercises", "08_cart.html#check-yourself"]
)
def test_a_link_to_a_place_ends_there(engine: Engine, site: str, place: str, width: int) -> None:
    engine.go(f"{site}chapters/{place}", width)
    engine.ask(LATER, 3000)
    top = engine.ask("(id) => document.getElementById(id).getBoundingClientRect().top", place.split("#")[1])
    assert 0 <= top <= 160


def test_a_term_is_underlined(engine: Engine, site: str) -> None:
    engine.go(f"{site}chapters/06_c45.html", 1440)
    lines = engine.ask(
        "() => [...document.querySelectorAll('a.term')].map((a) => getComputedStyle(a).textDecorationLine)"
    )
    assert set(lines) == {"underline"}


def test_the_sidebar_of_a_phone_does_not_scroll_sideways(engine: Engine, site: str) -> None:
    engine.go(f"{site}chapters/06_c45.html", 390)
    inside, room = engine.ask("""async () => {
        document.querySelector(".primary-toggle").click();
        await new Promise((done) => setTimeout(done, 700));
        const bar = document.querySelector(".bd-sidebar-primary");
        return [bar.scrollWidth, bar.clientWidth];
    }""")
    assert inside == room > 0


def test_formulas_in_a_line_are_as_high_as_the_line(engine: Engine, site: str) -> None:
    engine.go(f"{site}chapters/11_regression_trees.html", 1440)
    engine.ask(SETTLED)
    bars, letters = engine.ask("""() => {
        const shown = (node) => node.getClientRects().length;
        const size = (node) => parseFloat(getComputedStyle(node).fontSize);
        const ratio = (node) => node.getBoundingClientRect().height / size(node);
        const smaller = (part) => size(part) / size(part.closest("math"));
        const inLine = [...document.querySelectorAll("p math:not([display=block])")].filter(shown);
        const of = (name) => inLine.flatMap((math) => [...math.querySelectorAll(name)]);
        return [of("mover[accent]").map(ratio), of("mfrac > *").map(smaller)];
    }""")
    assert (len(bars) > 5, len(letters) > 1) == (True, True)
    assert max(bars) < 1.3
    assert max(letters) < 0.85


def test_the_focus_in_a_picture_is_seen(engine: Engine, site: str) -> None:
    engine.go(site + TREES, 1440)
    engine.ask(LATER, 1000)
    top, room, stroke = engine.ask("""async () => {
        const later = () => new Promise((done) => setTimeout(done, 300));
        const cards = [...document.querySelectorAll("svg[data-explained] [role=button]")];
        const card = cards.filter((one) => !one.closest("details:not([open]), .touched")).at(-1);
        card.focus();
        await later();
        const { top, bottom } = card.getBoundingClientRect();
        const { strokeWidth } = getComputedStyle(card.querySelector("rect"));
        return [top, innerHeight - bottom, document.hasFocus() ? strokeWidth : "4px"];
    }""")
    assert (top >= 0, room >= 0, stroke) == (True, True, "4px")


def test_paper_shows_the_answers_of_the_quiz(engine: Engine, site: str) -> None:
    engine.go(f"{site}chapters/05_gain_ratio.html", 1440)
    open_, closed = engine.ask("""() => {
        const choices = [...document.querySelectorAll(".question details.choice")];
        const isOpen = () => choices.filter((choice) => choice.open).length;
        dispatchEvent(new Event("beforeprint"));
        const during = CSS.supports("selector(::details-content)") ? choices.length : isOpen();
        dispatchEvent(new Event("afterprint"));
        return [during / choices.length, isOpen()];
    }""")
    assert (open_, closed) == (1, 0)
