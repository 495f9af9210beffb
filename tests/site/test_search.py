"""The search of the website: each query of searches.tsv brings what it should, by hand and by keyboard.

`python -m tests.site.test_search` prints at which place each query finds it.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.book.asked import asked
from tests.book.notebooks import ROOT
from tests.site.browser import chromium, opened
from tests.site.served import BUILT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

# The share of the queries of a kind that find a right place among the first five. "given" are what people
# typed who looked for what chapters 1 to 11 and the page of parameters say, "question" what others say. The
# fresh ones, and before them those called tried, were written down, with their places, before the search was
# tried on them: at first it found 16 of the 30 fresh ones. Then the ranking was tuned, so that a stranger's
# query fares worse than these. The everyday ones say things as a reader does who knows no word of the book;
# they were written down before reference/everyday_words.csv was, and then 28 of 42 found a right place.
REACHED = {"given": 0.9, "question": 0.85, "tried": 0.88, "fresh": 0.7, "everyday": 0.8}
# Of these kinds the section itself must come: no entry of the glossary, no name of the API, no whole page.
OF_SECTIONS = ("given", "question", "fresh")
# Queries of strangers, in strangers.tsv: sentences that people wrote on forums and in bug reports, and some
# in their manner; a third of them ask for what the book does not have. They were written down, with the
# sections that answer, before anything was tuned. Then 11 of 20 answers came among the first five in either
# half, and 5 and 6 of the 10 questions beyond the book were told. The search was tuned on one half. The
# other, held out, gives 17 of 20 and 8 of 10. What it missed was seen once, and after that only the matching
# of joined and mistyped words was mended, which left its score as it was. Then headings were renamed, and it
# gave 16; with names of programs told apart, everyday words and British spelling, none of them taken from
# its queries, it gives 18. Of its 20 answered queries the search says of 5 that the book has no answer.
STRANGERS = {("tune", "found"): 0.9, ("tune", "told"): 0.85, ("hold", "found"): 0.85, ("hold", "told"): 0.75}
TOLD_WRONGLY = 0.2  # the share of the answered queries of which the search may say that they are not
TITLED = """() => window.bookIndex.places.map(([page, , anchor, title]) =>
    [`${window.bookIndex.pages[page][0]}#${anchor}`, title])"""
READY = "() => window.bookSearch"
BEYOND = "(query) => window.bookSearch.beyond(query)"
FOUND = """(query) => window.bookSearch.search(query)
    .flatMap((group) => group.places.map((place) => place.address))"""
KNOWN = """() => window.bookIndex.places.map(([page, kind, anchor]) =>
    window.bookIndex.pages[page][0] + (kind === "page" ? "" : `#${anchor}`))"""


@cache
def searches() -> list[dict[str, str]]:
    """Read the queries: what is typed, the right places, the last rank that will do, the kind of query."""
    with (ROOT / "tests" / "site" / "searches.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@cache
def strangers() -> list[dict[str, str]]:
    """Read the queries of strangers: what is typed, the right places if any, the half, where it was asked."""
    with (ROOT / "tests" / "site" / "strangers.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def short(address: str) -> str:
    """Return a place as the list of searches writes it.

    Examples
    --------
    >>> short("chapters/02_entropy.html#bits-or-nats"), short("reference/api/pruning.html#dtlib.prune.risk")
    ('02_entropy#bits-or-nats', 'dtlib.prune.risk')
    """
    path, _, anchor = address.partition("#")
    if anchor.startswith("dtlib."):
        return anchor
    name = path.rpartition("/")[2].removesuffix(".html")
    return f"{name}#{anchor}" if anchor else name


def searching(page: Page, address: str) -> None:
    """Open the page of the search with a query, which brings the index."""
    page.goto(f"{address}search.html?q=tree")
    page.wait_for_function(READY)


def of_the_page(page: Page) -> list[dict[str, str]]:
    """Return the questions of the page *Questions* as queries; the sections linked there are right."""
    titled: dict[tuple[str, str], str] = {}
    for address, title in page.evaluate(TITLED):
        titled[address.partition("#")[0].rpartition("/")[2], title.replace("\u2019", "'")] = short(address)
    found = []
    for question in asked():
        links = [(Path(target.partition("#")[0]).stem, heading) for heading, target in question.links]
        places = [titled[f"{name}.html", heading] for name, heading in links]
        found.append({"query": question.question, "places": " ".join(places), "rank": "5", "kind": "asked"})
    return found


def ranks(page: Page, queries: list[dict[str, str]]) -> list[tuple[dict[str, str], int | None]]:
    """Return for each query the rank of the first right place, or None where it is not found."""
    found = []
    for search in queries:
        right = set(search["places"].split())
        places = enumerate(page.evaluate(FOUND, search["query"]), start=1)
        found.append((search, next((rank for rank, place in places if short(place) in right), None)))
    return found


def test_every_place_that_is_wanted_exists(page: Page, site: str) -> None:
    searching(page, site)
    known = {short(place) for place in page.evaluate(KNOWN)}
    wanted = {place for search in (*searches(), *strangers()) for place in search["places"].split()}
    assert wanted - known == set()


def test_a_question_wants_a_section() -> None:
    wanted = {place for s in searches() if s["kind"] in OF_SECTIONS for place in s["places"].split()}
    assert [p for p in wanted if "#" not in p or p.startswith(("glossary#", "questions#", "dtlib."))] == []


def test_the_page_of_questions_stands_in_no_section_s_way(page: Page, address: str) -> None:
    searching(page, address)
    for search, rank in ranks(page, searches()):
        before = page.evaluate(FOUND, search["query"])[: rank or 0]
        assert not any("/questions.html" in place for place in before), search


def test_queries_find_their_places(page: Page, address: str) -> None:
    searching(page, address)
    found = ranks(page, searches())
    firm = [s["query"] for s, rank in found if s["kind"] not in REACHED and (rank or 99) > int(s["rank"])]
    assert firm == [], "titles, Chinese and other names come first"
    for kind, share in REACHED.items():
        of_kind = [(s["query"], rank) for s, rank in found if s["kind"] == kind]
        late = [query for query, rank in of_kind if (rank or 99) > 5]
        assert len(late) <= (1 - share) * len(of_kind), (kind, late)


def scores(page: Page) -> dict[tuple[str, str], float]:
    """Return for each half of the strangers' queries the share found early, and the share told as beyond."""
    shares = {}
    for half in ("tune", "hold"):
        of_half = [query for query in strangers() if query["half"] == half]
        found = [rank or 99 for query, rank in ranks(page, of_half) if query["places"]]
        beyond = [page.evaluate(BEYOND, query["query"]) for query in of_half if not query["places"]]
        shares[half, "found"] = sum(rank <= 5 for rank in found) / len(found)
        shares[half, "told"] = sum(beyond) / len(beyond)
    return shares


