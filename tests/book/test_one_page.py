"""The page to print: its formulas are those of the chapters, its numbers those that readers look for."""

from __future__ import annotations

import re
from html import unescape

import pytest

from dtlib.book.formulas import formulas
from tests.book.notebooks import NUMBERED, ROOT, load
from tests.book.test_formulas import BY_NUMBER

PAGE = "".join(load(ROOT / "chapters" / "one_page.ipynb").code[-1].outputs[0]["data"]["text/html"])
ENTRY = re.compile(
    r'<div class="by-hand" id="by-hand-(?P<id>[\w-]+)"><p><b>(?P<name>.+?)</b> '
    r'<a href="(?P<link>[^"]+)">(?P<said>.+?)</a></p>'
    r'<div class="math notranslate nohighlight">\\\[(?P<tex>.+?)\\\]</div><p>(?P<worked>.+?)</p></div>',
    re.DOTALL,
)
ENTRIES = {m["id"].replace("-", "."): m.groupdict() for m in ENTRY.finditer(PAGE)}
PRINTED = {formula.number: formula for path in NUMBERED for formula in formulas(path)}


def test_the_page_is_read_whole() -> None:
    assert len(ENTRIES) == PAGE.count('class="by-hand"') >= 25
    assert set(ENTRIES) - set(PRINTED) == {"laplace"}
    assert set(PRINTED) == set(BY_NUMBER)


@pytest.mark.parametrize("number", sorted(set(ENTRIES) & set(PRINTED)))
def test_a_formula_is_that_of_its_chapter_and_leads_there(number: str) -> None:
    entry, formula = ENTRIES[number], PRINTED[number]
    assert unescape(entry["tex"]) == formula.tex.rstrip(" .,")
    assert (entry["link"], entry["said"]) == (formula.link, f"({number})")
    assert BY_NUMBER[number]["how"] in ("computed", "law") or number == "12.3"


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_each_entry_has_a_number_that_comes_out(entry: dict[str, str]) -> None:
    assert re.search(r"\d", re.sub(r"<[^>]+>", "", entry["worked"]))


@pytest.mark.parametrize(
    ("number", "values"),
    {
        "3.1": ["0.971", "0.998"], "3.2": ["0.888"], "3.3": ["0.083", "0.108", "0.109"],
        "5.7": ["0.874", "1.580", "4.087"], "5.8": ["0.433"], "5.10": ["owns_house"], "6.1": ["0.3815"],
        "7.1": ["0.480"], "7.10": ["0.3375"], "8.2": ["0.267"], "11.1": ["5.06", "1.058"], "11.2": ["3.359"],
        "14.4": ["= 0.5 errors a leaf"], "15.4": ["3.273"], "laplace": ["0.875"],
    }.items(),
)  # fmt: skip
def test_the_numbers_that_readers_look_for(number: str, values: list[str]) -> None:
    worked = unescape(ENTRIES[number]["worked"])
    assert [value for value in values if value not in worked] == []
