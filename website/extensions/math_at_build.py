r"""Formulas are typeset when the book is built: TeX becomes MathML, which browsers draw without a script.

math-core (a converter of TeX to MathML Core) does the work; it refuses a command that it does not know, and
so does the build. This extension adds what a page needs around it:

- a number: ``\tag{2.1}`` stands to the right of the equation, and links to it;
- line breaks: a browser does not break MathML, so a long formula in the text becomes several, with a place to
  break after each relation or operator, as TeX has them;
- formulas in the outputs of cells, ``<div class="math">\[ ... \]</div>``;
- the words of a sign that has several meanings, in the attribute ``intent``, for who hears the formula.
"""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from functools import cache
from typing import TYPE_CHECKING

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)

SHORT = 14  # signs of a formula that is not worth a break
TAG = re.compile(r"\\tag\{(?P<number>[^}]*)\}")
EQUATION = re.compile(r"\\(?:begin|end)\{equation\*?\}")
ROOM = re.compile(r"\\\\\[\d+pt\]")  # a wider gap below a line; the page gives all lines the same
IN_OUTPUT = re.compile(r'<div class="math[^"]*">\s*\\\[(?P<tex>.*?)\\\]\s*</div>', re.DOTALL)
# A minus at the beginning of an aligned line is that of a difference, with room on both sides.
LINE_BEGINS = re.compile(r'(padding-left: 0;"><mo)(?: lspace="0" rspace="0")?>(?=[+\u2212])')
# A parenthesis of \bigl or \Bigl has a size of its own, but no room around it; as the base of an exponent it
# would not grow, unless it is one of two things in a row.
BIG = re.compile(r"<mo minsize=")
BIG_BASE = re.compile(r"(?<=<msup>)(<mo [^>]*minsize=[^>]*>[^<]*</mo>)")
# "arg max" is one name; math-core applies a function arg to a maximum, and it is heard so.
ARG = re.compile(r'(<mi>arg</mi></mrow>)<mo lspace=("[^"]*")>\u2061</mo>')
RELATIONS = frozenset("=≠<>≤≥≈∈∉⊆→")
OPERATORS = frozenset("+\u2212±⋅,;")
# In the text, what stays beside a formula: a bracket or quote before it, punctuation after it.
OPENS = re.compile(r"([(\[\u201c\u2018]*)\Z")
CLOSES = re.compile(r"\A([.,;:!?)\]\u201d\u2019]*)")
OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
BAR = "|"
SIZE = "size-of:prefix($of)"  # spoken "size of", then what has the argument `of`
CHOOSE = "binomial($n,$k)"


# TeX to MathML


@cache
def mathml(tex: str, *, display: bool) -> str:
    """Return the MathML of a formula in TeX.

    >>> mathml("x_1", display=False)
    '<math><msub><mi>x</mi><mn>1</mn></msub></math>'
    """
    converter = LatexToMathML(fancy_error=False)
    return repaired(converter.convert_with_local_state(ROOM.sub(r"\\\\", tex), displaystyle=display))


def repaired(formula: str) -> str:
    """Change what browsers draw otherwise than TeX.

    >>> repaired('<msup><mo minsize="1.2em">)</mo><mn>2</mn></msup>')
    '<msup><mrow><mspace/><mo lspace="0" rspace="0" minsize="1.2em">)</mo></mrow><mn>2</mn></msup>'
    """
    formula = formula.replace("&ApplyFunction;", "\u2061")  # the one entity among signs; XML does not know it
    formula = LINE_BEGINS.sub(r'\1 lspace="0.2222em" rspace="0.2222em">', formula)
    formula = BIG.sub('<mo lspace="0" rspace="0" minsize=', ARG.sub(r"\1<mspace width=\2/>", formula))
    formula = BIG_BASE.sub(r"<mrow><mspace/>\1</mrow>", formula)
    return spoken(formula) if BAR in formula or 'linethickness="0"' in formula else formula


