"""Formulas as MathML: each one of the book is converted, in the book's font, breaks where it is long."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from functools import cache

import math_at_build
import pytest
from docutils import nodes
from docutils.utils import new_document
from markdown_it import MarkdownIt
from math_core import LatexError
from mdit_py_plugins.dollarmath import dollarmath_plugin

from tests.book.notebooks import CHAPTERS, ROOT, load
from tools.fonts import characters

ROWS = {"math", "mi", "mn", "mo", "mtext", "mspace", "mpadded", "mfrac", "msqrt", "mtable", "mtr", "mtd"}
CORE = ROWS | {"mrow", "msub", "msup", "msubsup", "munder", "mover", "munderover"}
PAGES = [*ROOT.glob("*.md"), *(ROOT / "reference").glob("*.md")]
VARIANT = "\ufe00"  # asks for another design of the letter before; not a sign itself


@cache
def formulas() -> list[tuple[str, bool]]:
    """Return the formulas of the book, and which of them are displayed."""
    texts = [path.read_text(encoding="utf-8") for path in PAGES]
    texts += [cell.source for path in CHAPTERS for cell in load(path).markdown]
    parser = MarkdownIt().use(dollarmath_plugin)
    blocks = [token for text in texts for token in parser.parse(text)]
    tokens = blocks + [inner for token in blocks for inner in token.children or []]
    found = {
        (token.content, token.type == "math_block") for token in tokens if token.type.startswith("math_")
    }
    return sorted(found | {(tex, True) for tex in in_outputs()})


def in_outputs() -> list[str]:
    cells = [cell for path in CHAPTERS for cell in load(path).code]
    outputs = [output.get("data", {}).get("text/html", "") for cell in cells for output in cell.outputs]
    equations = [tex for output in outputs for tex in math_at_build.IN_OUTPUT.findall("".join(output))]
    return list(map(html.unescape, equations))


def converted(tex: str, displayed: bool) -> str:
    return math_at_build.equation(tex, "here") if displayed else math_at_build.inline(tex)


def parsed(markup: str) -> ET.Element:
    return ET.fromstring(f"<p>{markup.replace('<wbr>', '')}</p>")


def test_the_book_has_formulas_in_text_in_equations_and_in_outputs():
    assert len(formulas()) > 1000
    assert sum(displayed for _, displayed in formulas()) > 200
    assert len(in_outputs()) > 100


def test_every_formula_of_the_book_becomes_mathml_without_a_command_left():
    for tex, displayed in formulas():
        markup = converted(tex, displayed)
        assert "\\" not in markup, tex
        assert {part.tag for part in parsed(markup).iter()} <= CORE | {"p", "a"}, tex


def test_the_font_has_every_sign_of_the_formulas():
    signs = {sign for tex, shown in formulas() for sign in "".join(parsed(converted(tex, shown)).itertext())}
    assert signs - set(characters()) <= {VARIANT, "\n"}
    assert (ROOT / "website" / "vendor" / "fonts" / "math.woff2").stat().st_size < 60_000


def test_a_break_loses_nothing_of_a_formula():
    for tex, displayed in formulas():
        if not displayed:
            whole = "".join(ET.fromstring(math_at_build.mathml(tex, display=False)).itertext())
            assert "".join(parsed(math_at_build.inline(tex)).itertext()) == whole


@pytest.mark.parametrize(
    ("tex", "pieces"),
    [
        ("a = b", ["a=b"]),  # short
        ("f(x) = a_1 x_1 + a_2 x_2 < c", ["f(x)=", "a1x1+", "a2x2<", "c"]),
        ("(p - f(x) - e)^2 = (p - f(x))^2", ["(p−f(x)−e)2=", "(p−f(x))2"]),  # not within parentheses
        (
            "a_{i = 1} \\ge -\\sum_{k = 1} p_k q_k s_k",
            ["ai=1≥", "−∑k=1pkqksk"],
        ),  # not in an index, not after a sign
        ("a_1, a_2, \\dots, a_V > b_1 + b_2", ["a1,", "a2,", "...,", "aV>", "b1+", "b2"]),
    ],
)
def test_a_long_formula_breaks_after_what_joins_its_parts(tex, pieces):
    assert ["".join(parsed(piece).itertext()) for piece in math_at_build.inline(tex).split("<wbr>")] == pieces


def test_what_joins_keeps_its_room_at_the_end_of_a_line():
    assert math_at_build.inline("f(x) = a_1 x_1 + a_2 x_2 y_2").count('form="infix"') == 2


def test_a_formula_and_the_signs_around_it_stay_in_one_line():
    assert math_at_build.held("a", "(", "),") == '<span class="held">(a),</span>'
    assert math_at_build.held("a<wbr>b<wbr>c", "(", ".") == (
        '<span class="held">(a</span><wbr>b<wbr><span class="held">c.</span>'
    )
    assert math_at_build.held("a<wbr>b", "", "") == "a<wbr>b"


def test_a_number_stands_beside_its_equation_and_links_to_it():
    tex = "\\begin{equation*} a = b \\tag{2.1} \\end{equation*}"
    assert math_at_build.equation(tex, "equation-2-1").endswith(
        '</math><a class="eqno" href="#equation-2-1">(2.1)</a>'
    )
    assert "eqno" not in math_at_build.equation("a = b", "equation-2-1")


def test_space_between_lines_is_no_part_of_a_formula():
    markup = math_at_build.equation("\\begin{aligned} a &= b \\\\[6pt] c &= d \\end{aligned}")
    assert "6" not in "".join(parsed(markup).itertext())
    assert markup.count("<mtr>") == 2


def test_a_difference_that_begins_a_line_has_room_and_a_sign_has_none():
    line = math_at_build.equation("\\begin{aligned} a &- b \\end{aligned}")
    assert re.search(r'<mo lspace="0.2222em" rspace="0.2222em">−</mo>', line)
    assert '<mo lspace="0" rspace="0">−</mo>' in math_at_build.equation("= -b")


def test_a_large_parenthesis_with_an_exponent_is_one_of_two_in_a_row():
    assert "<msup><mrow><mspace/><mo" in math_at_build.equation(r"\Bigl( a \Bigr)^2")
    assert "<msup><mo" in math_at_build.equation("(a)^2")


def test_an_unknown_command_is_an_error():
    with pytest.raises(LatexError, match="nosuchcommand"):
        math_at_build.inline(r"\nosuchcommand{a}")


def test_punctuation_stays_in_the_line_of_its_formula() -> None:
    document = new_document("here")
    paragraph = nodes.paragraph("", "", nodes.Text("so ("), nodes.math("", "p"), nodes.Text("). \u220e"))
    document += paragraph
    math_at_build.HoldPunctuation(document).run()
    formula = paragraph[1]
    assert (formula["before"], formula["after"]) == ("(", ").")
    assert [text.astext() for text in (paragraph[0], paragraph[2])] == ["so ", "\u00a0\u220e"]
    assert math_at_build.held("<math/>", "(", ").") == '<span class="held">(<math/>).</span>'
