"""The page of symbols: every letter of a numbered formula is on it, in a formula where it says it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.book.notebooks import NUMBERED, ROOT, TAG, load
from tests.book.test_structure import markdown

PAGE = ROOT / "reference" / "symbols.md"
ENTRY = re.compile(
    r"^(?P<symbols>\$[A-Za-z]\$|\$[^\n]+?\$, say \*[^*\n]+\*)\. (?P<meaning>[^\n]+) "
    r"\[Chapter (?P<chapter>\d+)\]\([^)]+\)(?:, \((?P<formula>[\d.]+)\))?\.$",
    re.MULTILINE,
)
DISPLAYED = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
WORDS = re.compile(r"\\(?:text|tag|begin|end|operatorname|mathrm|mathit)\{[^}]*\}|\\textstyle")
GREEK = (
    r"\\(?:alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|phi"
    r"|varphi|chi|psi|omega|ell|Gamma|Delta|Theta|Lambda|Phi|Psi|Omega)(?![A-Za-z])"
)
LETTER = re.compile(rf"{GREEK}|(?<![\\A-Za-z])[A-Za-z]")


def formulas() -> dict[str, str]:
    """Return the numbered formulas of the book: number -> TeX."""
    blocks = (block for path in NUMBERED for block in DISPLAYED.findall(markdown(path)))
    return {m[1]: block for block in blocks if (m := TAG.search(block))}


def letters(tex: str) -> set[str]:
    r"""Return the letters of a formula, Greek ones by name; words and the names of functions are none.

    Examples
    --------
    >>> sorted(letters(r"H(D|A) = \sum_i \bar g \cdot \alpha \text{ bits} \tag{3.2}"))
    ['A', 'D', 'H', '\\alpha', 'g', 'i']
    """
    return set(LETTER.findall(WORDS.sub(" ", tex)))


def explained() -> set[str]:
    """Return the letters that the page explains, in an entry or under a letter of its own."""
    text = PAGE.read_text(encoding="utf-8")
    bold = {letter for names in re.findall(r"\*\*([A-Za-z, ]+)\.\*\*", text) for letter in names.split(", ")}
    return bold | {
        letter for m in ENTRY.finditer(text) for letter in letters(m["symbols"].partition(", say")[0])
    }


def first_formulas() -> Iterator[tuple[str, str]]:
    """Yield each symbol of the page with the formula where it is said to come first."""
    for m in ENTRY.finditer(PAGE.read_text(encoding="utf-8")):
        if m["formula"]:
            yield m["symbols"].partition(", say")[0], m["formula"]


def test_every_letter_of_a_numbered_formula_is_explained() -> None:
    known = explained()
    missing = {
        number: sorted(letters(tex) - known) for number, tex in formulas().items() if letters(tex) - known
    }
    assert missing == {}, "add the letters to reference/symbols.md"
    assert len(formulas()) >= 123


def test_every_line_with_a_symbol_is_an_entry() -> None:
    lines = [line for line in PAGE.read_text(encoding="utf-8").split("\n") if line.startswith("$")]
    assert len(lines) == len(ENTRY.findall(PAGE.read_text(encoding="utf-8"))) >= 60


@pytest.mark.parametrize(("symbols", "formula"), list(first_formulas()), ids=lambda text: text)
def test_formula_holds_the_symbol(symbols: str, formula: str) -> None:
    assert letters(symbols) <= letters(formulas()[formula])


def plain(tex: str) -> str:
    r"""Return a formula without what only sets it.

    Examples
    --------
    >>> plain(r"H(D \mid A)") == plain("H(D|A)")
    True
    """
    return re.sub(r"\\[,;!]|[\s{}]", "", tex.replace(r"\mid", "|"))


# Symbols that no formula has letter by letter.
OTHERWISE = {r"$G(p)$": "there p has an index", r"$\lvert T \rvert$": "there between plain bars"}


@pytest.mark.parametrize(("symbols", "formula"), list(first_formulas()), ids=lambda text: text)
def test_no_earlier_formula_holds_the_symbol(symbols: str, formula: str) -> None:
    """A letter alone may have meant another thing before."""
    names = [plain(name) for name in symbols.strip("$").split(", ")]
    if symbols in OTHERWISE or any(re.fullmatch(r"\\?[A-Za-z]+", name) for name in names):
        return
    assert formula in {next((n for n, tex in formulas().items() if name in plain(tex)), "") for name in names}


def test_no_symbol_has_two_entries() -> None:
    text = PAGE.read_text(encoding="utf-8")
    found = [plain(m["symbols"].partition(", say")[0]) for m in ENTRY.finditer(text)]
    assert sorted({name for name in found if found.count(name) > 1}) == []


def test_formulas_named_on_the_page_exist() -> None:
    named = re.findall(r"\((\d+\.\d+)\)", PAGE.read_text(encoding="utf-8"))
    assert set(named) <= set(formulas())


def test_a_letter_of_several_things_names_chapters_that_use_it() -> None:
    text = PAGE.read_text(encoding="utf-8")
    chapters = {
        int(path.name[:2]): "\n".join(cell.source for cell in load(path).markdown) for path in NUMBERED
    }
    for names, line in re.findall(r"^\*\*([A-Za-z, ]+)\.\*\* (.+)$", text, re.MULTILINE):
        for number in map(int, re.findall(r"\]\(\.\./chapters/(\d\d)_", line)):
            used = {
                letter for tex in re.findall(r"\$+([^$]+)\$+", chapters[number]) for letter in letters(tex)
            }
            assert used & set(names.split(", ")), f"chapter {number} has none of {names}"