def spoken(formula: str) -> str:
    """Say what a bar means, which would be heard as "divides" or as an absolute value, and a binomial.

    A bar that is alone between two parentheses, or in an index, is that of a condition. Two bars around one
    capital letter are a size; around anything else they are an absolute value, as they are heard anyway.

    >>> spoken("<math><mi>H</mi><mo>(</mo><mi>Y</mi><mo>|</mo><mi>X</mi><mo>)</mo></math>")[36:]
    '<mo intent="given">|</mo><mi>X</mi><mo>)</mo></math>'
    >>> spoken("<math><mo>|</mo><mi>D</mi><mo>|</mo></math>")[6:-7]
    '<mrow intent="size-of:prefix($of)"><mo>|</mo><mi arg="of">D</mi><mo>|</mo></mrow>'
    """
    whole = ET.fromstring(formula)
    for row in list(whole.iter()):
        parts = list(row)
        if [part.tag for part in parts] == ["mo", "mfrac", "mo"] and parts[1].get("linethickness") == "0":
            row.set("intent", CHOOSE)
            for part, name in zip(parts[1], "nk", strict=True):
                part.set("arg", name)
        for bars in together(parts):
            if len(bars) == 1:
                parts[bars[0]].set("intent", "given")
            for first, last in zip(bars[::2], bars[1::2], strict=False):
                if last == first + 2 and letter(parts[first + 1]).isupper():
                    size(row, parts[first : last + 1])
    return ET.tostring(whole, encoding="unicode")


def together(parts: list[ET.Element]) -> list[list[int]]:
    """Return where bars stand, those together that no parenthesis parts."""
    found, still_open = [], [[]]
    for place, part in enumerate(parts):
        sign = base(part)
        if sign in OPENING:
            still_open.append([])
        elif sign in CLOSING and len(still_open) > 1:
            found.append(still_open.pop())
        elif part.text == BAR:
            still_open[-1].append(place)
    return found + still_open


def letter(part: ET.Element) -> str:
    """Return the letter that a part consists of, without indices and accents; nothing if it is no letter."""
    while len(part) and part.tag in ("msup", "msub", "msubsup", "mover"):
        part = part[0]
    return part.text or "" if part.tag == "mi" else ""


def size(row: ET.Element, parts: list[ET.Element]) -> None:
    """Put two bars and what stands between them into a row of their own, which is heard as a size."""
    own = ET.Element("mrow", intent=SIZE)
    row.insert(list(row).index(parts[0]), own)
    for part in parts:
        row.remove(part)
        own.append(part)
    parts[1].set("arg", "of")


def equation(tex: str, anchor: str = "") -> str:
    r"""Return a displayed equation: its formula, and the number of its tag as a link to its anchor.

    >>> equation(r"a \tag{2.1}", "equation-2-1")
    '<math display="block"><mi>a</mi></math><a class="eqno" href="#equation-2-1">(2.1)</a>'
    """
    tag = TAG.search(tex)
    formula = mathml(TAG.sub("", EQUATION.sub("", tex)).strip(), display=True)
    if tag is None:
        return formula
    return f'{formula}<a class="eqno" href="#{anchor}">({tag["number"]})</a>'


# A formula in the text


class HoldPunctuation(SphinxPostTransform):
    """Keep a bracket before a formula and the punctuation after it in the formula's line.

    A browser may break a line between a formula and a full stop; the sign that ends a proof stays, too.
    """

    default_priority = 236
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for formula in self.document.findall(nodes.math):
            place = formula.parent.index(formula)
            around = formula.parent.children
            if place > 0 and isinstance(around[place - 1], nodes.Text):
                kept, formula["before"] = OPENS.split(around[place - 1].astext())[:2]
                around[place - 1] = text_in(kept, formula.parent)
            if place + 1 < len(around) and isinstance(around[place + 1], nodes.Text):
                formula["after"], kept = CLOSES.split(around[place + 1].astext())[1:]
                around[place + 1] = text_in(kept, formula.parent)


def text_in(words: str, parent: nodes.Element) -> nodes.Text:
    """Return a piece of text that knows where it stands."""
    text = nodes.Text(words.replace(" \u220e", "\u00a0\u220e"))
    text.parent = parent
    return text


