"""Evidence in sight: below a paragraph whose phrases are computed, a mark unfolds what computes them.

The cells of a chapter have it already: the metadata `claims` quote a phrase of the text, with the expression
that must give what it says (docs/maintainers/chapters.md). A value is not stored, and need not be: the test
of the chapter fails unless the numbers of the phrase are those of the expression, rounded to the digits
written. This extension looks for each phrase in what its cell has become, and puts a fold below that
paragraph, or below the whole list, table or figure: the phrases in the order of the text, each above its
expression. Nothing computes what holds by definition, so it has no mark.
"""

from __future__ import annotations

import ast
import json
import re
from html import escape
from typing import TYPE_CHECKING

from docutils import nodes
from plain_markdown.figures import captioned
from plain_markdown.log import warn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

KEY = "claims"  # of the metadata of a cell, and of what is kept while a document is read
BY_DEFINITION = "by definition"
AT_THE_END = "at the end: "
LINES_OF_A_CELL = 10_000  # MyST-NB begins each cell at the next multiple
LINK = re.compile(r"\[([^\]]*)\]\([^)\s]*\)")
#: Signs that Markdown has and the page has not, or that typesetting changes.
UNSEEN = re.compile(r"""[\s\\*_`$>|"'\u201c\u201d\u2018\u2019\u2026\u2013\u2014-]+""")
FRAME_OF_FORMULA = re.compile(r"\$\$|\\(?:begin|end)\{equation\*?\}|\\tag\{[^}]*\}")
WHOLE = (nodes.bullet_list, nodes.enumerated_list, nodes.definition_list, nodes.table)
TRUE_OR_FALSE = {"all", "any", "bool", "isclose", "allclose"}  # functions and methods
ABOVE = "The code below each phrase gives what the phrase says."


class shown_by(nodes.General, nodes.Element):
    """A fold with the computed phrases of a paragraph."""


class computed(nodes.TextElement):
    """A phrase as it stands on the page, with its expression."""


# Where a phrase stands


class Words:
    """The texts and formulas of some paragraphs, and every sign that is compared, with its place."""

    def __init__(self, blocks: list[nodes.Element]) -> None:
        self.leaves = [(leaf, block) for block in blocks for leaf in leaves(block)]
        self.places = [
            (i, at, sign)
            for i, (leaf, _) in enumerate(self.leaves)
            for at, sign in enumerate(leaf.astext())
            if not UNSEEN.fullmatch(sign)
        ]
        self.signs = "".join(sign for *_, sign in self.places)

    def find(self, phrase: str) -> range | None:
        """Return where the signs of a phrase are; None if they are nowhere."""
        wanted = signs(phrase)
        at = self.signs.find(wanted)
        return range(at, at + len(wanted)) if at >= 0 and wanted else None

    def block(self, found: range) -> nodes.Element:
        """Return the paragraph, or the displayed formula, where a phrase ends."""
        return self.leaves[self.places[found[-1]][0]][1]

    def shown(self, found: range, phrase: str) -> Iterator[nodes.Node]:
        """Yield a phrase as it stands on the page, with a dot between two cells of a table."""
        (first, start, _), (last, end, _) = self.places[found[0]], self.places[found[-1]]
        for i in range(first, last + 1):
            leaf, block = self.leaves[i]
            if i > first and block is not self.leaves[i - 1][1]:
                yield nodes.Text(" · ")
            yield part(leaf, slice(start if i == first else 0, end + 1 if i == last else None), phrase)


def leaves(block: nodes.Element) -> Iterator[nodes.Node]:
    """Yield the pieces of text and the formulas of a paragraph; a displayed formula is a block by itself."""
    if isinstance(block, nodes.math_block):
        yield block
        return
    for node in block.findall():
        text = isinstance(node, nodes.Text) and not isinstance(node.parent, nodes.math | nodes.raw)
        if text or isinstance(node, nodes.math):
            yield node


def signs(markdown: str) -> str:
    r"""Return the signs of a phrase that are compared with the page.

    >>> signs(r"`a_b` is *now* $\tfrac12$, see [chapter 2](02_entropy.ipynb)")
    'abisnowtfrac12,seechapter2'
    """
    return UNSEEN.sub("", LINK.sub(r"\1", markdown))


def part(leaf: nodes.Node, where: slice, phrase: str) -> nodes.Node:
    """Return a part of a text with its emphasis; a formula within a line stays whole."""
    if isinstance(leaf, nodes.math_block):
        return nodes.math("", part_of_formula(leaf.astext(), phrase))
    if isinstance(leaf, nodes.math):
        return nodes.math("", leaf.astext())
    words = leaf.astext()[where]
    around = leaf.parent
    if isinstance(around, nodes.literal | nodes.emphasis | nodes.strong):
        return type(around)("", words, classes=list(around["classes"]))
    return nodes.Text(words)


def part_of_formula(tex: str, phrase: str) -> str:
    r"""Return what a phrase quotes of a displayed formula; all of it, if it parts two brackets.

    >>> part_of_formula(r"a = (\frac{1}{2}) \tag{2.1}", r"\frac{1}{2}")
    '\\frac{1}{2}'
    >>> part_of_formula(r"a = (\frac{1}{2}) \tag{2.1}", r"\frac{1}{2})")
    'a = (\\frac{1}{2})'
    """
    pairs = all(phrase.count(left) == phrase.count(right) for left, right in ("{}", "()", "[]"))
    return FRAME_OF_FORMULA.sub("", phrase if pairs else tex).strip()