def test_strangers_find_what_they_ask_for_or_are_told_that_it_is_not_here(page: Page, address: str) -> None:
    searching(page, address)
    shares = scores(page)
    assert {name: share for name, share in shares.items() if share < STRANGERS[name]} == {}
    answered = [query["query"] for query in strangers() if query["places"]]
    wrongly = [query for query in answered if page.evaluate(BEYOND, query)]
    assert len(wrongly) <= TOLD_WRONGLY * len(answered), wrongly


def test_what_the_book_has_is_not_denied(page: Page, address: str) -> None:
    searching(page, address)
    everyday = [search["query"] for search in searches() if search["kind"] == "everyday"]
    known = [s["query"] for s in (*searches(), *of_the_page(page)) if s["query"] not in everyday]
    for queries, share in ((known, 0.01), (everyday, 0.1)):
        denied = [query for query in queries if page.evaluate(BEYOND, query)]
        assert len(denied) <= share * len(queries), denied


def test_a_question_of_the_book_brings_the_section_that_answers_it(page: Page, address: str) -> None:
    searching(page, address)
    late = [search["query"] for search, rank in ranks(page, of_the_page(page)) if (rank or 99) > 3]
    assert late == []


@pytest.mark.parametrize("query", ["boosting", "XGBoost", "Hoeffding", "gini index", "信息增益率", "什么"])
def test_an_answer_is_counted_aloud(page: Page, site: str, query: str) -> None:
    page.goto(f"{site}search.html?q={query}")
    page.wait_for_function("() => /^[^…]+$/.test(document.querySelector('.search-status')?.textContent)")
    links = page.locator("#book-search .search-results a").count()
    said = page.locator(".search-status").inner_text()
    assert said.startswith(f"{links} place" if links else "The book does not say: nothing found")