def held(formula: str, before: str, after: str) -> str:
    """Join what belongs to a formula to its first and last piece.

    >>> held("<math/>", "(", ""), held("<math/><wbr><math/>", "", ".")
    ('<span class="held">(<math/></span>', '<math/><wbr><span class="held"><math/>.</span>')
    """
    pieces = formula.split("<wbr>")
    opening, closing = html.escape(before, quote=False), html.escape(after, quote=False)
    if opening:
        pieces[0] = f'<span class="held">{opening}{pieces[0]}{closing if len(pieces) == 1 else ""}</span>'
    if closing and (len(pieces) > 1 or not opening):
        pieces[-1] = f'<span class="held">{pieces[-1]}{closing}</span>'
    return "<wbr>".join(pieces)


def inline(tex: str) -> str:
    """Return a formula of the text, with places to break where it is long.

    >>> inline("a = b")
    '<math><mi>a</mi><mo>=</mo><mi>b</mi></math>'
    >>> inline("f(x) = -a_1 x_1 + a_2 x_2 + a_3 x_3").count("<wbr>")
    3
    """
    return "<wbr>".join(broken(mathml(tex, display=False)))


def broken(formula: str) -> list[str]:
    """Cut a long formula after its relations and operators, outside of all parentheses."""
    parts = list(ET.fromstring(formula))
    if signs(parts) <= SHORT:
        return [formula]
    return [written(piece) for piece in cut(parts)]


def signs(parts: list[ET.Element]) -> int:
    return sum(len("".join(part.itertext())) for part in parts)


def cut(parts: list[ET.Element]) -> list[list[ET.Element]]:
    """Divide the parts of a formula into pieces, each of which ends where a line may end."""
    pieces: list[list[ET.Element]] = [[]]
    depth = 0
    for part in parts:
        sign = base(part)
        depth += (sign in OPENING) - (sign in CLOSING)
        # a minus at the beginning belongs to what follows: -1
        joins = sign in RELATIONS or (sign in OPERATORS and len(pieces[-1]) > 0)
        ends = joins and depth == 0 and len(part) == 0
        pieces[-1].append(part)
        if ends:
            part.set("form", "infix")  # at the end of its piece, too, it keeps the space around it
            pieces.append([])
    return [piece for piece in pieces if piece]


def base(part: ET.Element) -> str:
    """Return the operator of a part, also where it carries an exponent, as the last sign of (a)^2 does."""
    while len(part) and part.tag in ("msup", "msub", "msubsup"):
        part = part[0]
    if part.tag == "mrow" and len(part) and part[0].tag == "mspace":  # as `repaired` makes them
        part = part[-1]
    return part.text or "" if part.tag == "mo" else ""


def written(parts: list[ET.Element]) -> str:
    return "<math>" + "".join(ET.tostring(part, encoding="unicode") for part in parts) + "</math>"


# The page


def visit_inline(self: HTML5Translator, node: nodes.math) -> None:
    formula = converted(inline, node.astext(), node)
    self.body.append(held(formula, node.get("before", ""), node.get("after", "")))
    raise nodes.SkipNode


def visit_displayed(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(self.starttag(node, "div", CLASS="math"))
    anchor = node["ids"][0] if node["ids"] else ""
    self.body.append(converted(equation, node.astext(), node, anchor))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def converted(convert, tex: str, location: nodes.Node, *more: str) -> str:
    """Convert a formula; one that cannot be is a warning, and its TeX stands on the page."""
    try:
        return convert(tex, *more)
    except LatexError as error:
        message = "a formula is not understood: %s in %s"
        logger.warning(message, error, tex, location=location, type="math_at_build")
        return f"<code>{html.escape(tex)}</code>"


class FormulasInOutputs(SphinxPostTransform):
    """Typeset the equations among the HTML outputs of a chapter."""

    default_priority = 235
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for raw in self.document.findall(nodes.raw):
            if raw.get("format") == "html" and '<div class="math' in raw.astext():
                # every second part is the TeX of an equation
                parts = IN_OUTPUT.split(raw.astext())
                parts[1::2] = [self.block(tex, raw) for tex in parts[1::2]]
                raw.children = [nodes.Text("".join(parts))]

    def block(self, tex: str, location: nodes.raw) -> str:
        return f'<div class="math">{converted(equation, html.unescape(tex), location)}</div>'


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_displayed, None))
    app.connect("config-inited", lambda app, config: config.__setattr__("html_math_renderer", "mathml"))
    app.add_post_transform(FormulasInOutputs)
    app.add_post_transform(HoldPunctuation)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