# The marks


def read_source(app: Sphinx, docname: str, content: list[str]) -> None:
    """Note the claims of a notebook by the numbers of its cells, as Sphinx will read them (source-read)."""
    if str(app.env.doc2path(docname)).endswith(".ipynb"):
        cells = enumerate(json.loads(content[0])["cells"])
        app.env.temp_data[KEY] = {
            number: (cell["id"], cell["metadata"][KEY]) for number, cell in cells if KEY in cell["metadata"]
        }


def mark_document(app: Sphinx, doctree: nodes.document) -> None:
    """Mark the claims of a notebook (event doctree-read)."""
    claimed = app.env.temp_data.get(KEY)
    blocks = blocks_of_cells(doctree) if claimed else {}
    for number, (cell_id, claims) in (claimed or {}).items():
        for phrase in mark(blocks.get(number, []), claims):
            warn(f"cell {cell_id!r}: “{phrase}” is claimed, and the page does not have it", app.env.docname)


def blocks_of_cells(doctree: nodes.document) -> dict[int, list[nodes.Element]]:
    """Return the paragraphs and displayed formulas of each cell by its number."""
    found: dict[int, list[nodes.Element]] = {}
    for block in doctree.findall(lambda node: isinstance(node, nodes.paragraph | nodes.math_block)):
        line = outermost(block, WHOLE).line or 0  # cells of a table have lines of their own
        found.setdefault(line // LINES_OF_A_CELL - 1, []).append(block)
    return found


def mark(blocks: list[nodes.Element], claims: dict[str, str]) -> list[str]:
    """Put the marks of a cell below its blocks, and return the phrases that are in none of them."""
    words = Words(blocks)
    found = {phrase: words.find(phrase) for phrase, said in claims.items() if said != BY_DEFINITION}
    in_order = sorted((where.start, phrase) for phrase, where in found.items() if where)
    for _, phrase in in_order:
        fold = fold_below(outermost(words.block(found[phrase]), (*WHOLE, captioned)))
        fold += computed("", "", *words.shown(found[phrase], phrase), expression=claims[phrase])
    return [phrase for phrase, where in found.items() if not where]


def outermost(block: nodes.Element, kinds: tuple[type[nodes.Element], ...]) -> nodes.Element:
    """Return the outermost node of some kinds around a block, or the block itself."""
    place, around = block, block.parent
    while around is not None:
        place = around if isinstance(around, kinds) else place
        around = around.parent
    return place


def fold_below(place: nodes.Element) -> shown_by:
    """Return the fold below a paragraph, list, table or figure; the first phrase makes it."""
    at = place.parent.index(place) + 1
    if not isinstance(next(iter(place.parent[at:]), None), shown_by):
        place.parent.insert(at, shown_by())
    return place.parent[at]


# The page


def summary(count: int) -> str:
    """Return what the mark says.

    >>> summary(1), summary(3)
    ('Shown by a computation', 'Shown by 3 computations')
    """
    return "Shown by a computation" if count == 1 else f"Shown by {count} computations"


def said_of(expression: str) -> str:
    """Return what is said behind an expression: whether it is a statement, and if it stands for a later time.

    >>> said_of("entropy([9, 6])"), said_of("at the end: gain > 0.4"), said_of("at the end: gain")
    ('', ' is true at the end of the chapter', ' at the end of the chapter')
    """
    statement = is_statement(ast.parse(expression.removeprefix(AT_THE_END), mode="eval").body)
    return " is true" * statement + " at the end of the chapter" * expression.startswith(AT_THE_END)


def is_statement(code: ast.expr) -> bool:
    """Tell whether an expression is seen to be true or false; one that only its value tells is none.

    >>> [is_statement(ast.parse(code, mode="eval").body) for code in ("a < b and not c", "all(x)", "[a < b]")]
    [True, True, False]
    """
    match code:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.BoolOp(values=[*_, last]) | ast.IfExp(body=last) | ast.Call(func=ast.Lambda(body=last)):
            return is_statement(last)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in TRUE_OR_FALSE
    return False


def visit_shown_by(self: HTML5Translator, node: shown_by) -> None:
    said = summary(len(node))
    self.body.append(self.starttag(node, "details", CLASS="shown-by"))
    self.body.append(f'<summary title="{said}"><span class="visually-hidden">{said}</span></summary>\n')
    self.body.append(f"<div><p>{ABOVE}</p>\n<dl>\n")


def depart_shown_by(self: HTML5Translator, node: shown_by) -> None:
    self.body.append("</dl></div>\n</details>\n")


def visit_computed(self: HTML5Translator, node: computed) -> None:
    self.body.append("<dt>")


def depart_computed(self: HTML5Translator, node: computed) -> None:
    code = escape(node["expression"].removeprefix(AT_THE_END), quote=False)
    self.body.append(f"</dt>\n<dd><code>{code}</code>{said_of(node['expression'])}</dd>\n")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_node(shown_by, html=(visit_shown_by, depart_shown_by))
    app.add_node(computed, html=(visit_computed, depart_computed))
    app.connect("source-read", read_source, priority=900)  # when plain_markdown has made its cells
    app.connect("doctree-read", mark_document, priority=900)  # when captions are in their figures
    return {"parallel_read_safe": True, "parallel_write_safe": True}
