"""Cut the fonts of the book out of large ones: `python -m tools.fonts math|text FONT.otf OUT.woff2`.

Needs fonttools and brotli, which nothing else of the book does: `pip install fonttools brotli`.
"""

# ruff: noqa: RUF001 RUF002 (signs that look like letters are what this is about)
from __future__ import annotations

import sys
from pathlib import Path
from string import ascii_letters, digits

GREEK = "αβγδεζηθικλμνξοπρςστυφχψωΓΔΘΛΞΠΣΥΦΨΩϑϕϖϱϵ"
PRIMES = "′″‴"
SIGNS = "!%&'()*+,-./:;<=>?[\\]^_{|}~ \u00a0\u2061¬±×÷¯˜ˆ˙¨´`·′″‴…⋯⋮⋱∎∣∥⟨⟩⌈⌉⌊⌋⏞⏟⏠⏡‖"
OPERATORS = "−∗∘⋅√∏∐∑∫∂∇∆∞∅∀∃∈∉∋∝∠∧∨∩∪∼≃≅≈≠≡≤≥≪≫≺≻⊂⊃⊆⊇⊕⊗⊥⊢⊤←↑→↓↔↦⇐⇒⇔⟵⟶⟹⟺◦"


def letters() -> str:
    """Return the letters of the mathematical alphabets: italic, script, double-struck capitals, and ℓ.

    >>> "𝑥" in letters() and "ℎ" in letters() and "𝒜" in letters() and "𝛼" in letters()
    True
    """
    italic = [chr(code) for code in range(0x1D434, 0x1D468)]
    greek = [chr(code) for code in range(0x1D6E2, 0x1D71C)]
    script = [chr(code) for code in range(0x1D49C, 0x1D4B6)]
    double = [chr(code) for code in range(0x1D538, 0x1D552)]
    return "".join(italic + greek + script + double) + "ℎℓℬℰℱℋℐℒℳℛℂℍℕℙℚℝℤℯℴ"


def characters() -> str:
    """Return all characters that a formula of the book may use."""
    return ascii_letters + digits + GREEK + SIGNS + OPERATORS + letters()


def primes_for_exponents(font) -> None:
    """Let a prime be the sign that its font has for exponents (feature ssty).

    MathML writes a prime as an exponent, and browsers do not ask for that sign: the ordinary one, which is
    high already, would become small and stand higher still.
    """
    table = font["GSUB"].table
    (lookup,) = {
        index
        for record in table.FeatureList.FeatureRecord
        if record.FeatureTag == "ssty"
        for index in record.Feature.LookupListIndex
    }
    for subtable in table.LookupList.Lookup[lookup].SubTable:
        alternates = getattr(subtable, "ExtSubTable", subtable).alternates
        for cmap in font["cmap"].tables:
            for sign in map(ord, PRIMES):
                if cmap.cmap.get(sign) in alternates:
                    cmap.cmap[sign] = alternates[cmap.cmap[sign]][0]


def western() -> str:
    """Return the characters of the text: Latin letters with their accents, punctuation, and a few signs.

    >>> "é" in western(), "“" in western(), "中" in western()
    (True, True, False)
    """
    latin = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x180)]))
    return latin + "‘’‚“”„†‡•…‰′″‹›–—−×÷±√∞≈≠≤≥←→↑↓€™ﬁﬂ"


def subset(kind: str, source: Path, target: Path) -> None:
    """Write the part of an OpenType font that the book needs, as WOFF2: for formulas (`math`) or for text."""
    from fontTools import subset  # only whoever renews the font has it

    features = [] if kind == "math" else ["kern", "liga", "lnum", "tnum", "mark", "mkmk"]
    options = subset.Options(flavor="woff2", layout_features=features, desubroutinize=True)
    options.hinting = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]  # with the copyright and the licence
    options.notdef_outline = True
    font = subset.load_font(str(source), options)
    if kind == "math":
        primes_for_exponents(font)
    for identifier in (1, 4, 6):  # the licence asks that what is changed has another name
        font["name"].setName("BookMath" if kind == "math" else "BookText", identifier, 3, 1, 0x409)
    cut = subset.Subsetter(options)
    cut.populate(text=characters() if kind == "math" else western())
    cut.subset(font)
    subset.save_font(font, str(target), options)


if __name__ == "__main__":
    subset(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
