"""Pages read aloud: controls and pictures have names, nothing is said twice, no number without its name."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.site.aloud import Chromium, Firefox, Reader, Said, a_firefox
from tests.site.browser import opened, script, settled
from tests.site.engines import lacks
from tests.site.served import BUILT, pages
from tests.site.touch import start_widgets, widget_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HEAR = script("hear.js")
PLAYED = [name for name in pages() if "data-touch=" in (BUILT / name).read_text(encoding="utf-8")]
NAMED = {"button", "dialog", "field", "fold", "group", "link", "picture", "region", "slider"}
WHOLE = NAMED - {"dialog", "group", "region"}  # what stands in them is said by their name
SIGNS = re.compile("[▸▾✓✗≠✕]")  # drawn beside words that say the same
NUMBER = re.compile(r"[−\d.,/ ]+")
SHORT = 25  # characters of a sentence that may come again
# All widgets at work and all folds open; each box has an id.
BEGIN = """async () => {
    const boxes = [...document.querySelectorAll("[data-touch]")];
    (boxes[0]?.previousElementSibling ?? boxes[0]?.parentElement)?.scrollIntoView({ behavior: "instant" });
    const later = () => new Promise((done) => setTimeout(done, 50));
    for (let i = 0; i < 200 && !boxes.every((box) => box.dataset.started); i += 1) await later();
    const folds = document.querySelectorAll("main details:not(.hide, .shown-by, .choice)");
    folds.forEach((fold) => { fold.open = true; });
    const parts = [...boxes, ...document.querySelectorAll(".picture:has(> svg[data-explained])")];
    parts.forEach((part, i) => (part.id ||= `aloud-${i}`));
    await later();
    return parts.map((part) => part.id);
}"""


@contextmanager
def reader_of(name: str, browser: Browser) -> Iterator[Reader]:
    """Start a browser that is asked what it reads."""
    if name == "chromium":
        reader = Chromium(browser)
        yield reader
        reader.windows.close()
    else:
        with a_firefox() as found:
            yield found


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def reader(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Reader]:
    """Start an engine, or say what is missing."""
    lack = lacks(request.param)
    if lack:
        pytest.skip(f"not read in {request.param}: {lack}")
    with reader_of(request.param, browser) as found:
        yield found


# What is read


def nameless(said: list[Said]) -> list[str]:
    """List what has no name, and names with a sign in them that would be said, too."""
    faults = [f"{one.role} without a name" for one in said if one.role in NAMED - {"group"} and not one.name]
    faults += [f"{one.role}: {one.name}" for one in said if one.role in WHOLE and SIGNS.search(one.name)]
    bare = [one for one in said if one.role == "slider" and NUMBER.fullmatch(one.value)]
    return faults + [f"{one.name}: {one.value} is a number without a name" for one in bare]


def twice(said: list[Said]) -> list[str]:
    """List the sentences that are said more than once, and values that stand beside their slider again."""
    sentences: Counter[str] = Counter()
    depth = -1  # of what is said by its name
    for one in said:
        if 0 <= depth < one.depth:
            continue
        depth = one.depth if one.role in WHOLE and one.name else -1
        for words in (one.name, one.value, one.description):
            sentences.update(re.split(r"(?<=[.?!]) ", words))
    faults = [words for words, number in sentences.items() if number > 1 and len(words) > SHORT]
    beside = [(one, said[place + 1 : place + 4]) for place, one in enumerate(said) if one.role == "slider"]
    return faults + [one.value for one, near in beside if one.value in [other.name for other in near]]


@pytest.mark.parametrize("name", PLAYED)
def test_all_has_a_name_and_nothing_is_said_twice(reader: Reader, site: str, name: str) -> None:
    reader.go(site + name)
    boxes = reader.ask(BEGIN)
    assert nameless(reader.controls()) == []
    faults = {box: twice(reader.part(box)) for box in boxes}
    assert {box: words for box, words in faults.items() if words} == {}


# What is said when something happens


@pytest.mark.parametrize("name", PLAYED)
def test_what_changes_is_said_once(browser: Browser, site: str, name: str) -> None:
    with opened(browser, 1280) as visit:
        visit.go(site + name)
        start_widgets(visit.page)
        heard = visit.page.evaluate(HEAR)
    assert len(heard) > 4
    assert sum(bool(one["said"]) for one in heard) > 1
    faults = [one for one in heard if one["again"] or one["value"] in one["said"]]
    faults += [one for one in heard if NUMBER.fullmatch(one["value"])]
    assert faults == []
    assert visit.complaints == []


@pytest.mark.parametrize("name", ["02_entropy", "06_c45", "13_price_per_leaf", "17_boosting"])
def test_a_window_of_another_width_says_nothing(browser: Browser, site: str, name: str) -> None:
    with opened(browser, 1280) as visit:
        page = visit.page
        visit.go(f"{site}chapters/{name}.html")
        start_widgets(page)
        settled(page)
        page.evaluate(
            """() => {
                window.said = [];
                const note = (all) => said.push(...all.map(({ target }) => target.textContent));
                const places = document.querySelectorAll("[aria-live], [role=status]");
                places.forEach((place) => new MutationObserver(note).observe(place, { childList: true }));
            }"""
        )
        page.set_viewport_size({"width": 900, "height": 900})
        settled(page)
        page.wait_for_timeout(200)
        assert page.evaluate("said") == []
    assert visit.complaints == []


# A widget, its control, and what Firefox tells a screen reader after each key.
TOLD = {
    "02_entropy [data-touch=halvings] input": {
        "ArrowRight": [
            "value, p, 0.605: 0.725 bits",
            "live, Less than one halving: of ten equal steps that would halve 1, each of which leaves 0.933 "
            "of what is there, 7.25 lead to p. The surprise is 0.725 bits. The other answer has 0.395 and "
            "surprises by 1.340; on average 0.605 · 0.725 + 0.395 · 1.340, an entropy of 0.968 bits.",
        ]
    },
    "06_c45 [data-touch=threshold] input": {
        "ArrowLeft": ["value, threshold, density ≤ 0.708"],
        "Tab": ["focus, This one"],
        "Enter": [
            "value, threshold, density ≤ 0.708: 0.000\u00a0bits",  # which is not where one is
            "live, You gain 0.000 of the 0.262\u00a0bits that the best threshold gains. Its cut lies "
            "further left, where all 4 samples on the left are no. Two tries are left.",
        ],
    },
    "13_price_per_leaf [data-touch=price] input": {
        "ArrowRight": [
            "value, Price of a leaf, 0.100 bits",
            "live, At this price the tree costs 0.000 + 9 · 0.100 = 0.900 bits.",
        ],
        "Tab": ["focus, This one"],
        "Enter": [
            "live, At 0.100 bits 9 leaves cost 0.900 bits, and 6 leaves 3.355: the branch is still worth "
            "its price. It goes at a higher one. Two tries are left."
        ],
    },
}


def test_firefox_tells_each_change_once(reader: Reader, site: str) -> None:
    if not isinstance(reader, Firefox):
        pytest.skip("only Firefox lets its events be heard")
    for place, keys in TOLD.items():
        name, control = place.split(" ", 1)
        reader.go(f"{site}chapters/{name}.html")
        reader.ask(BEGIN)
        reader.controls()
        reader.ask("(control) => document.querySelector(control).focus()", control)
        reader.heard()
        for key, told in keys.items():
            reader.press(key)
            assert sorted(reader.heard()) == sorted(told), (place, key)


def test_a_tree_says_its_nodes_once_and_what_is_left_of_it(browser: Browser, site: str) -> None:
    with widget_of(browser, f"{site}chapters/13_price_per_leaf.html", "[data-touch=price]") as (_, box):
        tree = box.locator(".price-tree desc")
        assert len(re.findall(r"Node \d", tree.text_content())) == 14
        for name in ("Show the answer", "Next", "Show the answer", "Next", "Show the answer"):
            box.get_by_role("button", name=name).click()
        box.get_by_role("slider").fill("999")
        assert tree.text_content() == "Node 0, leaf of class no: no 9, yes 8. 16.958 bits."


def test_a_tree_in_a_card_is_a_picture_with_a_description(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        page = visit.page
        visit.go(f"{site}chapters/04_id3.html")
        page.locator(".bd-article p a[href$='#figure-4-5']").first.focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        tree = page.locator(".book-card svg")
        tree.wait_for()
        assert tree.get_attribute("role") == "img"
        assert tree.locator("desc").text_content().startswith("Node 0 asks texture: no 9, yes 8. Node 1,")
        assert tree.locator("[aria-label], [role]").count() == 0
    assert visit.complaints == []


# Words that the eye does not need: a widget, a place in it, and how what is there is read.
UNSEEN = {
    "01_what_a_tree_is rows": (".rows-tree li:not(:has(ul))", "if noleaf no: no 6, yes 0"),
    "16_forests nervous": (".nervous-rows button:nth-child(2)", "applicant 1 house"),
    "22_oblique_trees angle": ("[role=group][aria-label='One feature alone']", "DensitySugar"),
    "13_price_per_leaf price": ("[aria-live=polite][aria-atomic=true]", "At this price the tree costs"),
}


@pytest.mark.parametrize("place", UNSEEN)
def test_what_only_the_place_says_is_said_in_words(browser: Browser, site: str, place: str) -> None:
    name, widget = place.split()
    where, words = UNSEEN[place]
    with widget_of(browser, f"{site}chapters/{name}.html", f"[data-touch={widget}]") as (_, box):
        assert (box.locator(where).first.text_content() or "").startswith(words)


def test_a_logarithm_is_applied_in_the_sum_of_a_node(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        visit.go(f"{site}chapters/04_id3.html")
        visit.page.locator("svg[data-explained='1'] [data-node='0'] rect").first.click()
        visit.page.locator(".explained").wait_for()
        sums = visit.page.locator(".explained-sum math", has_text="log").all_text_contents()
    assert [text.count("log2\u2061") for text in sums[:2]] == [1, 1]


# Buttons of a page


def button_of(page: Page, place: str) -> dict[str, Any]:
    """Return the name of a button and its states."""
    return page.locator(place).first.evaluate(
        "({ ariaLabel: name, ariaPressed: pressed, ariaExpanded: expanded }) => ({ name, pressed, expanded })"
    )


def test_a_button_keeps_its_name_and_says_its_state(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        page = visit.page
        visit.go(f"{site}chapters/02_entropy.html")
        done = {"name": "mark as done: Exercise 2.1 (A fair die)", "expanded": None}
        assert button_of(page, "button.done") == done | {"pressed": "false"}
        page.locator("button.done").first.click()
        assert button_of(page, "button.done") == done | {"pressed": "true"}
        solution = {"name": "Solution to Exercise 2.1 (A fair die)", "pressed": None}
        assert button_of(page, "button.toggle-button") == solution | {"expanded": "false"}
        page.locator("button.toggle-button").first.click()
        assert button_of(page, "button.toggle-button") == solution | {"expanded": "true"}
        modes = set()
        for _ in range(3):
            page.locator("button.theme-switch-button").first.click()
            modes.add(button_of(page, "button.theme-switch-button")["name"])
        assert modes == {"light/dark: auto", "light/dark: light", "light/dark: dark"}
    assert visit.complaints == []


def test_a_guess_is_asked_by_its_field(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        visit.go(f"{site}chapters/03_information_gain.html")
        start_widgets(visit.page)
        fields = visit.page.locator("div.guess input").all()
        asked = [
            visit.page.locator(f"[id='{field.get_attribute('aria-describedby')}']").text_content() or ""
            for field in fields
        ]
    assert len(set(asked)) == len(asked) == 2
    assert all(words.startswith("Guess first.") and "?" in words for words in asked)


def test_the_search_says_once_what_it_has_found(browser: Browser, site: str) -> None:
    with opened(browser, 1280) as visit:
        page = visit.page
        visit.go(f"{site}chapters/02_entropy.html")
        page.keyboard.press("Control+k")
        page.locator("dialog input").wait_for()
        page.evaluate(
            """() => {
                window.said = [];
                const status = document.querySelector("dialog [role=status]");
                const note = () => said.push(status.textContent);
                new MutationObserver(note).observe(status, { childList: true });
            }"""
        )
        page.keyboard.type("gini")
        page.wait_for_timeout(1500)  # whoever stops typing is asked once more
        said = page.evaluate("said")
    assert re.fullmatch(r"\d+ places on \d+ pages", said[-1])
    assert len(said) == len(set(said))


# Formulas

PARTS = {  # what joins the parts of a formula, by their role in both engines
    "fraction": "({} over {})",
    "sub": "{} sub {}",
    "sup": "{} to {}",
    "subsup": "{} sub {} to {}",
    "over": "{} with {} above",
    "under": "{} with {} below",
    "underover": "{} from {} to {}",
    "squareroot": "root of {}",
}
FORMULAS = {  # a page, how a formula on it begins, and how it is said
    "02_entropy": {
        "H(Y|X)=∑": "H ( Y | X ) = ∑ with x below p ( x ) H ( Y | X = x ) .",
        "∑kpklog": "∑ with k below p sub k log sub 2 of (p sub k over q sub k)",
        "H(D)=915": "H ( D ) = (9 over 15) log sub 2 (15 over 9) + (6 over 15) log sub 2 (15 over 6) = 0.6 "
        "⋅ 0.737 + 0.4 ⋅ 1.322 = 0.442 + 0.529 = 0.971 bits.",
    },
    "03_information_gain": {
        "H(Di)=−": "H ( D sub i ) = − ∑ from k = 1 to K p sub k | i log sub 2 p sub k | i H ( D | A ) "
        "= ∑ from i = 1 to V (N sub i over N) H ( D sub i )",
    },
    "05_gain_ratio": {
        "gR(D,A)=": "g sub R ( D , A ) = (g ( D , A ) over H sub A ( D )) .",
        "A\u2217=": "A to \u2217 = arg max with A : g ( D , A ) ≥ g with macron above below "
        "of g sub R ( D , A ) .",
    },
    "07_impurity": {
        "I=p": "I = root of p ( 1 − p )",
        "Gini(D)=": "Gini ( D ) = 1 − ∑ from k = 1 to K p sub k to 2 .",
    },
    "10_missing_values": {
        "H(D\u0303)=": "H ( D with tilde above ) = (6 over 14) log sub 2 of (14 over 6) + (8 over 14) "
        "log sub 2 of (14 over 8) = 0.985 bits.",
    },
    "13_price_per_leaf": {
        "(93)": "( (9 over 3) ) = 84",
    },
    "14_cost_complexity": {
        "g(t)=C": "g ( t ) = (C ( t ) − C ( T sub t ) over | T sub t | − 1) .",
    },
}
FIND = """(texts) => {
    const plain = (node) => node.textContent.normalize("NFKC").replace(/\\s+/g, "");
    const all = [...document.querySelectorAll(".bd-article math")];
    for (const fold of document.querySelectorAll("main details")) fold.open = true;
    return texts.map((text, i) => {
        const found = all.find((math) => plain(math).startsWith(text));
        if (found) found.id = `aloud-${i}`;
        return found ? plain(found) : null;
    });
}"""


def aloud(said: list[Said]) -> str:
    """Join what is said of a formula, each part with what it is."""
    if not said:
        return ""
    top = said[0].depth
    starts = [place for place, one in enumerate(said) if one.depth == top]
    words = []
    for start, end in zip(starts, [*starts[1:], len(said)], strict=True):
        one, below = said[start], said[start + 1 : end]
        kind = one.role.removeprefix("math ")
        if one.role == "text":
            sign = unicodedata.normalize("NFKC", one.name).replace("\u2061", "of").strip()
            accent = sign and unicodedata.combining(sign[0])
            words.append(unicodedata.name(sign).removeprefix("COMBINING ").lower() if accent else sign)
        elif kind in PARTS:
            first = below[0].depth
            places = [place for place, part in enumerate(below) if part.depth == first]
            ends = [*places[1:], len(below)]
            each = [aloud(below[here:there]) for here, there in zip(places, ends, strict=True)]
            words.append(PARTS[kind].format(*each))
        else:
            words.append(aloud(below))
    return " ".join(filter(None, words))


@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_is_said_once_in_its_order(reader: Reader, site: str, name: str) -> None:
    reader.go(f"{site}chapters/{name}.html")
    assert None not in reader.ask(FIND, list(FORMULAS[name]))
    said: dict[str, str] = {}
    for _ in range(20):  # what stood in a fold comes a little later
        reader.controls()
        said = {text: aloud(reader.part(f"aloud-{i}")) for i, text in enumerate(FORMULAS[name])}
        if all(said.values()):
            break
    assert said == FORMULAS[name]


BARS = """() => {
    const signs = [...document.querySelectorAll(".bd-article math mo")];
    const bars = signs.filter((sign) => sign.textContent === "|");
    const said = (sign) => sign.getAttribute("intent") ?? sign.parentElement.getAttribute("intent") ?? "";
    return bars.map((sign) => `${said(sign)}: ${sign.parentElement.textContent.normalize("NFKC")}`);
}"""


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("02_entropy", {"given"}),
        ("04_id3", {"given", "size-of:prefix($of)"}),
        ("14_cost_complexity", {"size-of:prefix($of)"}),
    ],
)
def test_a_bar_is_said_as_it_is_meant(browser: Browser, site: str, name: str, meant: set[str]) -> None:
    with opened(browser, 1280) as visit:
        visit.go(f"{site}chapters/{name}.html")
        bars = visit.page.evaluate(BARS)
    assert len(bars) > 3
    assert {line.rpartition(": ")[0] for line in bars} == meant, bars