@pytest.mark.parametrize("key", ["Control+k", "/"])
def test_by_keyboard(page: Page, address: str, key: str) -> None:
    page.goto(f"{address}chapters/04_id3.html")
    page.wait_for_load_state("load")
    page.keyboard.press(key)
    page.wait_for_function(READY)
    page.keyboard.type("gain ratio")
    first = page.locator("dialog a").first
    first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.href").endswith("05_gain_ratio.html")
    for _ in range(60):
        page.keyboard.press("Tab")
        inside = "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        assert page.evaluate(inside), "the focus has left the dialog"
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.wait_for_url("**/05_gain_ratio.html")


@pytest.mark.parametrize("key", ["Control+k", "/"])
def test_letters_typed_at_once_are_not_lost(page: Page, site: str, key: str) -> None:
    def slow(route: Route) -> None:
        page.wait_for_timeout(300)
        route.continue_()

    page.route("**/_static/search/*.js", slow)
    page.goto(f"{site}chapters/04_id3.html")
    page.keyboard.press(key)
    page.keyboard.type("gini", delay=60)
    page.keyboard.press("Enter")
    page.wait_for_url("**/07_impurity.html#how-often-do-two-draws-differ")


@pytest.mark.parametrize("name", ["index", "results"])
def test_a_failed_load_is_told_and_tried_again(browser: Browser, site: str, name: str) -> None:
    with opened(browser, 1280) as visit:
        page = visit.page
        visit.go(f"{site}chapters/04_id3.html")
        page.route(f"**/_static/search/{name}.js", lambda route: route.abort())
        page.keyboard.press("Control+k")
        page.keyboard.type("gini")
        page.get_by_text("The index could not be loaded").wait_for()
        page.locator(".search-close").click()
        page.unroute(f"**/_static/search/{name}.js")
        page.keyboard.press("Control+k")
        page.locator("dialog a").first.wait_for()
        assert page.locator("dialog input").input_value() == "gini"
        assert page.locator(".search-status").inner_text().endswith(" pages")


@pytest.mark.parametrize(
    ("query", "lacks"),
    [
        ("PyTorch or CatBoost trees", "Nothing has “PyTorch” or “CatBoost”."),
        ("terminal node of a zebra", "Nothing has “zebra”."),
        ("loss matrix", ""),
    ],
)
def test_words_that_the_book_lacks_are_said(page: Page, site: str, query: str, lacks: str) -> None:
    page.goto(f"{site}search.html?q={query}")
    page.locator(".search-results a").first.wait_for()
    said = page.locator(".search-status").inner_text()
    assert ("Nothing has" in said) == bool(lacks)
    assert lacks in said


@pytest.mark.parametrize("name", ["ccp_alpha", "min_samples_leaf"])
def test_a_parameter_leads_to_what_the_api_says_of_it(page: Page, site: str, name: str) -> None:
    page.goto(f"{site}search.html?q={name}")
    link = page.locator(".search-parameter a", has_text="CARTClassifier")
    link.click()
    assert page.url == f"{site}reference/api/cart_classifier.html#CARTClassifier-{name}"
    meaning = page.locator(":target")
    assert meaning.locator("strong").first.inner_text() == name
    assert 0 <= meaning.bounding_box()["y"] < 200


