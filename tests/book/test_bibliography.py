"""The bibliography: every entry is checked and cited, a DOI has the form of one, the page tells the truth."""

from __future__ import annotations

import re
from functools import cache

import pytest

from tests.book.notebooks import CHAPTERS, ROOT, without_code
from tests.book.test_structure import markdown

ENTRY = re.compile(r"^@(?P<kind>\w+)\{(?P<key>[\w:-]+),\n(?P<fields>.*?)^\}$", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^  (\w+)\s*= \{(.*?)\},?$", re.MULTILINE | re.DOTALL)
CHECKED = re.compile(r"(?:(?P<sources>\d+) sources?|from memory): \S.+", re.DOTALL)
LINK = re.compile(r"bibliography\.md#([\w:-]+)\)")
HOW = (
    "\nadd to the entry in reference/references.bib, after looking it up:"
    "\n  checked = {2 sources: volume, pages and DOI},"
    "\nor, if no source could be found:\n  checked = {from memory: why it is trusted},"
)


@cache
def entries() -> dict[str, dict[str, str]]:
    """Return the entries of both files: key -> its fields."""
    text = "\n".join(
        (ROOT / name).read_text(encoding="utf-8")
        for name in ("reference/references.bib", "reference/notes.bib")
    )
    found = {m["key"]: dict(FIELD.findall(m["fields"])) for m in ENTRY.finditer(text)}
    assert len(found) == len(re.findall(r"^@", text, re.MULTILINE)), "an entry does not end with a line }"
    return found


def cited() -> set[str]:
    """Return the keys that a chapter or a page cites."""
    pages = [*CHAPTERS, *ROOT.glob("*.md"), *(ROOT / "reference").glob("*.md")]
    return {key for page in pages for key in LINK.findall(without_code(markdown(page)))}


each_key = pytest.mark.parametrize("key", entries())


@each_key
def test_entry_says_how_it_was_checked(key: str) -> None:
    checked = entries()[key].get("checked", "")
    assert CHECKED.fullmatch(checked), f"{key}: {checked or 'no field `checked`'}{HOW}"


@each_key
def test_entry_has_what_a_reader_needs_to_find_it(key: str) -> None:
    fields = entries()[key]
    assert "title" in fields
    if not key.startswith("note"):
        assert {"author", "year"} <= set(fields)
        assert re.fullmatch(rf"[a-z]+{fields['year']}[a-z]*", key)
        where = {"journal", "booktitle", "publisher", "school", "institution", "howpublished"}
        assert where & set(fields)


@each_key
def test_doi_and_pages_have_their_form(key: str) -> None:
    fields = entries()[key]
    assert re.fullmatch(r"10\.\d{4,9}/[^\s{}]+", fields.get("doi", "10.1000/none"))
    for first, last in re.findall(r"(\d+)--(\d+)", fields.get("pages", "")):
        assert int(first) <= int(last)


def test_every_entry_is_cited_and_every_citation_has_an_entry() -> None:
    assert cited() - set(entries()) == set(), (
        "add these keys to reference/references.bib, with the field `checked`"
    )
    assert set(entries()) - cited() == set(), (
        "cite these in a chapter, or name them in bibliography.md, or drop them"
    )


def sources(key: str) -> int:
    """Return how many sources confirm an entry."""
    return int(CHECKED.fullmatch(entries()[key]["checked"])["sources"] or 0)


def surnames(key: str) -> str:
    """Return an entry as the page names it: surnames and year.

    Examples
    --------
    >>> surnames("kearns1999"), surnames("esposito1997")
    ('Kearns and Mansour (1999)', 'Esposito, Malerba and Semeraro (1997)')
    """
    names = [name.partition(",")[0] for name in entries()[key]["author"].split(" and ")]
    head = ", ".join(names[:-1])
    return (
        f"{head} and {names[-1]} ({entries()[key]['year']})"
        if head
        else f"{names[0]} ({entries()[key]['year']})"
    )


@pytest.mark.parametrize(("number", "line"), [(1, "By one source"), (0, "By none")])
def test_page_names_the_entries_with_few_sources(number: int, line: str) -> None:
    page = " ".join((ROOT / "bibliography.md").read_text(encoding="utf-8").split())
    names = re.search(rf"- {line}: (.+?)\.(?= - |  ?[A-Z#]|$)", page)[1]
    few = [surnames(key) for key in entries() if not key.startswith("note") and sources(key) == number]
    assert names == ("; ".join(few) or "no entry"), (
        f"bibliography.md, “{line}”: name {few}, separated by “; ”"
    )


def test_page_names_what_is_from_memory() -> None:
    page = " ".join((ROOT / "bibliography.md").read_text(encoding="utf-8").split())
    part = re.search(r"From memory, .*?\.(?= [A-Z#]| The )", page)[0]
    keys = [key for key in entries() if "from memory" in entries()[key]["checked"]]
    assert [surnames(key) for key in keys if surnames(key) not in part] == [], "name them in bibliography.md"