def test_a_question_beyond_the_book_is_told_with_the_nearest_of_its_own(page: Page, site: str) -> None:
    page.goto(f"{site}search.html?q=CatBoost ordered boosting")
    page.locator(".search-results a").first.wait_for()
    assert page.locator(".search-status").inner_text().startswith("The book does not say")
    first = page.locator(".search-results section").first
    assert first.locator("h2").inner_text() == "The nearest question"
    assert first.locator(".search-title").inner_text().endswith("?")
    assert "chapters/17_boosting.html" in first.locator("a").get_attribute("href")


def test_a_word_that_is_not_yet_whole_is_not_denied(page: Page, site: str) -> None:
    page.goto(f"{site}search.html")
    page.locator("#book-search input:focus").wait_for()
    page.keyboard.type("information gai", delay=20)
    page.locator("#book-search .search-results a").first.wait_for()
    assert "does not say" not in page.locator(".search-status").inner_text()


def test_an_answer_to_a_question_of_the_book_shows_the_question(page: Page, site: str) -> None:
    page.goto(f"{site}search.html?q=Can information gain be negative?")
    page.locator(".search-results a").first.wait_for()
    assert page.locator(".search-asked").first.inner_text() == "Can information gain be negative?"


def test_snippets_of_tables_are_words(page: Page, site: str) -> None:
    page.goto(f"{site}search.html?q=ten points constants squares distances")
    page.locator(".search-results a").first.wait_for()
    said = " ".join(page.locator(".search-snippet").all_inner_texts())
    assert not re.search(r"(?:· [\d.]+ ){2}", said), said


def test_words_are_marked_and_pages_are_groups(page: Page, site: str) -> None:
    page.goto(f"{site}search.html?q=split information")
    page.locator(".search-results mark").first.wait_for()
    heads = page.locator(".search-results h2").all_inner_texts()
    assert len(heads) == len(set(heads)) > 1
    assert heads[0] == "5. Gain ratio"


@pytest.mark.parametrize("name", ["chapters/05_gain_ratio.html", "search.html"])
def test_nothing_is_loaded_before_a_search(page: Page, site: str, name: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site}{name}")
    page.wait_for_load_state("networkidle")
    late = ("/_static/search/", "/cards/", "searchindex")
    assert [url for url in asked if any(part in url for part in late)] == []


def test_the_page_of_the_search_answers_who_types(page: Page, address: str) -> None:
    page.goto(f"{address}search.html")
    page.locator("#book-search input:focus").wait_for()
    page.keyboard.type("gain ratio")
    page.locator("#book-search .search-results a").first.wait_for()
    assert page.locator("#book-search h2").first.inner_text() == "5. Gain ratio"


def test_a_phone_shows_the_dialog_whole(browser: Browser, site: str) -> None:
    with opened(browser, 360, has_touch=True) as visit:
        page = visit.page
        visit.go(f"{site}chapters/02_entropy.html")
        page.locator(".search-button__button:visible").first.tap()
        page.wait_for_function(READY)
        page.keyboard.type("min_impurity_decrease")
        page.locator("dialog a").first.wait_for()
        box = page.locator("dialog").bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= 360 - box["width"]
        assert page.locator("dialog").evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    assert visit.complaints == []


def report() -> None:
    """Print at which place each query finds what it should."""
    with chromium() as browser, opened(browser, 1280) as visit:
        searching(visit.page, f"{BUILT.as_uri()}/")
        found = ranks(visit.page, [*searches(), *of_the_page(visit.page)])
        strange = scores(visit.page)
    for search, rank in found:
        print(f"{rank or '-':>3}  {search['kind']:8}  {search['query']}")
    for kind in dict.fromkeys(search["kind"] for search, _ in found):
        of_kind = [rank for search, rank in found if search["kind"] == kind]
        early = sum(1 for rank in of_kind if rank and rank <= 5)
        print(f"{kind}: {early} of {len(of_kind)} among the first five, {early / len(of_kind):.0%}")
    for (half, what), share in strange.items():
        print(f"strangers, {half}: {share:.0%} {what}")


if __name__ == "__main__":
    report()
